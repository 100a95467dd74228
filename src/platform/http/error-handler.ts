import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { AppError, defineErrors, requestErrors } from '../errors/errors.ts';
import type { Problem } from '../errors/errors.ts';
import { isNavigation } from './requests/request-origin.ts';
import { pagePolicy } from './security.ts';
import { isStoreUnavailable } from '../errors/store-failures.ts';
import { RequestValidationError, type ValidationDetail } from '../validation/validation-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The page for people whose request nothing takes: status 404 or 405. */
    strayPage: ((problem: Problem) => string) | undefined;
  }
}

/** A problem document and the headers that go with it. */
export interface ProblemAnswer {
  problem: Problem;
  /** What pages tell people in place of the detail. */
  pageText?: string | undefined;
  headers: Record<string, string | string[]>;
}

const problemByStatus: Partial<Record<number, (options: { cause: unknown }) => AppError>> = {
  401: requestErrors.unauthenticated,
  403: requestErrors.forbidden,
  404: requestErrors.not_found,
  405: requestErrors.method_not_allowed,
  413: requestErrors.too_large,
  415: requestErrors.unsupported_media_type,
  429: requestErrors.rate_limited,
};

const inputErrors = defineErrors('request', {
  validation: [422, 'The request does not match its schema.'],
});

function internal(cause: unknown): AppError {
  return new AppError(
    500,
    'internal',
    'Something went wrong on our side. It has been logged under the request id.',
    { cause },
  );
}

function invalid(status: number, cause: unknown): AppError {
  const template = requestErrors.invalid();
  return new AppError(status, template.code, template.message, { cause });
}

/**
 * FastAPI's entries for an error with status 422: those of the schema that failed, or one whose
 * `type` is the code of an error that an area has defined. Whoever throws decides the code; only
 * this decides what a 422 looks like.
 */
function validationDetails(error: AppError | RequestValidationError): readonly ValidationDetail[] {
  if (error instanceof RequestValidationError) return error.details;
  return [{ type: error.code, loc: [...error.loc], msg: error.message, input: null }];
}

function validationProblem(error: RequestValidationError): AppError {
  return inputErrors.validation({ extra: { errors: validationDetails(error) } });
}

/** The status a library put on its error, when it is one of the client's mistakes. */
function clientStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? statusCode
    : undefined;
}

function isHandlerTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_HANDLER_TIMEOUT';
}

/** Whatever was thrown, as an AppError: texts of foreign errors never become public. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof RequestValidationError) return validationProblem(error);
  const status = clientStatus(error);
  if (status !== undefined)
    return problemByStatus[status]?.({ cause: error }) ?? invalid(status, error);
  if (isHandlerTimeout(error) || isStoreUnavailable(error))
    return requestErrors.unavailable({ cause: error });
  return internal(error);
}

function defaultHeaders(status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer realm="svc"' };
  if (status === 429) return { 'retry-after': '60' };
  return status === 503 ? { 'retry-after': '5' } : {};
}

/**
 * Maps anything thrown to a problem document (RFC 9457) and its headers. The one place that decides
 * this, for HTTP as for every other way in. `type` is `about:blank`: what tells problems apart is
 * `code`.
 */
export function toProblem(error: unknown, requestId: string): ProblemAnswer {
  const known = toAppError(error);
  const { status, code, message, headers } = known;
  const title = STATUS_CODES[status] ?? 'Error';
  const extra = status === 422 ? { errors: validationDetails(known), ...known.extra } : known.extra;
  const problem = {
    ...extra,
    type: 'about:blank',
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
  };
  return { problem, pageText: known.pageText, headers: { ...defaultHeaders(status), ...headers } };
}

function isContractBug(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'FST_ERR_RESPONSE_SERIALIZATION'
  );
}

function brokenMembers(error: unknown): string[] {
  const cause = error instanceof Error ? error.cause : undefined;
  if (
    typeof cause !== 'object' ||
    cause === null ||
    !('issues' in cause) ||
    !Array.isArray(cause.issues)
  )
    return [];
  return cause.issues.map(
    (issue: { path: PropertyKey[]; code: string }) =>
      `${issue.path.map(String).join('.')}: ${issue.code}`,
  );
}

/** Whether it is an AppError without a cause: an intended answer that needs no error line. */
function isChosen(error: unknown): boolean {
  return error instanceof AppError && error.cause === undefined;
}

function logFailure(error: unknown, request: FastifyRequest): void {
  const { schema, url } = request.routeOptions;
  const facts = {
    operationId: schema?.operationId,
    method: request.method,
    route: url,
    request_id: request.id,
  };
  const { log } = request.server;
  if (isContractBug(error)) {
    log.error(
      { ...facts, members: brokenMembers(error) },
      'contract bug: the answer does not match its response schema',
    );
  } else {
    log.error({ ...facts, err: error instanceof AppError ? error.cause : error }, 'request failed');
  }
}

/** The document for `error` and its headers; what failed on our side is logged. */
export function failureOf(error: unknown, request: FastifyRequest): ProblemAnswer {
  const answer = toProblem(error, request.id);
  if (answer.problem.status >= 500 && !isChosen(error)) logFailure(error, request);
  return answer;
}

/** The body to send: a 422 has the shape of FastAPI's HTTPValidationError, whatever threw it. */
function bodyOf(problem: Problem): [type: string, body: object] {
  return problem.status === 422
    ? ['application/json', { detail: problem.errors }]
    : ['application/problem+json', problem];
}

/** Sends a problem document, as text: no response schema can refuse it. */
export function sendProblem(
  { problem, headers }: ProblemAnswer,
  reply: FastifyReply,
): FastifyReply {
  const [type, body] = bodyOf(problem);
  return reply.code(problem.status).headers(headers).type(type).send(JSON.stringify(body));
}

/** Answers with the document for `error`. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendProblem(failureOf(error, request), reply);
}

/**
 * Nothing takes the request: there is no such path, or none with this method. A route that only
 * says so itself must not look different: some paths are not to be found.
 */
function isStray(error: unknown): boolean {
  const [missing, wrongMethod] = [requestErrors.not_found(), requestErrors.method_not_allowed()];
  return (
    error instanceof AppError &&
    [missing, wrongMethod].some(
      ({ code, message }) => error.code === code && error.message === message,
    )
  );
}

/** Sends the page for people on unknown paths; undefined for programs, or without a page. */
function sendStrayPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { strayPage } = request.server;
  if (strayPage === undefined || !isStray(error) || !isNavigation(request, reply)) return undefined;
  const { problem, headers } = failureOf(error, request);
  const own = { 'content-security-policy': pagePolicy, 'cache-control': 'no-store' };
  return reply
    .code(problem.status)
    .headers({ ...headers, ...own })
    .type('text/html; charset=utf-8')
    .send(strayPage(problem));
}

/** Answers all errors with `sendError`, except people on unknown paths. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.decorate('strayPage', undefined);
  app.setErrorHandler(
    (error, request, reply) =>
      sendStrayPage(error, request, reply) ?? sendError(error, request, reply),
  );
}
