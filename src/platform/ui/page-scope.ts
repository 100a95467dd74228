import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../errors/errors.ts';
import { acceptForms } from '../http/body-parsers.ts';
import { dropUnwritable } from '../http/header-values.ts';
import { failureOf, sendError, sendProblem } from '../http/error-handler.ts';
import { isNavigation } from '../http/requests/request-origin.ts';
import { changeResponseHeaders, pagePolicy, scriptedPagePolicy } from '../http/security.ts';
import { varyOn } from '../http/vary.ts';
import { type ErrorPageOptions, errorPageFor } from './error-pages.tsx';
import { type Layout, sendPage } from './pages.tsx';

export interface PagesOptions extends ErrorPageOptions {
  layout: Layout;
  /** Returns the redirect target of a 401, by its code. Default: an error page. */
  signInAt?: (code: string) => string;
  /** Returns the path of a page that explains a problem better than an error page. */
  placeOf?: (
    problem: Problem,
    request: FastifyRequest,
  ) => string | undefined | Promise<string | undefined>;
  /**
   * The pages are the same for every visitor, and each route sets `cache-control`. Error pages are
   * never cached.
   */
  isPublic?: boolean;
  /**
   * Which clients get errors as pages. Others get the problem document, as they always do for a
   * 422.
   */
  errorPages?: 'always' | 'for browsers';
}

/** Sends browsers the rejected form again, with status 422. Other clients get `error`. */
export function sendFormAgain(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  page: () => string,
): FastifyReply {
  return isNavigation(request, reply)
    ? sendPage(reply.code(422), page())
    : sendError(error, request, reply);
}

/** Allows the page of this reply to run the service's scripts. */
export const allowScript = (reply: FastifyReply): FastifyReply =>
  reply.header('content-security-policy', scriptedPagePolicy);

/** Redirects, keeping only the `set-cookie` header of the error, which ends the session. */
function redirectAfterError(
  reply: FastifyReply,
  location: string,
  headers: Record<string, string | string[]>,
): FastifyReply {
  const cleared = headers['set-cookie'];
  return (cleared === undefined ? reply : reply.header('set-cookie', cleared)).redirect(
    location,
    303,
  );
}

/** Documents that this scope sends errors as pages. Call it before adding the scope's routes. */
export function documentErrorPages(
  scope: FastifyInstance,
  errorPages: 'always' | 'for browsers',
): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, errorPages };
  });
}

/** The response schema of a redirect. `when` describes it in the API reference. */
export const redirectResponse = (when: string) => ({ 303: z.undefined().describe(when) });

/**
 * Turns the routes of this scope into pages: content security policy, no caching unless public,
 * error pages, form bodies. Call it before adding the scope's routes.
 */
export function configurePageScope(scope: FastifyInstance, options: PagesOptions): void {
  const { layout, signInAt, placeOf, isPublic = false, errorPages = 'always' } = options;
  // With `no-referrer`, browsers would send `Origin: null` with a form.
  changeResponseHeaders(scope, {
    'content-security-policy': pagePolicy,
    'referrer-policy': 'same-origin',
  });
  documentErrorPages(scope, errorPages);
  acceptForms(scope);
  if (!isPublic) {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      varyOn(reply, 'cookie');
      done();
    });
  }
  scope.setErrorHandler(async (error, request, reply) => {
    dropUnwritable(error, request, reply);
    const failure = failureOf(error, request);
    const { problem, headers } = failure;
    const isForBrowsers = errorPages === 'for browsers' || problem.status === 422;
    if (isForBrowsers && !isNavigation(request, reply)) return sendProblem(failure, reply);
    const location =
      (await placeOf?.(problem, request)) ??
      (problem.status === 401 ? signInAt?.(problem.code) : undefined);
    if (location !== undefined) return redirectAfterError(reply, location, headers);
    const page = layout(errorPageFor(request, failure, options));
    return sendPage(
      reply.code(problem.status).headers({ ...headers, 'cache-control': 'no-store' }),
      page,
    );
  });
}

const scriptRedirect = {
  204: z.undefined().describe('Returned in place of 303 for requests with a DPoP header.'),
};

/**
 * Answers scripts that send a DPoP proof with 204 and a `location` instead of a redirect: `fetch`
 * would resend the proof to the target, where it is invalid (RFC 9449 §4.3). Call it before adding
 * the routes.
 */
export function redirectScripts(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const response = route.schema?.response;
    if (typeof response === 'object' && response !== null && '303' in response)
      route.schema = { ...route.schema, response: { ...response, ...scriptRedirect } };
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    if (request.headers.dpop === undefined || reply.statusCode !== 303) return payload;
    void reply.code(204).removeHeader('content-length');
    return null;
  });
}
