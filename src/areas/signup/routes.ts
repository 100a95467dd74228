import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { enteredTexts } from '../../lib/form-values.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { type SiteLayout, sendPage } from '../../platform/ui/pages.tsx';
import {
  configurePublicForms,
  HtmlPage,
  isForm,
  jsonOrPage,
  readForm,
} from '../../platform/ui/public-forms.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { PlanCatalog } from '../payments/plan-catalog.ts';
import type { SignupContext } from './compose.ts';
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
import { texts } from './texts/en.ts';

export interface SignupPagesOptions {
  /** The plans, for the form. */
  plans: Pick<PlanCatalog, 'nameOf'>;
  siteLayout: SiteLayout;
}

const tags = ['signup'];
const bodyLimit = 16 * 1024;
const limits = {
  request: { rateLimit: limit({ max: 10, seconds: 600, group: 'signup' }) },
  confirm: { rateLimit: limit({ max: 60, seconds: 300, group: 'signup-confirm' }) },
};

/** Signing up by a form, or by JSON. */
export const signupPages: FastifyPluginAsyncZod<
  Pick<SignupContext, 'signups'> & SignupPagesOptions
> = async (app, { signups, plans, siteLayout }) => {
  const { show, showOr } = configurePublicForms(app, {
    layout: siteLayout,
    back: { href: '/signup', text: texts.signUp.back },
  });
  addForm();
  addRequest();
  addConfirmation();

  function addForm(): void {
    const { isWaitlist, isByInvitation } = signups;
    const open = siteLayout(signupPage({}, plans, isWaitlist));
    const closed = siteLayout(closedPage(isByInvitation));

    app.get(
      '/signup',
      {
        schema: {
          operationId: 'signup.page',
          summary: 'Sign-up page',
          description: 'A form that works without JavaScript.',
          tags: ['pages', ...tags],
          querystring: FormQuery,
          response: { 200: HtmlPage },
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

  function formAgain(error: Error, { body }: { body: unknown }): string | undefined {
    if (!(error instanceof RequestValidationError)) return undefined;
    const wrong = fields.filter((name) => error.details.some(({ loc }) => loc[1] === name));
    return siteLayout(signupAgainPage(enteredTexts(body, fields), { wrong, plans }));
  }

  function addRequest(): void {
    app.post(
      '/signup',
      {
        bodyLimit,
        config: { ...limits.request, formAgain },
        preValidation: readForm({ required: ['email'], checkboxes: ['consent'] }),
        schema: {
          operationId: 'signup.request',
          summary: 'Sign up',
          description:
            'Accepts JSON or form data. The response is the same for every address. ' +
            'Sends an email with a confirmation link, at most one in ten minutes.',
          tags,
          body: SignupBody,
          errors: ['users.sign_up_closed'],
          response: { 200: jsonOrPage(SignupAsked) },
        },
      },
      async (request, reply) => {
        const { body, ip: address } = request;
        await signups.request(body, { needsConsent: isForm(request), address });
        return showOr(request, reply, askedPage, {
          detail:
            'If this address has not signed up yet, a message is on its way to it. ' +
            'Follow the link in it within 24 hours.',
        });
      },
    );
  }

  function addConfirmation(): void {
    app.get(
      '/signup/confirm',
      {
        config: limits.confirm,
        schema: {
          operationId: 'signup.confirm_page',
          summary: 'Address confirmation page',
          description:
            'Asks the user to confirm, so that link scanners can’t complete the sign-up.',
          tags: ['pages', ...tags],
          querystring: TokenQuery,
          response: { 200: HtmlPage },
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
          response: { 200: jsonOrPage(SignupConfirmed) },
        },
      },
      async (request, reply) => {
        await signups.confirm(request.body.token);
        return showOr(request, reply, confirmedPage, {
          detail: 'Signed up. Sign in with a code sent to this address.',
        });
      },
    );
  }
};
