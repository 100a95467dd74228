import type { FastifySchema, RouteOptions } from 'fastify';
import { z } from 'zod';
import { toProblem } from '../http/error-handler.ts';
import { errorOf, type Problem } from '../errors/errors.ts';
import type { Media } from './document.ts';
import { type StatedLimit, statedLimit } from '../http/limits/rate-limit.ts';
import { takesInput } from '../validation/validation.ts';
import { runSchema } from '../validation/validation-issues.ts';

interface OperationExamples {
  body?: unknown;
  answer?: unknown;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Codes of the operation's own errors. Guards, limits and validation add theirs. */
    errors?: readonly string[];
    /** Examples of body and answer where those of the schemas would not fit. */
    examples?: OperationExamples;
    /** What a body is whose bytes the route reads itself, for the reference. */
    rawBody?: z.ZodType;
    /** What is in the query that the route reads itself, for the reference. */
    rawQuery?: z.ZodType;
  }
  interface FastifyContextConfig {
    /** Errors are pages: always, or for browsers only. Unset: they are problem documents. */
    errorPages?: 'always' | 'for browsers';
    /** Media types of errors in place of problem documents, with examples named by code. */
    errorMedia?: (problems: readonly Problem[]) => Record<string, Media>;
  }
}

/** What the reference says of an operation beyond its schemas. */
export interface OperationFacts {
  /** Every error it can answer, by its status. */
  errors: Record<number, Problem[]>;
  errorPages: 'always' | 'for browsers' | 'never';
  /** What errors of a status are sent as, where that is no problem document. */
  errorMedia: Record<number, Record<string, Media>> | undefined;
  /** It answers HTTPValidationError. */
  isValidated: boolean;
  /** How many requests one client may make; its answers tell how many are left. */
  limit: StatedLimit | undefined;
  /** A request without a body is as good. */
  isBodyOptional: boolean;
  examples: OperationExamples;
}

/** An id as requests get them, for examples. */
const requestId = '0f4c1a52e1b76d38';

/** Methods whose requests Fastify reads a body of, so that its type and its size can be refused. */
const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const limitOf = ({ config }: RouteOptions): StatedLimit | undefined =>
  statedLimit(config?.rateLimit);

/** Errors of every route: body too large, rate limited, service stopping. */
function generalErrors(route: RouteOptions): string[] {
  const readsBody = [route.method].flat().some((method) => withBody.has(method));
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

/** Collects them from a route, when all its scopes have added theirs. */
export function factsOf(route: RouteOptions, schema: FastifySchema): OperationFacts {
  const { body } = schema;
  const codes = [
    ...(schema.errors ?? []),
    ...(route.config?.errors ?? []),
    ...generalErrors(route),
  ];
  const errors = byStatus(
    [...codes.flatMap((code) => errorOf(code) ?? []), new Error('internal')].map(
      (error) => toProblem(error, requestId).problem,
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
    isValidated: takesInput(schema),
    limit: limitOf(route),
    isBodyOptional:
      body instanceof z.core.$ZodType && runSchema(body, undefined).issues.length === 0,
    examples: schema.examples ?? {},
  };
}
