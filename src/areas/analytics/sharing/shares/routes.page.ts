import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { cookieValues, setCookieHeader } from '../../../../platform/http/cookies.ts';
import { sendCacheable } from '../../../../platform/http/etag.ts';
import { asPages, leadsOn } from '../../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../../platform/ui/pages.ts';
import { guestRequester } from '../../../../platform/http/requester.ts';
import { limit } from '../../../../platform/http/rate-limit.ts';
import { answerWith } from '../../../../platform/http/security.ts';
import { plainQuestionErrors } from '../../figures/question-errors.ts';
import { type SharedDashboardPage, sharePasswordPage } from './share-page.ts';
import { shareStyle, shareStylePath } from './share-page-style.ts';
import { ShareQuery } from './share-query.ts';
import type { OpenedShare, Shares } from './shares.ts';
import { sharingErrors } from '../sharing-errors.ts';

export interface SharePageRoutesOptions {
  shares: Shares;
  sharedDashboard: SharedDashboardPage;
  layout: Layout;
  /** The public origin of the service. */
  baseOrigin: string;
}

/** What a browser keeps of a password that was right. */
export const shareCookie = 'svc_share';

const tags = ['pages', 'analytics'];
const Params = z.object({
  slug: z
    .string()
    .max(128)
    .describe('The secret of the link.')
    .meta({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
});
const PasswordBody = z.object({
  password: z.string().max(256).default('').describe('The password of the link.'),
});
const page = { content: { 'text/html': { schema: z.string() } } };
const oneYear = 31_536_000;
const wrong = 'This is not the password. Try again, or ask whoever gave you the link.';

type Entered = Exclude<OpenedShare, { refused: string }>;

/** Throws where neither figures nor the form are to be seen. */
function admitted(
  opened: OpenedShare,
): Entered | { refused: 'password_needed' | 'password_wrong' } {
  if (!('refused' in opened)) return opened;
  if (opened.refused === 'unknown') throw sharingErrors.share_unknown();
  if (opened.refused !== 'locked') return { refused: opened.refused };
  const seconds = Math.ceil(opened.retryAfterMs / 1000);
  throw sharingErrors.share_tries({
    headers: { 'retry-after': String(seconds) },
    extra: { retry_after: seconds },
  });
}

/** The figures of a site for who has a link to them. */
export const sharePageRoutes: FastifyPluginAsyncZod<SharePageRoutesOptions> = async (
  app,
  { shares, sharedDashboard, layout, baseOrigin },
) => {
  const sentences = {
    'request.validation':
      'This address asks for something that the figures behind this link can not be asked for. Filters take the operators is, is_not, contains and contains_not, and there may be ten of them. Go back to the link that you were given.',
  };
  asPages(app, { layout, back: { href: '/', text: 'Go to the start page' }, sentences });
  // Of a page that is at a secret address nothing is told to where its links lead, nor to who lists
  // pages.
  answerWith(app, { 'x-robots-tag': 'noindex, nofollow' });
  const isHttps = baseOrigin.startsWith('https:');
  const form = (reply: FastifyReply, slug: string, error?: string) =>
    sendPage(reply, layout(sharePasswordPage(`/share/${slug}`, error)));
  const proofOf = (request: FastifyRequest) => ({
    cookies: cookieValues(request.headers.cookie, shareCookie),
    address: request.ip,
  });

  app.get(
    '/share/:slug',
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'share' }) },
      schema: {
        operationId: 'analyticsShares.page',
        summary: 'Page of a share link',
        description:
          'The figures of a site, for who has the link; or a form that asks for the password of the link. Nothing of single persons can be asked for.',
        tags,
        params: Params,
        querystring: ShareQuery,
        errors: ['analytics.share_unknown', ...plainQuestionErrors],
        response: { 200: page },
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const opened = admitted(await shares.openShare(slug, proofOf(request)));
      if ('refused' in opened) return form(reply, slug);
      const text = await sharedDashboard.render({
        siteKey: opened.site,
        name: opened.name,
        query: request.query,
        basePath: `/share/${slug}`,
        by: guestRequester(opened.id, reply),
      });
      return sendPage(reply.header('referrer-policy', 'no-referrer'), text);
    },
  );

  app.post(
    '/share/:slug',
    {
      bodyLimit: 4096,
      config: { rateLimit: limit({ max: 30, seconds: 300, group: 'share-password' }) },
      schema: {
        operationId: 'analyticsShares.enter',
        summary: 'Enter the password of a share link',
        description:
          'Leads to the page, with a cookie that is good for 12 hours. Ten wrong passwords in a row lock a client out of the link for 15 minutes, then for twice as long. After 300 wrong ones of all clients in a day nobody can enter it until the day is over; who has the cookie still can look.',
        tags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        params: Params,
        body: PasswordBody,
        errors: ['analytics.share_unknown', 'analytics.share_tries', 'analytics.share_busy'],
        response: { 403: page, ...leadsOn('The password was right, or there is none.') },
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const opened = admitted(
        await shares.openShare(slug, { ...proofOf(request), password: request.body.password }),
      );
      if ('refused' in opened) return form(reply.code(403), slug, wrong);
      const path = `/share/${slug}`;
      if (opened.cookie !== undefined) {
        const { value, expiresAt } = opened.cookie;
        // For the link alone, so that a browser can have several open.
        void reply.header(
          'set-cookie',
          setCookieHeader(shareCookie, value, { isHttps, expiresAt, path }),
        );
      }
      return reply.redirect(path, 303);
    },
  );

  const style = {
    content: shareStyle,
    type: 'text/css; charset=utf-8',
    cacheControl: `public, max-age=${oneYear}, immutable`,
  };
  app.get(
    shareStylePath,
    {
      schema: {
        operationId: 'pages.share_style',
        summary: 'Style sheet of shared figures',
        tags: ['pages'],
        hide: true,
      },
    },
    (request, reply) => sendCacheable(request, reply, style),
  );
};
