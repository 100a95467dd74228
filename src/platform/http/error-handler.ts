import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { errorCodePath } from '../../lib/site-paths.ts';
import { AppError, defineErrors, requestErrors } from '../errors/errors.ts';
import type { Problem } from '../errors/errors.ts';
import { dropUnwritable } from './header-values.ts';
import { isNavigation } from './requests/request-origin.ts';
import { pagePolicy } from './security.ts';
import { isStoreUnavailable } from '../errors/store-failures.ts';
import { RequestValidationError, type ValidationDetail } from '../validation/validation-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Renders the page of a browser request without a route: status 404 or 405. */
    strayPage: ((problem: Problem) => string) | undefined;
  }
}

/** A problem document and its headers. */
export interface ProblemResponse {
  problem: Problem;
  /** The text that pages show instead of the detail. */
  pageText?: string | undefined;
  pageTitle?: string | undefined;
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
    'Something went wrong on our side. The error was logged under the request id. Try ' +
      'again later.',
    { cause },
  );
}

function invalid(status: number, cause: unknown): AppError {
  const template = requestErrors.invalid();
  return new AppError(status, template.code, template.message, { cause });
}

/**
 * FastAPI's entries for an error with status 422: those of the failed schema, or a single one whose
 * `type` is the code of an area's error. The thrower decides the code, and only this function
 * decides what a 422 looks like.
 */
function validationDetails(error: AppError | RequestValidationError): readonly ValidationDetail[] {
  if (error instanceof RequestValidationError) return error.details;
  return [{ type: error.code, loc: [...error.loc], msg: error.message, input: null }];
}

function validationProblem(error: RequestValidationError): AppError {
  return inputErrors.validation({ extra: { errors: validationDetails(error) } });
}

/** The 4xx status that a library has set on its error; undefined without one. */
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

/** Converts any thrown value to an AppError. Messages of other errors never become public. */
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
 * Maps any thrown value to a problem document (RFC 9457) and its headers, for HTTP and every other
 * protocol. `type` leads to the entry of its `code` in the list of error codes; a reference without
 * a host, because a proxy may serve the service under several (RFC 9457 §3.1.1).
 */
export function toProblem(error: unknown, requestId: string): ProblemResponse {
  const appError = toAppError(error);
  const { status, code, message, headers } = appError;
  const title = STATUS_CODES[status] ?? 'Error';
  const extra =
    status === 422 ? { errors: validationDetails(appError), ...appError.extra } : appError.extra;
  const problem = {
    ...extra,
    type: errorCodePath(code),
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
  };
  return {
    problem,
    pageText: appError.pageText,
    pageTitle: appError.pageTitle,
    headers: { ...defaultHeaders(status), ...headers },
  };
}

function isContractBug(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'FST_ERR_RESPONSE_SERIALIZATION'
  );
}

function invalidMembers(error: unknown): string[] {
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

/** True for an AppError without a cause: an intended response that needs no error line. */
function isIntended(error: unknown): boolean {
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
      { ...facts, members: invalidMembers(error) },
      'contract bug: the response does not match its schema',
    );
  } else {
    log.error({ ...facts, err: error instanceof AppError ? error.cause : error }, 'request failed');
  }
}

/** Returns the problem document of `error` and its headers. Logs failures of the service. */
export function failureOf(error: unknown, request: FastifyRequest): ProblemResponse {
  const answer = toProblem(error, request.id);
  if (answer.problem.status >= 500 && !isIntended(error)) logFailure(error, request);
  return answer;
}

/** The body of a 422: FastAPI's HTTPValidationError, with the code and request id of all errors. */
export const validationBody = ({ errors, code, request_id }: Problem): object => ({
  detail: errors,
  code,
  request_id,
});

/** The content type and body to send. Every 422 has the shape of `validationBody`. */
function bodyOf(problem: Problem): [type: string, body: object] {
  return problem.status === 422
    ? ['application/json', validationBody(problem)]
    : ['application/problem+json', problem];
}

/** Sends a problem document as text, so that no response schema can reject it. */
export function sendProblem(
  { problem, headers }: ProblemResponse,
  reply: FastifyReply,
): FastifyReply {
  const [type, body] = bodyOf(problem);
  return reply.code(problem.status).headers(headers).type(type).send(JSON.stringify(body));
}

/** Sends the problem document of `error`. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendProblem(failureOf(error, request), reply);
}

/**
 * True when no route matches the path or the method. A route that itself answers with the same
 * error must look identical, because some paths must not be discoverable.
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

/**
 * Sends browsers the page for unknown paths. Returns undefined for other clients, other errors, or
 * when no page is set.
 */
function sendStrayPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { strayPage } = request.server;
  if (strayPage === undefined || !isStray(error) || !isNavigation(request, reply)) return undefined;
  const { problem, headers } = failureOf(error, request);
  const pageHeaders = { 'content-security-policy': pagePolicy, 'cache-control': 'no-store' };
  return reply
    .code(problem.status)
    .headers({ ...headers, ...pageHeaders })
    .type('text/html; charset=utf-8')
    .send(strayPage(problem));
}

/** Answers all errors with `sendError`, except browsers on unknown paths. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.decorate('strayPage', undefined);
  app.setErrorHandler((error, request, reply) => {
    dropUnwritable(error, request, reply);
    return sendStrayPage(error, request, reply) ?? sendError(error, request, reply);
  });
}
