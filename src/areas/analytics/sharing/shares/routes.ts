import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { cookieValues, setCookieHeader } from '../../../../platform/http/cookies.ts';
import {
  allowScript,
  configurePageScope,
  redirectResponse,
} from '../../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../../platform/ui/pages.tsx';
import { guestRequester } from '../../../../platform/http/requests/requester.ts';
import { limit } from '../../../../platform/http/limits/rate-limit.ts';
import { changeResponseHeaders } from '../../../../platform/http/security.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { retryAfter } from '../../../../platform/errors/errors.ts';
import type { Resources } from '../../../../platform/resources.ts';
import type { AnalyticsContext } from '../../compose.ts';
import { plainQueryErrors } from '../../errors.ts';
import { type SharedFigures, sharePage, sharePasswordPage } from './page.tsx';
import { ShareQuery } from './schemas.ts';
import type { OpenedShare, ShareCredentials } from './share-opener.ts';
import { texts } from '../../texts/en/share-page.ts';
import { sharingErrors } from '../errors.ts';

type SharePageRoutesOptions = Pick<AnalyticsContext, 'shares'> &
  SharedFigures &
  Pick<Resources, 'clock' | 'baseOrigin'> & { layout: Layout };

/** Cookie that proves that the password was entered. */
const shareCookie = 'svc_share';

const tags = ['pages', 'sharing'];
const Params = z.object({
  slug: z
    .string()
    .max(128)
    .describe('The secret from the share link.')
    .meta({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
});
const PasswordBody = z.object({
  password: z
    .string()
    .max(256)
    .default('')
    .describe('The password for the link.')
    .meta({ examples: ['correct horse battery'] }),
});
const page = { content: { 'text/html': { schema: z.string() } } };

/** Returns the opened share, or that a password is needed. Throws for other rejections. */
function requireAccessible(
  opened: OpenedShare,
): Exclude<OpenedShare, { refused: 'unknown' | 'locked' }> {
  if (!('refused' in opened)) return opened;
  if (opened.refused === 'unknown') throw sharingErrors.share_unknown();
  if (opened.refused !== 'locked') return { refused: opened.refused };
  throw sharingErrors.share_tries(retryAfter(Math.ceil(opened.retryAfterMs / 1000)));
}

const sharePath = (slug: string): string => `/share/${slug}`;

const readCredentials = (request: FastifyRequest): ShareCredentials => ({
  cookies: cookieValues(request.headers.cookie, shareCookie),
  address: request.ip,
});

function showShare(
  app: ZodApp,
  { shares, dashboards, goals, clock, layout }: SharePageRoutesOptions,
): void {
  app.get(
    '/share/:slug',
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'share' }) },
      schema: {
        operationId: 'analytics.share_page',
        summary: 'Shared analytics page',
        description:
          'The figures of the site, or a password form. Gives no access to data about ' +
          'individuals.',
        tags,
        params: Params,
        querystring: ShareQuery,
        errors: ['analytics.share_unknown', ...plainQueryErrors],
        response: { 200: page },
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const basePath = sharePath(slug);
      const opened = requireAccessible(await shares.openShare(slug, readCredentials(request)));
      if ('refused' in opened) return sendPage(reply, layout(sharePasswordPage(basePath)));
      const { id, site, name } = opened;
      const shown = { site, name, query: request.query, basePath, now: clock.now() };
      const figures = await sharePage({ dashboards, goals }, shown, guestRequester(id, reply));
      reply.header('referrer-policy', 'no-referrer');
      return sendPage(allowScript(reply), layout(figures));
    },
  );
}

function enterPassword(app: ZodApp, { shares, layout, baseOrigin }: SharePageRoutesOptions): void {
  const isHttps = baseOrigin.startsWith('https:');
  app.post(
    '/share/:slug',
    {
      bodyLimit: 4096,
      config: { rateLimit: limit({ max: 30, seconds: 300, group: 'share-password' }) },
      schema: {
        operationId: 'analytics.enter_share',
        summary: 'Enter the password for a share link',
        description:
          'Redirects to the page, with a cookie valid for 12 hours. Ten wrong ' +
          'passwords in a row lock the client out of the link for 15 minutes, then for ' +
          'twice as long. After 300 wrong passwords from all clients in a day, the ' +
          'link accepts no password until the next day; existing cookies keep working.',
        tags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        params: Params,
        body: PasswordBody,
        errors: ['analytics.share_unknown', 'analytics.share_tries', 'analytics.share_busy'],
        response: {
          403: page,
          ...redirectResponse('The password is correct, or the link has none.'),
        },
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const { password } = request.body;
      const path = sharePath(slug);
      const opened = requireAccessible(
        await shares.openShare(slug, { ...readCredentials(request), password }),
      );
      if ('refused' in opened)
        return sendPage(reply.code(403), layout(sharePasswordPage(path, texts.password.wrong)));
      if (opened.cookie !== undefined) {
        const { value, expiresAt } = opened.cookie;
        // Scoped to the path of the link, so that a browser can have several links open.
        const cookie = setCookieHeader(shareCookie, value, { isHttps, expiresAt, path });
        void reply.header('set-cookie', cookie);
      }
      return reply.redirect(path, 303);
    },
  );
}

/** Pages of share links. */
export const sharePageRoutes: FastifyPluginAsyncZod<SharePageRoutesOptions> = async (
  app,
  options,
) => {
  configurePageScope(app, {
    layout: options.layout,
    back: { href: '/', text: texts.toStart },
    sentences: { 'request.validation': texts.badQuery },
  });
  // Keeps secret addresses out of search engines.
  changeResponseHeaders(app, { 'x-robots-tag': 'noindex, nofollow' });
  showShare(app, options);
  enterPassword(app, options);
};
