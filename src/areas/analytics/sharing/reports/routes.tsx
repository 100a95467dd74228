import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptForms } from '../../../../platform/http/body-parsers.ts';
import { acceptOneClick } from '../../../../platform/http/one-click.ts';
import { Form } from '../../../../platform/ui/components/form.tsx';
import { documentErrorPages } from '../../../../platform/ui/page-scope.ts';
import { navigationErrors } from '../../../../platform/ui/error-pages.tsx';
import { type Layout, type Page, sendPage } from '../../../../platform/ui/pages.tsx';
import { limit } from '../../../../platform/http/limits/rate-limit.ts';
import { isNavigation } from '../../../../platform/http/requests/request-origin.ts';
import { answerWith, pagePolicy } from '../../../../platform/http/security.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { texts } from '../../texts/en/unsubscribe.ts';
import type { AnalyticsContext } from '../../compose.ts';

type ReportUnsubscribeOptions = Pick<AnalyticsContext, 'reports'> & { layout: Layout };

const tags = ['sharing', 'pages'];
// Unsubscribing must work even if Redis is down, hence failOpen.
const config = {
  rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'report-unsubscribe' }),
};
const token = z
  .string()
  .max(256)
  .default('')
  .meta({ examples: ['k3Jx9Qw2LmT7'] });
const TokenQuery = z.object({ token });
const TokenBody = z.object({
  token: token.meta({
    description: 'Token from the link. Can be sent in the query instead.',
  }),
});
const Done = z.object({ detail: z.string() }).meta({
  id: 'AnalyticsReportEnded',
  description: 'The address no longer receives this report.',
  examples: [{ detail: 'Unsubscribed.' }],
});

const head = <meta name="robots" content="noindex" />;
/** Opening the link must not unsubscribe, since mail scanners follow links. */
const confirmPage = (given: string): Page => ({
  title: texts.title,
  head,
  body: (
    <>
      <p safe>{texts.question}</p>
      <Form
        action="/analytics/reports/unsubscribe"
        values={{ token: given }}
        submit={{ label: texts.button }}
      />
    </>
  ),
});
const donePage: Page = {
  title: texts.doneTitle,
  head,
  body: <p safe>{texts.done}</p>,
};

function unsubscribePage(app: ZodApp, { layout }: ReportUnsubscribeOptions): void {
  app.get(
    '/analytics/reports/unsubscribe',
    {
      config,
      schema: {
        operationId: 'analytics.unsubscribe_page',
        summary: 'Report unsubscribe page',
        description:
          'The unsubscribe link in every report opens this page. Only its button unsubscribes.',
        tags,
        querystring: TokenQuery,
        response: { 200: { content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async (request, reply) => sendPage(reply, layout(confirmPage(request.query.token))),
  );
}

function unsubscribe(app: ZodApp, { reports, layout }: ReportUnsubscribeOptions): void {
  app.post(
    '/analytics/reports/unsubscribe',
    {
      config,
      schema: {
        operationId: 'analytics.unsubscribe',
        summary: 'Unsubscribe from a report',
        description:
          'Accepts the token from any report email. Repeating the call has no effect. ' +
          'Mail clients send any body to the URL in the header (RFC 8058): with a token in the ' +
          'URL, the body is ignored.',
        tags,
        querystring: TokenQuery,
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: TokenBody.optional(),
        errors: ['analytics.report_link_invalid'],
        response: {
          200: {
            content: { 'application/json': { schema: Done }, 'text/html': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      const given = request.body?.token ?? '';
      await reports.unsubscribe(given === '' ? request.query.token : given);
      return isNavigation(request, reply)
        ? sendPage(reply, layout(donePage))
        : reply.send({ detail: 'Unsubscribed.' });
    },
  );
}

/** Unsubscribing from reports: a page for people, and one click for mail programs (RFC 8058). */
export const reportUnsubscribeRoutes: FastifyPluginAsyncZod<ReportUnsubscribeOptions> = async (
  app,
  options,
) => {
  answerWith(app, {
    'content-security-policy': pagePolicy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  acceptForms(app);
  acceptOneClick(app);
  documentErrorPages(app, 'for browsers');
  app.setErrorHandler(
    navigationErrors({
      layout: options.layout,
      back: { href: '/', text: texts.toStart },
      placeOf: () => undefined,
    }),
  );
  unsubscribePage(app, options);
  unsubscribe(app, options);
};
