import type { z } from 'zod';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { refuseUnstorable } from '../../../platform/validation/unstorable-text.ts';
import { describeIssue, runSchema } from '../../../platform/validation/validation-issues.ts';
import { toSnakeCase } from '../../../lib/text/case.ts';

/** Converts arguments to parameters of the REST API: in snake_case, without null. */
export const toParameters = (args: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [toSnakeCase(name), value]),
  );

/** Parses arguments with a schema of the REST API. Throws RequestValidationError. */
export function readArguments<Schema extends z.ZodType>(
  schema: Schema,
  args: object,
  part: 'body' | 'query' = 'body',
): z.output<Schema> {
  const parameters = toParameters(args);
  refuseUnstorable(parameters, part);
  const { value, issues } = runSchema(schema, parameters);
  if (issues.length > 0)
    throw new RequestValidationError(
      issues.flatMap((issue) =>
        describeIssue({ part, original: parameters, value: parameters }, issue),
      ),
    );
  return value as z.output<Schema>;
}
