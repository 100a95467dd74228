import type { FastifyReply, FastifyRequest } from 'fastify';
import { enteredTexts, formToJson } from '../../lib/form-values.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { acceptForms } from '../../platform/http/body-parsers.ts';
import { isNavigation } from '../../platform/http/requests/request-origin.ts';
import { answerWith, pagePolicy } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { navigationErrors } from '../../platform/ui/error-pages.tsx';
import { documentErrorPages, sendFormAgain } from '../../platform/ui/page-scope.ts';
import { type SiteLayout, type SitePage, sendPage } from '../../platform/ui/pages.tsx';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import { askedPage, closedPage, fields, joinAgainPage, joinPage } from './pages.tsx';
import { bodyLimit, limits, orPage, page, tags } from './routes.options.ts';
import { joined } from './routes.ts';
import { JoinBody, JoinView, PageQuery } from './schemas.ts';
import type { Waitlist } from './service.ts';
import { texts } from './texts/en.ts';

export interface WaitlistPagesOptions {
  waitlist: Waitlist;
  siteLayout: SiteLayout;
}

type Show = (reply: FastifyReply, page: SitePage) => FastifyReply;

const formMembers = { required: ['email'], checkboxes: ['consent'] };

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

function joinRoutes(app: ZodApp, { waitlist }: WaitlistPagesOptions, show: Show): void {
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
        response: page,
      },
    },
    async (request, reply) => {
      if (!waitlist.isOpen) return show(reply, closedPage);
      // Without the database, people can still join.
      const figures = await waitlist.figures().catch(() => ({ total: null, leaders: [] }));
      return show(reply, joinPage({ referral_code: request.query.ref }, figures));
    },
  );

  app.post(
    '/waitlist',
    {
      bodyLimit,
      config: limits.join,
      preValidation: (request, _reply, done) => {
        if (isForm(request)) Reflect.set(request, 'body', formToJson(request.body, formMembers));
        done();
      },
      schema: {
        operationId: 'waitlist.join_by_form',
        summary: 'Join the waitlist by form',
        description: 'Like `waitlist.join`, for the form. The response is always the same.',
        tags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        body: JoinBody,
        errors: ['waitlist.email_not_configured'],
        response: { 200: orPage(JoinView) },
      },
    },
    async (request, reply) => {
      await waitlist.join(request.body, { address: request.ip, source: 'form' });
      return isNavigation(request, reply) ? show(reply, askedPage) : reply.send(joined);
    },
  );
}

/** Shows the form again for invalid fields; other errors become pages for browsers. */
function showErrors(app: ZodApp, layout: SiteLayout): void {
  const showError = navigationErrors({
    layout,
    back: { href: '/waitlist', text: texts.join.back },
    placeOf: () => undefined,
  });
  app.setErrorHandler<Error>((error, request, reply) => {
    const isJoin = request.routeOptions.schema?.operationId === 'waitlist.join_by_form';
    if (!(error instanceof RequestValidationError) || !isForm(request) || !isJoin) {
      showError(error, request, reply);
      return;
    }
    const wrong = fields.filter((name) => error.details.some(({ loc }) => loc[1] === name));
    void sendFormAgain(error, request, reply, () =>
      layout(joinAgainPage(enteredTexts(request.body, fields), wrong)),
    );
  });
}

/** The form to join. */
export const waitlistPages: FastifyPluginAsyncZod<WaitlistPagesOptions> = async (app, options) => {
  answerWith(app, {
    'content-security-policy': pagePolicy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  acceptForms(app);
  documentErrorPages(app, 'for browsers');
  showErrors(app, options.siteLayout);
  const show: Show = (reply, content) => sendPage(reply, options.siteLayout(content));
  joinRoutes(app, options, show);
};
