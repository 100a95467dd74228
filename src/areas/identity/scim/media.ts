import type { Problem } from '../../../platform/errors/errors.ts';
import { limited } from '../../../platform/operations/limits.ts';
import { toScimError } from './errors.ts';
import { ScimErrorBody } from './schemas.ts';

export const mediaType = 'application/scim+json';

const errorContent = { [mediaType]: { schema: ScimErrorBody } };

/** Documents problems as SCIM's errors, in OpenAPI. */
function errorMedia(problems: readonly Problem[]) {
  const examples = Object.fromEntries(
    problems.map((problem) => [problem.code, { value: toScimError(problem) }]),
  );
  return { [mediaType]: { schema: { $ref: '#/components/schemas/ScimError' }, examples } };
}

/** The error responses, for the API reference. */
export const failures = {
  '4xx': { description: 'The request was refused.', content: errorContent },
  '5xx': { description: 'The service could not process the request.', content: errorContent },
};

/** Microsoft Entra asks for 25 requests per second. */
export const limit = limited({ max: 1800, seconds: 60, failOpen: true, group: 'scim' });

export const config = {
  errorMedia,
  invalidStatus: 400,
  // A text that can't be kept must not keep a leaver's account open.
  checksTexts: true,
};
