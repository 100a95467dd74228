import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { hasInputSchema } from '../validation/validation.ts';

/** FastAPI's `ValidationError`. */
const ValidationErrorSchema = z
  .object({
    type: z.string(),
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    input: z.unknown().optional(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationError', title: 'ValidationError' });

/** The body of every 422: as FastAPI documents it, with the members that all errors have. */
const HttpValidationErrorSchema = z
  .object({
    detail: z.array(ValidationErrorSchema).optional(),
    code: z.string().optional(),
    request_id: z.string().optional(),
  })
  .meta({ id: 'HTTPValidationError', title: 'HTTPValidationError' });

/** The body of every other error (RFC 9457). Errors may add further members. */
export const ProblemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    request_id: z.string(),
  })
  .meta({ id: 'Problem', title: 'Problem' });

/** FastAPI's description of a 422. */
export const validationDescription = 'Validation Error';

/** Matches nothing, so that a response with an undeclared status becomes a logged 500. */
const undeclared = z.never();

function problemResponse(description: string) {
  return {
    description,
    content: {
      'application/problem+json': { schema: ProblemSchema },
      // Without this, Fastify sends a 4xx with another content type unfiltered. The OpenAPI
      // document omits it.
      '*/*': { schema: ProblemSchema },
    },
  };
}

// The same objects on every route: there are a thousand.
const refused = problemResponse('The request was refused.');
const failed = problemResponse('The service could not process the request.');
const invalid = {
  description: validationDescription,
  content: { 'application/json': { schema: HttpValidationErrorSchema } },
};
const undeclaredResponse = { content: { '*/*': { schema: undeclared } } };

function errorResponses(schema: FastifySchema, declared: object) {
  const declaresSuccess = Object.keys(declared).some((status) => status.startsWith('2'));
  return {
    ...(hasInputSchema(schema) ? { 422: invalid } : {}),
    '4xx': refused,
    '5xx': failed,
    ...(declaresSuccess ? { default: undeclaredResponse } : {}),
  };
}

/** Declares the error responses on every route. A route's own declarations take precedence. */
export function registerErrorResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const schema = route.schema ?? {};
    const declared =
      typeof schema.response === 'object' && schema.response !== null ? schema.response : {};
    route.schema = { ...schema, response: { ...errorResponses(schema, declared), ...declared } };
  });
}
