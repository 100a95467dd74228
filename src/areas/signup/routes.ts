import type { FastifyReply, FastifyRequest } from 'fastify';
import { enteredTexts, formToJson } from '../../lib/form-values.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptForms } from '../../platform/http/body-parsers.ts';
import { documentErrorPages, sendFormAgain } from '../../platform/ui/page-scope.ts';
import { navigationErrors } from '../../platform/ui/error-pages.tsx';
import { type SiteLayout, type SitePage, sendPage } from '../../platform/ui/pages.tsx';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { isNavigation } from '../../platform/http/requests/request-origin.ts';
import { answerWith, pagePolicy } from '../../platform/http/security.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { PlanCatalog } from '../payments/plan-catalog.ts';
import {
  askedPage,
  closedPage,
  confirmedPage,
  confirmPage,
  fields,
  signupAgainPage,
  signupPage,
} from './pages.tsx';
import {
  FormQuery,
  SignupAsked,
  SignupBody,
  SignupConfirmed,
  TokenBody,
  TokenQuery,
} from './schemas.ts';
import type { Signups } from './service.ts';
import { texts } from './texts/en.ts';

export interface SignupRoutesOptions {
  signups: Signups;
  /** The plans, for the form. */
  plans: Pick<PlanCatalog, 'nameOf'>;
  siteLayout: SiteLayout;
}

type Show = (reply: FastifyReply, page: SitePage) => FastifyReply;

const tags = ['signup'];
const bodyLimit = 16 * 1024;
const limits = {
  request: { rateLimit: limit({ max: 10, seconds: 600, group: 'signup' }) },
  confirm: { rateLimit: limit({ max: 60, seconds: 300, group: 'signup-confirm' }) },
};
const orPage = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema }, 'text/html': { schema: z.string() } },
});
const page = { 200: { content: { 'text/html': { schema: z.string() } } } };
const requested =
  'If this address has not signed up yet, a message is on its way to it. ' +
  'Follow the link in it within 24 hours.';

const formMembers = { required: ['email'], checkboxes: ['consent'] };

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

function formRoute(
  app: ZodApp,
  { signups, plans, siteLayout }: SignupRoutesOptions,
  show: Show,
): void {
  const { isWaitlist, isByInvitation } = signups;
  const [open, closed] = [
    siteLayout(signupPage({}, plans, isWaitlist)),
    siteLayout(closedPage(isByInvitation)),
  ];

  app.get(
    '/signup',
    {
      schema: {
        operationId: 'signup.page',
        summary: 'Sign-up page',
        description: 'A form that works without JavaScript.',
        tags: ['pages', ...tags],
        querystring: FormQuery,
        response: page,
      },
    },
    async ({ query: { plan, referral_code: code } }, reply) => {
      if (!signups.isOpen) return sendPage(reply, closed);
      return plan === '' && code === ''
        ? sendPage(reply, open)
        : show(reply, signupPage({ plan, referral_code: code }, plans, isWaitlist));
    },
  );
}

function requestRoute(app: ZodApp, { signups }: SignupRoutesOptions, show: Show): void {
  app.post(
    '/signup',
    {
      bodyLimit,
      config: limits.request,
      preValidation: (request, _reply, done) => {
        if (isForm(request)) Reflect.set(request, 'body', formToJson(request.body, formMembers));
        done();
      },
      schema: {
        operationId: 'signup.request',
        summary: 'Sign up',
        description:
          'Accepts JSON or form data. The response is the same for every address. ' +
          'Sends an email with a confirmation link, at most one in ten minutes.',
        tags,
        body: SignupBody,
        errors: ['users.sign_up_closed'],
        response: { 200: orPage(SignupAsked) },
      },
    },
    async (request, reply) => {
      await signups.request(request.body, {
        needsConsent: isForm(request),
        address: request.ip,
      });
      return isNavigation(request, reply)
        ? show(reply, askedPage)
        : reply.send({ detail: requested });
    },
  );
}

function confirmRoutes(app: ZodApp, { signups }: SignupRoutesOptions, show: Show): void {
  app.get(
    '/signup/confirm',
    {
      config: limits.confirm,
      schema: {
        operationId: 'signup.confirm_page',
        summary: 'Address confirmation page',
        description: 'Asks the user to confirm, so that link scanners can’t complete the sign-up.',
        tags: ['pages', ...tags],
        querystring: TokenQuery,
        response: page,
      },
    },
    async (request, reply) => show(reply, confirmPage(request.query.token)),
  );

  app.post(
    '/signup/confirm',
    {
      bodyLimit,
      config: limits.confirm,
      schema: {
        operationId: 'signup.confirm',
        summary: 'Confirm an email address',
        description:
          'Accepts the token from the email, which works once. A confirmed address can ' +
          'sign in with a code.',
        errors: ['signup.link_invalid'],
        tags,
        body: TokenBody,
        response: { 200: orPage(SignupConfirmed) },
      },
    },
    async (request, reply) => {
      await signups.confirm(request.body.token);
      return isNavigation(request, reply)
        ? show(reply, confirmedPage)
        : reply.send({ detail: 'Signed up. Sign in with a code sent to this address.' });
    },
  );
}

/** Shows the form again for invalid fields; other errors become pages for browsers. */
function showErrors(app: ZodApp, { plans, siteLayout: layout }: SignupRoutesOptions): void {
  const showError = navigationErrors({
    layout,
    back: { href: '/signup', text: texts.signUp.back },
    placeOf: () => undefined,
  });
  app.setErrorHandler<Error>((error, request, reply) => {
    const isRequest = request.routeOptions.schema?.operationId === 'signup.request';
    if (!(error instanceof RequestValidationError) || !isForm(request) || !isRequest) {
      showError(error, request, reply);
      return;
    }
    const wrong = fields.filter((name) => error.details.some(({ loc }) => loc[1] === name));
    void sendFormAgain(error, request, reply, () =>
      layout(signupAgainPage(enteredTexts(request.body, fields), { wrong, plans })),
    );
  });
}

/** Signing up by a form, or by JSON. */
export const signupRoutes: FastifyPluginAsyncZod<SignupRoutesOptions> = async (app, options) => {
  answerWith(app, {
    'content-security-policy': pagePolicy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  acceptForms(app);
  documentErrorPages(app, 'for browsers');
  showErrors(app, options);
  const show: Show = (reply, content) => sendPage(reply, options.siteLayout(content));
  formRoute(app, options, show);
  requestRoute(app, options, show);
  confirmRoutes(app, options, show);
};
