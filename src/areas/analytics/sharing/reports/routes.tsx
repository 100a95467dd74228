import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Form } from '../../../../platform/ui/components/form.tsx';
import type { Layout, Page } from '../../../../platform/ui/pages.tsx';
import { configurePublicForms } from '../../../../platform/ui/public-forms.ts';
import { addOneClickPages } from '../../../../platform/ui/token-pages.ts';
import { limit } from '../../../../platform/http/limits/rate-limit.ts';
import { texts } from '../../texts/en/unsubscribe.ts';
import type { AnalyticsContext } from '../../compose.ts';

const tags = ['sharing', 'pages'];
// Unsubscribing must work even if Redis is down, hence failOpen.
const config = {
  rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'report-unsubscribe' }),
};
const Done = z.object({ detail: z.string() }).meta({
  id: 'EndedAnalyticsReport',
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

/** Unsubscribing from reports: a page for people, and one click for mail programs (RFC 8058). */
export const reportUnsubscribeRoutes: FastifyPluginAsyncZod<
  Pick<AnalyticsContext, 'reports'> & { layout: Layout }
> = async (app, { reports, layout }) => {
  const back = { href: '/', text: texts.toStart };
  addOneClickPages(app, configurePublicForms(app, { layout, back }), {
    path: '/analytics/reports/unsubscribe',
    config,
    page: {
      operationId: 'analytics.unsubscribe_page',
      summary: 'Report unsubscribe page',
      description:
        'The unsubscribe link in every report opens this page. Only its button unsubscribes.',
      tags,
      show: confirmPage,
    },
    action: {
      operationId: 'analytics.unsubscribe',
      summary: 'Unsubscribe from a report',
      description:
        'Accepts the token from any report email. Repeating the call has no effect. ' +
        'Mail clients send any body to the URL in the header (RFC 8058): with a token in the ' +
        'URL, the body is ignored.',
      tags,
      errors: ['analytics.report_link_invalid'],
      run: (token) => reports.unsubscribe(token),
      done: donePage,
      answer: { detail: 'Unsubscribed.' },
      output: Done,
    },
  });
};
