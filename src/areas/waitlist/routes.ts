import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { enteredTexts } from '../../lib/form-values.ts';
import { allowCrossOrigin } from '../../platform/http/cross-origin.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { acceptOneClick } from '../../platform/http/one-click.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import {
  configurePublicForms,
  HtmlPage,
  jsonOrPage,
  readForm,
} from '../../platform/ui/public-forms.ts';
import { loadWebScript } from '../../platform/ui/web-script.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
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
import { JoinBody, JoinView, LeftView, PageQuery, TokenBody, TokenQuery } from './schemas.ts';
import { texts } from './texts/en.ts';

export interface WaitlistPagesOptions extends Pick<WaitlistContext, 'waitlist'> {
  siteLayout: SiteLayout;
}

const tags = ['waitlist'];
const back = { href: '/waitlist', text: texts.join.back };

/** The form to join. */
export const joinPages: FastifyPluginAsyncZod<WaitlistPagesOptions> = async (
  app,
  { waitlist, siteLayout },
) => {
  const { show, showOr } = configurePublicForms(app, { layout: siteLayout, back });

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
      const figures = await waitlist.figures().catch(() => ({ total: null, leaders: [] }));
      return show(reply, joinPage({ referral_code: request.query.ref }, figures));
    },
  );

  function formAgain(error: Error, { body }: { body: unknown }): string | undefined {
    if (!(error instanceof RequestValidationError)) return undefined;
    const wrong = fields.filter((name) => error.details.some(({ loc }) => loc[1] === name));
    return siteLayout(joinAgainPage(enteredTexts(body, fields), wrong));
  }

  app.post(
    '/waitlist',
    {
      bodyLimit,
      config: { ...limits.join, formAgain },
      preValidation: readForm({ required: ['email'], checkboxes: ['consent'] }),
      schema: {
        operationId: 'waitlist.join_by_form',
        summary: 'Join the waitlist by form',
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

/** Leaving by the link in emails: a page for people, and one click for mail programs (RFC 8058). */
export const leavePages: FastifyPluginAsyncZod<WaitlistPagesOptions> = async (
  app,
  { waitlist, siteLayout },
) => {
  const { show, showOr } = configurePublicForms(app, { layout: siteLayout, back });
  acceptOneClick(app);

  app.get(
    '/waitlist/leave',
    {
      config: limits.leave,
      schema: {
        operationId: 'waitlist.leave_page',
        summary: 'Page to leave the waitlist',
        description: 'The link at the end of every email opens this page. Its button deletes.',
        tags: ['pages', ...tags],
        querystring: TokenQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => show(reply, leavePage(request.query.token)),
  );

  app.post(
    '/waitlist/leave',
    {
      config: limits.leave,
      schema: {
        operationId: 'waitlist.leave_by_link',
        summary: 'Leave the waitlist by link',
        description:
          'Mail programs send any body to the URL in the header (RFC 8058): with a token in the ' +
          'URL, the body is ignored.',
        tags,
        querystring: TokenQuery,
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: TokenBody.optional(),
        errors: ['waitlist.link_invalid'],
        response: { 200: jsonOrPage(LeftView) },
      },
    },
    async (request, reply) => {
      const given = request.body?.token ?? '';
      await waitlist.leave(given === '' ? request.query.token : given);
      return showOr(request, reply, leftPage, left);
    },
  );
};

const forever = 'public, max-age=31536000, immutable';

/**
 * The script with which websites embed the form. It is read once. `webFolder`: the folder of the
 * built browser scripts.
 */
export const embedScript: FastifyPluginAsyncZod<{ webFolder: URL }> = async (
  app,
  { webFolder },
) => {
  const { text, version } = await loadWebScript(webFolder, 'waitlist.js');
  allowCrossOrigin(app);

  app.get(
    '/waitlist.js',
    {
      schema: {
        operationId: 'waitlist.script',
        summary: 'Get the waitlist script',
        description:
          'Puts the form into the element with the attribute `data-waitlist`. The website’s ' +
          'origin must be in WAITLIST_ORIGINS. Sets no cookies.',
        tags,
        returns: 'The script, minified.',
        response: {
          200: { content: { 'text/javascript': { schema: z.string() } } },
          304: z.undefined().describe('Not modified.'),
        },
      },
    },
    async (request, reply) => {
      const isVersioned = new URLSearchParams(request.url.split('?')[1]).get('v') === version;
      return sendCacheable(request, reply, {
        content: text,
        type: 'text/javascript; charset=utf-8',
        cacheControl: isVersioned ? forever : 'public, max-age=3600',
      });
    },
  );
};
