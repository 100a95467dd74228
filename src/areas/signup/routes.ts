import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptForms } from '../../platform/http/body-parsers.ts';
import { documentErrorPages, sendFormAgain } from '../../platform/ui/page-scope.ts';
import { navigationErrors } from '../../platform/ui/error-pages.ts';
import { type SiteLayout, type SitePage, sendPage } from '../../platform/ui/pages.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { isNavigation } from '../../platform/http/request-origin.ts';
import { answerWith, pagePolicy } from '../../platform/http/security.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import { asJson, shownOf } from './form-body.ts';
import {
  askedPage,
  closedPage,
  confirmedPage,
  confirmPage,
  fields,
  signupAgainPage,
  signupPage,
} from './pages.ts';
import {
  FormQuery,
  SignupAsked,
  SignupBody,
  SignupConfirmed,
  TokenBody,
  TokenQuery,
} from './schemas.ts';
import type { Signups } from './service.ts';

export interface SignupRoutesOptions {
  signups: Signups;
  siteLayout: SiteLayout;
}

type Routes = Parameters<FastifyPluginAsyncZod<SignupRoutesOptions>>[0];
type Show = (reply: FastifyReply, page: SitePage) => FastifyReply;

const tags = ['signup'];
const bodyLimit = 16 * 1024;
const limits = {
  ask: { rateLimit: limit({ max: 10, seconds: 600, group: 'signup' }) },
  confirm: { rateLimit: limit({ max: 60, seconds: 300, group: 'signup-confirm' }) },
};
const orPage = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema }, 'text/html': { schema: z.string() } },
});
const page = { 200: { content: { 'text/html': { schema: z.string() } } } };
const said =
  'If this address has not signed up yet, a message is on its way to it. Follow the link in it within 24 hours.';

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

function asking(app: Routes, { signups, siteLayout }: SignupRoutesOptions, show: Show): void {
  const [open, closed] = [siteLayout(signupPage({})), siteLayout(closedPage)];

  app.get(
    '/',
    {
      schema: {
        operationId: 'signup.page',
        summary: 'Page to sign up',
        description: 'A form; without scripts.',
        tags: ['pages', ...tags],
        querystring: FormQuery,
        response: page,
      },
    },
    async ({ query: { plan, referral_code: code } }, reply) => {
      if (!signups.isOpen) return sendPage(reply, closed);
      return plan === '' && code === ''
        ? sendPage(reply, open)
        : show(reply, signupPage({ plan, referral_code: code }));
    },
  );

  app.post(
    '/',
    {
      bodyLimit,
      config: limits.ask,
      preValidation: (request, _reply, done) => {
        if (isForm(request)) Reflect.set(request, 'body', asJson(request.body));
        done();
      },
      schema: {
        operationId: 'signup.ask',
        summary: 'Sign up',
        description:
          'As JSON, or as the form sends it. The answer is the same for every address. A message is sent to it, at most one in ten minutes, with a link that confirms it.',
        tags,
        body: SignupBody,
        response: { 200: orPage(SignupAsked) },
      },
    },
    async (request, reply) => {
      await signups.ask(request.body, { needsConsent: isForm(request) });
      return isNavigation(request, reply) ? show(reply, askedPage) : reply.send({ detail: said });
    },
  );
}

function confirming(app: Routes, { signups }: SignupRoutesOptions, show: Show): void {
  app.get(
    '/confirm',
    {
      config: limits.confirm,
      schema: {
        operationId: 'signup.confirm_page',
        summary: 'Page to confirm an address',
        description: 'Asks before it confirms: programs that open links change nothing.',
        tags: ['pages', ...tags],
        querystring: TokenQuery,
        response: page,
      },
    },
    async (request, reply) => show(reply, confirmPage(request.query.token)),
  );

  app.post(
    '/confirm',
    {
      bodyLimit,
      config: limits.confirm,
      schema: {
        operationId: 'signup.confirm',
        summary: 'Confirm an address',
        description:
          'With the token of the message, which works once. Who has confirmed an address can sign in with it by a code.',
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
        : reply.send({ detail: 'Signed up. Sign in by a code that is sent to this address.' });
    },
  );
}

/** Signing up: for people by a form, for programs by JSON. */
export const signupRoutes: FastifyPluginAsyncZod<SignupRoutesOptions> = async (app, options) => {
  answerWith(app, {
    'content-security-policy': pagePolicy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  acceptForms(app);
  documentErrorPages(app, 'for browsers');
  const { siteLayout } = options;
  const show: Show = (reply, content) => sendPage(reply, siteLayout(content));
  const otherwise = navigationErrors({
    layout: siteLayout,
    back: { href: '/signup', text: 'Sign up' },
    placeOf: () => undefined,
  });
  app.setErrorHandler<Error>((error, request, reply) => {
    const { operationId } = request.routeOptions.schema ?? {};
    if (
      !(error instanceof RequestValidationError) ||
      !isForm(request) ||
      operationId !== 'signup.ask'
    ) {
      otherwise(error, request, reply);
      return;
    }
    const wrong = fields.filter((name) => error.details.some(({ loc }) => loc[1] === name));
    void sendFormAgain(error, request, reply, () =>
      siteLayout(signupAgainPage(shownOf(request.body), wrong)),
    );
  });
  asking(app, options, show);
  confirming(app, options, show);
};
