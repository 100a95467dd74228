import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../errors/errors.ts';
import { acceptForms } from '../http/body-parsers.ts';
import { failureOf, sendError, sendProblem } from '../http/error-handler.ts';
import { sendCacheable } from '../http/etag.ts';
import { isNavigation } from '../http/request-origin.ts';
import { answerWith, pagePolicy, scriptedPagePolicy } from '../http/security.ts';
import { varyOn } from '../http/vary.ts';
import { type ErrorPageOptions, errorPageFor } from './error-pages.ts';
import { pageStyle } from './page-style.ts';
import { type Layout, sendPage, stylePath } from './pages.ts';

export interface PagesOptions extends ErrorPageOptions {
  layout: Layout;
  /** Where a 401 leads, by its code. Unset: it is a page as other errors are. */
  signInAt?: (code: string) => string;
  /** Where any problem leads that another page explains better; `undefined` is up to the rest. */
  placeOf?: (problem: Problem, request: FastifyRequest) => string | undefined;
  /**
   * The pages say the same to everybody: each route says how long caches may keep it. Error pages
   * are kept by none.
   */
  isPublic?: boolean;
  /**
   * Who gets errors as pages; where that is browsers, programs get the problem document. A 422 is
   * a page for browsers only.
   */
  errorPages?: 'always' | 'for browsers';
}

const oneYear = 31_536_000;

/**
 * Shows a form again with what is wrong in it, status 422: to browsers. Programs get `error` as
 * everywhere else. Pages with this status come from here and from the error handlers below, so that
 * none is sent to who cannot read it.
 */
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

/** Lets the page that this reply sends have a script. */
export const allowScript = (reply: FastifyReply): FastifyReply =>
  reply.header('content-security-policy', scriptedPagePolicy);

/** Of the headers of a refusal a browser needs one: that its session is over. */
function goTo(
  reply: FastifyReply,
  place: string,
  headers: Record<string, string | string[]>,
): FastifyReply {
  const cleared = headers['set-cookie'];
  return (cleared === undefined ? reply : reply.header('set-cookie', cleared)).redirect(place, 303);
}

/**
 * Says for the reference that errors of this scope are pages. Call it before the scope's routes.
 */
export function documentErrorPages(
  scope: FastifyInstance,
  errorPages: 'always' | 'for browsers',
): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, errorPages };
  });
}

/** An answer that leads to another page, for the reference: when it does. */
export const leadsOn = (when: string) => ({ 303: z.undefined().describe(when) });

/**
 * Makes the routes of this scope pages: with their policy, never kept by a cache unless they are
 * public, errors as pages, form bodies read. Call it before the scope's routes.
 */
export function asPages(scope: FastifyInstance, options: PagesOptions): void {
  const { layout, signInAt, placeOf, isPublic = false, errorPages = 'always' } = options;
  // Without a referrer, browsers call the origin of a form `null`.
  answerWith(scope, { 'content-security-policy': pagePolicy, 'referrer-policy': 'same-origin' });
  documentErrorPages(scope, errorPages);
  acceptForms(scope);
  if (!isPublic) {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      varyOn(reply, 'cookie');
      done();
    });
  }
  scope.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error, request);
    const { problem, headers } = failure;
    const isForBrowsers = errorPages === 'for browsers' || problem.status === 422;
    if (isForBrowsers && !isNavigation(request, reply)) return sendProblem(failure, reply);
    const place =
      placeOf?.(problem, request) ??
      (problem.status === 401 ? signInAt?.(problem.code) : undefined);
    if (place !== undefined) return goTo(reply, place, headers);
    const page = layout(errorPageFor(request, failure, options));
    return sendPage(
      reply.code(problem.status).headers({ ...headers, 'cache-control': 'no-store' }),
      page,
    );
  });
}

const leadsScripts = {
  204: z.undefined().describe('In place of 303, for a request with a proof in its DPoP header.'),
};

/**
 * A script's fetch would repeat its proof at the place that a redirect leads to, where it is wrong
 * (RFC 9449 §4.3): it gets the place, and goes there itself. Call it before the scope's routes: it
 * says so of those that lead on.
 */
export function leadScripts(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const response = route.schema?.response;
    if (typeof response === 'object' && response !== null && '303' in response)
      route.schema = { ...route.schema, response: { ...response, ...leadsScripts } };
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    if (request.headers.dpop === undefined || reply.statusCode !== 303) return payload;
    void reply.code(204).removeHeader('content-length');
    return null;
  });
}

/** The style sheet that all pages need. */
export async function pageAssets(app: FastifyInstance): Promise<void> {
  const style = {
    content: pageStyle,
    type: 'text/css; charset=utf-8',
    cacheControl: `public, max-age=${oneYear}, immutable`,
  };
  app.get(
    stylePath,
    {
      schema: {
        operationId: 'pages.style',
        summary: 'Style sheet of the pages',
        tags: ['pages'],
        hide: true,
      },
    },
    (request, reply) => sendCacheable(request, reply, style),
  );
}
