import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of every response in this scope, as a flat list of names and values. */
    responseHeaders: readonly string[];
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
 * The content security policy of HTML pages: files of this origin only, nothing inline, no scripts,
 * no framing. The pages make no requests; `connect-src` is for Lighthouse, which reads /robots.txt
 * from within the page.
 */
export const pagePolicy = `default-src 'none'; ${pageFiles}; connect-src 'self'; ${pageEnds}`;

/** The policy of pages with scripts: scripts of this origin, which may call this origin. */
export const scriptedPagePolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; " + `${pageFiles}; ${pageEnds}`;

const oneYear = 31_536_000;

function transportHeaders(config: Config): Record<string, string> {
  const isHttps = config.BASE_URL?.startsWith('https:') === true;
  return isHttps ? { 'strict-transport-security': `max-age=${oneYear}; includeSubDomains` } : {};
}

/** Sets the headers of every response, including errors. */
export function registerSecurityHeaders(app: FastifyInstance, config: Config): void {
  app.decorate(
    'responseHeaders',
    Object.entries({ ...jsonHeaders, ...transportHeaders(config) }).flat(),
  );
}

/** Writes the headers of the request's scope, and `x-request-id`, to `reply`. */
export function writeResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const headers = request.server.responseHeaders;
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
  reply.header('x-request-id', request.id);
}

/**
 * Changes the headers of this scope's responses, such as the content security policy of pages.
 * `undefined` removes a header. Call it before adding the scope's routes. Nested scopes inherit the
 * change.
 */
export function changeResponseHeaders(
  scope: FastifyInstance,
  changes: Record<string, string | undefined>,
): void {
  const headers = new Map<string, string>();
  const current = scope.responseHeaders;
  for (let at = 0; at < current.length; at += 2)
    headers.set(current[at] ?? '', current[at + 1] ?? '');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  scope.responseHeaders = [...headers].flat();
}

/**
 * Keeps the responses of this scope, including errors, out of every cache (RFC 6749 §5.1), because
 * they depend on the caller. Call it before adding the scope's routes.
 */
export function noStore(scope: FastifyInstance): void {
  changeResponseHeaders(scope, {
    'cache-control': 'no-store',
    pragma: 'no-cache',
    vary: 'cookie, authorization',
  });
}
