import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { queryOfRequest } from '../../../lib/net/query-text.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { configurePageScope } from '../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../platform/ui/pages.tsx';
import type { LinkRequest } from '../../analytics/ingest/link-events.ts';
import type { QrContext } from '../compose.ts';
import { texts } from '../texts/en.ts';
import { continuePage, notYetSentence, passwordPage, previewPage } from './pages.tsx';
import type { ScanOutcome } from './service.ts';

/** What the pages of short links are made with. */
export interface ScanContext extends QrContext {
  visitorLayout: Layout;
}

interface ScanRequest extends LinkRequest {
  params: z.output<typeof Params>;
  query: z.output<typeof Query>;
  raw: { url?: string | undefined };
}

const page = { content: { 'text/html': { schema: z.string() } } };
const errors = ['qr.unknown', 'qr.paused', 'qr.not_yet', 'qr.expired', 'qr.used_up'];

const Params = z.object({
  code: z
    .string()
    .max(64)
    .describe('The short code, case-insensitive.')
    .meta({ examples: ['spring'] }),
});
const Query = z.object({
  qr: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Only in pictures: distinguishes scans from clicks on the short link.')
    .meta({ examples: ['1'] }),
});
const PasswordBody = z.object({
  password: z
    .string()
    .max(256)
    .default('')
    .describe('The password of the code.')
    .meta({ examples: ['open sesame'] }),
});

/** The short links of codes. */
export const scanRoutes: FastifyPluginAsyncZod<ScanContext> = async (app, context) => {
  configurePageScope(app, {
    layout: context.visitorLayout,
    back: undefined,
    errorPages: 'for browsers',
    headings: texts.pages.headings,
    sentences: { ...texts.pages.sentences, 'qr.not_yet': notYetSentence },
  });
  openRoute(app, context);
  passwordRoute(app, context);
};

function openRoute(app: ZodApp, { qr: { scans }, visitorLayout: layout }: ScanContext): void {
  app.get(
    '/q/:code',
    {
      // Many people may scan from behind one address. Without Redis, codes still work.
      config: { quiet: true, rateLimit: limit({ max: 1200, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'qr.open',
        summary: 'Open a QR code',
        description:
          'Redirects to the target once the scan is on disk, with the rest of the query ' +
          'unless the code has `forward_query` off. A code with a password gets a form. ' +
          'Bots and link previews don’t count, and aren’t redirected to the target of a ' +
          'code with a scan limit. At most 1,200 requests a minute from one address.',
        tags: ['qr'],
        params: Params,
        querystring: Query,
        errors,
        response: { 200: page, 302: z.undefined().describe('Redirects to the target.') },
      },
    },
    async (request, reply) => {
      const outcome = await open(request, scans);
      if (outcome.kind === 'redirect') return reply.redirect(outcome.url, 302);
      if (outcome.kind === 'preview') return sendPage(reply, layout(previewPage));
      return sendPage(reply, layout(passwordPage(formPath(request), outcome.isWrong)));
    },
  );
}

function passwordRoute(app: ZodApp, { qr: { scans }, visitorLayout: layout }: ScanContext): void {
  app.post(
    '/q/:code',
    {
      bodyLimit: 4096,
      config: { rateLimit: limit({ max: 30, seconds: 300, group: 'qr-password' }) },
      schema: {
        operationId: 'qr.enter_password',
        summary: 'Enter the password for a QR code',
        description:
          'Returns a page that continues to the target. Ten wrong passwords in a row lock the ' +
          'address out of the code for 15 minutes, then for twice as long. After 300 wrong ' +
          'passwords from all addresses in a day, the code accepts none until the next day.',
        tags: ['qr'],
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        params: Params,
        querystring: Query,
        body: PasswordBody,
        errors: [...errors, 'qr.password_tries', 'qr.password_busy'],
        response: { 200: page, 403: page },
      },
    },
    async (request, reply) => {
      const outcome = await open(request, scans, request.body.password);
      if (outcome.kind === 'redirect') return continueTo(reply, layout, outcome.url);
      if (outcome.kind === 'preview') return sendPage(reply, layout(previewPage));
      return sendPage(reply.code(403), layout(passwordPage(formPath(request), true)));
    },
  );
}

const open = (
  request: ScanRequest,
  scans: QrContext['qr']['scans'],
  password?: string,
): Promise<ScanOutcome> =>
  scans.open(request, request.params.code, {
    isScan: request.query.qr !== undefined,
    query: queryOfRequest(request.raw.url),
    password,
  });

/** The address of the form, with the query: it tells scans from clicks, and is passed on. */
function formPath({ params: { code }, raw: { url } }: ScanRequest): string {
  const query = queryOfRequest(url);
  return `/q/${encodeURIComponent(code)}${query === '' ? '' : `?${query}`}`;
}

/** Redirects by a header: the policy of pages lets no form redirect to another site. */
const continueTo = (reply: FastifyReply, layout: Layout, url: string): FastifyReply =>
  sendPage(
    reply.header('refresh', `0;url=${url}`).header('referrer-policy', 'no-referrer'),
    layout(continuePage(url)),
  );
