import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { allowCrossOrigin } from '../../platform/http/cross-origin.ts';
import type { Layout } from '../../platform/ui/pages.tsx';
import {
  configurePublicForms,
  HtmlPage,
  jsonOrPage,
  readForm,
  showInvalid,
} from '../../platform/ui/public-forms.ts';
import { addOneClickPages } from '../../platform/ui/token-pages.ts';
import { addScriptRoute } from '../../platform/ui/script-route.ts';
import { loadWebScript } from '../../platform/ui/web-script.ts';
import type { WaitlistContext } from './compose.ts';
import { bodyLimit, limits } from './limits.ts';
import { joined, left } from './operations.ts';
import {
  askedPage,
  closedPage,
  fields,
  joinAgainPage,
  joinPage,
  leavePage,
  leftPage,
} from './pages.tsx';
import { JoinBody, JoinView, LeftView, PageQuery } from './schemas.ts';
import { texts } from './texts/en.ts';

export interface WaitlistPagesOptions extends Pick<WaitlistContext, 'waitlist'> {
  visitorLayout: Layout;
}

const tags = ['waitlist'];
const back = { href: '/waitlist', text: texts.join.back };

/** The form to join. */
export const joinPages: FastifyPluginAsyncZod<WaitlistPagesOptions> = async (
  app,
  { waitlist, visitorLayout },
) => {
  const { show, showOr } = configurePublicForms(app, { layout: visitorLayout, back });

  app.get(
    '/waitlist',
    {
      config: limits.read,
      schema: {
        operationId: 'waitlist.page',
        summary: 'Waitlist page',
        description: 'A form that works without JavaScript.',
        tags: ['pages', ...tags],
        querystring: PageQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => {
      if (!waitlist.isOpen) return show(reply, closedPage);
      // Without the database, people can still join.
      const { total } = await waitlist.figures().catch(() => ({ total: null }));
      return show(reply, joinPage({ referral_code: request.query.ref }, total));
    },
  );

  app.post(
    '/waitlist',
    {
      bodyLimit,
      config: {
        ...limits.join,
        formAgain: showInvalid(fields, (entered, wrong) =>
          visitorLayout(joinAgainPage(entered, wrong)),
        ),
      },
      preValidation: readForm({ required: ['email'], checkboxes: ['consent'] }),
      schema: {
        operationId: 'waitlist.join_by_form',
        summary: 'Form: join the waitlist',
        description: 'Like `waitlist.join`, for the form. The response is always the same.',
        tags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        body: JoinBody,
        errors: ['waitlist.email_not_configured'],
        response: { 200: jsonOrPage(JoinView) },
      },
    },
    async (request, reply) => {
      await waitlist.join(request.body, { address: request.ip, source: 'form' });
      return showOr(request, reply, askedPage, joined);
    },
  );
};

/** Leaving by the link in emails: a page for people, and one click for email clients (RFC 8058). */
export const leavePages: FastifyPluginAsyncZod<WaitlistPagesOptions> = async (
  app,
  { waitlist, visitorLayout },
) => {
  addOneClickPages(app, configurePublicForms(app, { layout: visitorLayout, back }), {
    path: '/waitlist/leave',
    config: limits.leave,
    page: {
      operationId: 'waitlist.leave_page',
      summary: 'Leave the waitlist page',
      description:
        'The link at the end of every email opens this page. Its button deletes the entry.',
      tags: ['pages', ...tags],
      show: leavePage,
    },
    action: {
      operationId: 'waitlist.leave_by_link',
      summary: 'Leave the waitlist by link',
      description:
        'Mail programs send any body to the URL in the header (RFC 8058): with a token in the ' +
        'URL, the body is ignored.',
      tags,
      errors: ['waitlist.link_invalid'],
      run: waitlist.leave,
      done: leftPage,
      answer: left,
      output: LeftView,
    },
  });
};

/**
 * The script with which websites embed the form. It is read once. `webFolder`: the folder of the
 * built browser scripts.
 */
export const embedScript: FastifyPluginAsyncZod<{ webFolder: URL }> = async (
  app,
  { webFolder },
) => {
  const script = await loadWebScript(webFolder, 'waitlist.js');
  allowCrossOrigin(app);
  addScriptRoute(app, {
    path: '/waitlist.js',
    operationId: 'waitlist.script',
    summary: 'Get the waitlist script',
    description:
      'Puts the form into the element with the attribute `data-waitlist`. The website’s ' +
      'origin must be in WAITLIST_ORIGINS. Sets no cookies.',
    tags,
    script,
    maxAgeS: 3600,
  });
};
