import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of every answer in this scope: name, value, name, value, … */
    answerHeaders: readonly string[];
  }
}

const jsonHeaders = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const pageFiles = "style-src 'self'; img-src 'self' data:; font-src 'self'; manifest-src 'self'";
const pageEnds = "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The policy for our own HTML pages: files of this origin only, nothing inline, no scripts, no
 * frames around it. Nothing in them calls anything; `connect-src` is for Lighthouse, which reads
 * /robots.txt from within the page.
 */
export const pagePolicy = `default-src 'none'; ${pageFiles}; connect-src 'self'; ${pageEnds}`;

/** The policy for those with scripts: files of this origin, which may call this origin. */
export const scriptedPagePolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; " + `${pageFiles}; ${pageEnds}`;

const oneYear = 31_536_000;

function transportHeaders(config: Config): Record<string, string> {
  const isHttps = config.BASE_URL?.startsWith('https:') === true;
  return isHttps ? { 'strict-transport-security': `max-age=${oneYear}; includeSubDomains` } : {};
}

/** Prepares the headers that every answer carries, errors included. */
export function registerSecurityHeaders(app: FastifyInstance, config: Config): void {
  app.decorate(
    'answerHeaders',
    Object.entries({ ...jsonHeaders, ...transportHeaders(config) }).flat(),
  );
}

/** Sets the headers of the request's scope, and `x-request-id`, on `reply`. */
export function writeAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const headers = request.server.answerHeaders;
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
  reply.header('x-request-id', request.id);
}

/**
 * Changes the headers that the answers of this scope carry, for instance the content security
 * policy of pages. `undefined` takes a header away. Call it before the scope's routes; scopes
 * inside it inherit the change.
 */
export function answerWith(
  scope: FastifyInstance,
  changes: Record<string, string | undefined>,
): void {
  const headers = new Map<string, string>();
  const current = scope.answerHeaders;
  for (let at = 0; at < current.length; at += 2)
    headers.set(current[at] ?? '', current[at + 1] ?? '');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  scope.answerHeaders = [...headers].flat();
}

/**
 * Keeps the answers of this scope out of every cache (RFC 6749 §5.1), failures too; what they say
 * depends on who asks. Call it before the scope's routes.
 */
export function noStore(scope: FastifyInstance): void {
  answerWith(scope, {
    'cache-control': 'no-store',
    pragma: 'no-cache',
    vary: 'cookie, authorization',
  });
}
