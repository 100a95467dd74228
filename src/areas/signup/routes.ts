import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { type SiteLayout, sendPage } from '../../platform/ui/pages.tsx';
import {
  configurePublicForms,
  HtmlPage,
  isForm,
  jsonOrPage,
  readForm,
  showInvalid,
} from '../../platform/ui/public-forms.ts';
import { addTokenPages } from '../../platform/ui/token-pages.ts';
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
  startPage,
} from './pages.tsx';
import { FormQuery, SignupAsked, SignupBody, SignupConfirmed } from './schemas.ts';
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
  const forms = configurePublicForms(app, {
    layout: siteLayout,
    back: { href: '/signup', text: texts.signUp.back },
  });
  addForm();
  addRequest();
  addConfirmation();

  function addForm(): void {
    const { isWaitlist } = signups;
    const open = isWaitlist ? signupPage({}, plans, isWaitlist) : startPage;

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
        if (!signups.isOpen())
          return sendPage(reply, siteLayout(closedPage(signups.isByInvitation())));
        return plan === '' && code === ''
          ? sendPage(reply, siteLayout(open))
          : forms.show(reply, signupPage({ plan, referral_code: code }, plans, isWaitlist));
      },
    );
  }

  function addRequest(): void {
    app.post(
      '/signup',
      {
        bodyLimit,
        config: {
          ...limits.request,
          formAgain: showInvalid(fields, (entered, wrong) =>
            siteLayout(signupAgainPage(entered, { wrong, plans })),
          ),
        },
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
        return forms.showOr(request, reply, askedPage, {
          detail:
            'If this address has not signed up yet, a message is on its way to it. ' +
            'Follow the link in it within 24 hours.',
        });
      },
    );
  }

  function addConfirmation(): void {
    addTokenPages(app, forms, {
      path: '/signup/confirm',
      config: limits.confirm,
      page: {
        operationId: 'signup.confirm_page',
        summary: 'Address confirmation page',
        description: 'Asks the user to confirm, so that link scanners can’t complete the sign-up.',
        tags: ['pages', ...tags],
        show: confirmPage,
      },
      action: {
        operationId: 'signup.confirm',
        summary: 'Confirm an email address',
        description:
          'Accepts the token from the email, which works once. A confirmed address can ' +
          'sign in with a code.',
        tags,
        errors: ['signup.link_invalid'],
        run: signups.confirm,
        done: confirmedPage,
        answer: { detail: 'Signed up. Sign in with a code sent to this address.' },
        output: SignupConfirmed,
      },
    });
  }
};
