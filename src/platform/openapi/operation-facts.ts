import type { FastifySchema, RouteOptions } from 'fastify';
import { z } from 'zod';
import { memoize } from '../../lib/memoize.ts';
import { toProblem } from '../http/error-handler.ts';
import { errorOf, type Problem } from '../errors/errors.ts';
import type { Media } from './document.ts';
import { type StatedLimit, statedLimit } from '../http/limits/rate-limit.ts';
import { hasInputSchema } from '../validation/validation.ts';
import { RequestValidationError } from '../validation/validation-error.ts';
import { runSchema } from '../validation/validation-issues.ts';

interface OperationExamples {
  body?: unknown;
  answer?: unknown;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Error codes of the operation itself. Guards, limits and validation add theirs. */
    errors?: readonly string[];
    /** Describes the successful responses whose schemas have no description of their own. */
    returns?: string;
    /** Examples of body and response, where those of the schemas are wrong. */
    examples?: OperationExamples;
    /** Schema of a body that the route parses itself, for the API reference. */
    rawBody?: z.ZodType;
    /** Schema of a query that the route parses itself, for the API reference. */
    rawQuery?: z.ZodType;
  }
  interface FastifyContextConfig {
    /** Sends errors as pages, always or to browsers only. Default: problem documents. */
    errorPages?: 'always' | 'for browsers';
    /**
     * Status of requests that do not match their schemas, for protocols without a 422. The error
     * handler of the scope has to send it.
     */
    invalidStatus?: number;
    /** Media types of errors that replace problem documents, with examples named by code. */
    errorMedia?: (problems: readonly Problem[]) => Record<string, Media>;
  }
}

/** What the API reference documents about an operation beyond its schemas. */
export interface OperationFacts {
  /** Every error of the operation, by status. */
  errors: Record<number, Problem[]>;
  errorPages: 'always' | 'for browsers' | 'never';
  /** Media types of errors by status, where they are not problem documents. */
  errorMedia: Record<number, Record<string, Media>> | undefined;
  /** True when it can answer with HTTPValidationError. */
  isValidated: boolean;
  /** The rate limit of one client. */
  limit: StatedLimit | undefined;
  /** True when it accepts an `Idempotency-Key`. */
  isIdempotent: boolean;
  /** True when a request without a body is valid. */
  isBodyOptional: boolean;
  /** The description of successful responses without one. */
  returns: string | undefined;
  examples: OperationExamples;
}

/** Error codes to keep the problem of: more than there are. */
const maxCodes = 2000;

/** A request id for examples. */
const requestId = '0f4c1a52e1b76d38';

/** A request that does not match its schema. */
const exampleOfInvalid = new RequestValidationError([
  { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} },
]);

/** Methods with a body, whose type and size Fastify may refuse. */
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const limitOf = ({ config }: RouteOptions): StatedLimit | undefined =>
  statedLimit(config?.rateLimit);

/** Error codes of every route: body too large, rate limited, service stopping. */
function generalErrors(route: RouteOptions): string[] {
  const readsBody = [route.method].flat().some((method) => methodsWithBody.has(method));
  return [
    'request.invalid',
    ...(readsBody ? ['request.too_large', 'request.unsupported_media_type'] : []),
    ...(limitOf(route) !== undefined ? ['request.rate_limited'] : []),
    'request.unavailable',
  ];
}

function byStatus(problems: readonly Problem[]): Record<number, Problem[]> {
  const grouped: Record<number, Problem[]> = {};
  for (const problem of problems) {
    const same = (grouped[problem.status] ??= []);
    if (!same.some(({ code }) => code === problem.code)) same.push(problem);
  }
  return grouped;
}

/**
 * Examples of the body, as its schema declares them. Zod leaves them out of the JSON Schema of an
 * input that is transformed, because it takes them for examples of the output.
 */
function declaredExamples(body: unknown): OperationExamples {
  if (!(body instanceof z.core.$ZodType)) return {};
  const examples = z.globalRegistry.get(body)?.examples;
  return Array.isArray(examples) && examples.length > 0 ? { body: examples[0] as unknown } : {};
}

const problemOf = (error: Error): Problem => toProblem(error, requestId).problem;

/** Returns a function that collects the facts of a route, once all its scopes have added theirs. */
export function createFacts() {
  // Made once for each code, because an error collects its stack.
  const problemsOf = memoize((code): Problem[] => {
    const error = errorOf(code);
    return error === undefined ? [] : [problemOf(error)];
  }, maxCodes);
  const invalid = problemOf(exampleOfInvalid);
  const internal = problemOf(new Error('internal'));
  return (route: RouteOptions, schema: FastifySchema): OperationFacts => {
    const { errors = [] } = schema;
    const codes = [...errors, ...(route.config?.errors ?? []), ...generalErrors(route)];
    const isInvalidOwn = route.config?.invalidStatus !== undefined && hasInputSchema(schema);
    const problems = codes.flatMap(problemsOf);
    return factsOf(route, schema, [...problems, ...(isInvalidOwn ? [invalid] : []), internal]);
  };
}

function factsOf(
  route: RouteOptions,
  schema: FastifySchema,
  problems: readonly Problem[],
): OperationFacts {
  const { body } = schema;
  const invalidStatus = route.config?.invalidStatus;
  const errors = byStatus(
    problems.map((problem) =>
      problem.status === 422 ? { ...problem, status: invalidStatus ?? 422 } : problem,
    ),
  );
  const mediaOf = route.config?.errorMedia;
  return {
    errors,
    errorPages: route.config?.errorPages ?? 'never',
    errorMedia:
      mediaOf &&
      Object.fromEntries(
        Object.entries(errors).map(([status, problems]) => [status, mediaOf(problems)]),
      ),
    isValidated: invalidStatus === undefined && hasInputSchema(schema),
    limit: limitOf(route),
    isIdempotent: route.config?.isIdempotent === true,
    isBodyOptional:
      body instanceof z.core.$ZodType && runSchema(body, undefined).issues.length === 0,
    returns: schema.returns,
    examples: { ...declaredExamples(body), ...schema.examples },
  };
}
