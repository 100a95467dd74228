import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import type { Development } from '../../platform/http/development.ts';
import {
  allowScript,
  configurePageScope,
  redirectResponse,
  sendFormAgain,
} from '../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../platform/ui/pages.tsx';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { Idp } from '../../areas/identity/providers/service.ts';
import type { Passkeys } from '../../areas/identity/factors/passkeys/service.ts';
import type { Signups } from '../../areas/signup/service.ts';
import type { SignInPageFlow, Step } from './flow.ts';
import { type Channels, identifierTexts } from './identifier-texts.ts';
import { loginPage, type LoginPageOptions, needsScript } from './login-pages.tsx';
import {
  CodeForm,
  formSchema,
  HtmlPage,
  IdentifierForm,
  LoginQuery,
  PasskeyFactorForm,
  SecondFactorForm,
} from './schemas.ts';
import { texts } from './texts/en.ts';

export interface LoginRoutesOptions {
  appName: string;
  signInPageFlow: SignInPageFlow;
  guards: Pick<Guards, 'peek'>;
  idp: Pick<Idp, 'isConfigured'>;
  channels: Channels;
  passkeys: Pick<Passkeys, 'origin'>;
  signups: Pick<Signups, 'isOpen'>;
  /** Whom to ask for help; undefined: an admin. */
  contactEmail: string | undefined;
  layout: Layout;
  clock: Clock;
  /** Lifetime of a code, in ms. */
  codeLifetimeMs: number;
  /** Whether a request may sign in without a proof. */
  mayBypass: Development['allows'];
  /** Addresses that the page then offers. */
  bypassAddresses: readonly string[];
}

type Routes = Parameters<FastifyPluginAsyncZod<LoginRoutesOptions>>[0];

const tags = ['pages'];
const pages = {
  '/login': 'login',
  '/signin': 'signin',
  '/api/auth/cmyk': 'authentication',
  '/auth/cmyk': 'authentication_short',
};

/** The error for an identifier that cannot receive a code. */
const unreachableError = (channels: Channels) =>
  new RequestValidationError([
    valueError(
      ['body', 'identifier'],
      identifierTexts(channels)?.error ?? texts.identifier.noChannel,
    ),
  ]);

/** Creates the function that sends the page of a step, or redirects after the last one. */
function createStepSender({
  appName,
  signups,
  layout,
  idp,
  channels,
  passkeys,
  contactEmail,
  codeLifetimeMs,
  mayBypass,
  bypassAddresses,
}: LoginRoutesOptions) {
  const fixed: Omit<LoginPageOptions, 'bypass'> = {
    appName,
    hasSignup: signups.isOpen,
    hasProvider: idp.isConfigured,
    channels,
    codeMinutes: Math.round(codeLifetimeMs / 60_000),
    passkeyOrigin: passkeys.origin,
    contactEmail,
  };
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    step: Step,
    notice?: string,
  ): FastifyReply => {
    if (step.at === 'done')
      return reply.header('set-cookie', step.setCookies).redirect(step.next, 303);
    if (needsScript(step, fixed)) allowScript(reply);
    const options = { ...fixed, bypass: mayBypass(request) ? bypassAddresses : [] };
    const page = () => layout(loginPage(step, options, notice));
    if (step.refusal?.status === 422)
      return sendFormAgain(unreachableError(channels), request, reply, page);
    return sendPage(
      reply.code(step.refusal?.status ?? 200).headers(step.refusal?.headers ?? {}),
      page(),
    );
  };
}

function showPages(app: Routes, options: LoginRoutesOptions): void {
  const { signInPageFlow, guards } = options;
  const sendStep = createStepSender(options);
  for (const [path, name] of Object.entries(pages)) {
    app.get(
      path,
      {
        schema: {
          operationId: `signInPages.${name}`,
          summary: 'Sign-in page',
          description: 'Redirects signed-in users to `next` (303).',
          tags,
          querystring: LoginQuery,
          response: {
            200: HtmlPage,
            ...redirectResponse('Already signed in: redirect to `next`.'),
          },
        },
      },
      async (request, reply) => {
        const { next: wanted, reason, done } = request.query;
        const next = signInPageFlow.nextOf(wanted);
        const principal = reason === undefined ? await guards.peek(request) : undefined;
        if (principal?.kind === 'user') return reply.redirect(next, 303);
        return sendStep(request, reply, { at: 'identifier', identifier: '', next }, reason ?? done);
      },
    );
  }
}

function sendForm(app: Routes, options: LoginRoutesOptions): void {
  const { signInPageFlow, clock } = options;
  const sendStep = createStepSender(options);
  app.post(
    '/login',
    {
      config: codeLimits.send,
      schema: { ...formSchema('signInPages.send', 'send a code'), body: IdentifierForm },
    },
    async (request, reply) => {
      const from = originOf(request, clock.now());
      return sendStep(request, reply, await signInPageFlow.send(request.body, from));
    },
  );
}

/** The forms that complete a sign-in: the code, then the second factor. */
function proofForms(app: Routes, options: LoginRoutesOptions): void {
  const { signInPageFlow, clock } = options;
  const sendStep = createStepSender(options);
  const config = codeLimits.verify;

  app.post(
    '/login/code',
    {
      config,
      schema: { ...formSchema('signInPages.code', 'sign in with a code'), body: CodeForm },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const from = originOf(request, clock.now());
      return sendStep(request, reply, await signInPageFlow.enterCode(body, headers.cookie, from));
    },
  );

  app.post(
    '/login/second-factor',
    {
      config,
      schema: {
        ...formSchema('signInPages.second_factor', 'the second factor'),
        body: SecondFactorForm,
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const from = originOf(request, clock.now());
      const step = await signInPageFlow.enterSecondFactor(body, headers.cookie, from);
      return sendStep(request, reply, step);
    },
  );

  app.post(
    '/login/passkey',
    {
      config,
      schema: {
        ...formSchema('signInPages.passkey', 'a passkey as the second factor'),
        body: PasskeyFactorForm,
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const from = originOf(request, clock.now());
      return sendStep(request, reply, await signInPageFlow.usePasskey(body, headers.cookie, from));
    },
  );
}

/** Sign-in by plain pages: the forms carry the state, and only passkeys need a script. */
export const loginRoutes: FastifyPluginAsyncZod<LoginRoutesOptions> = async (app, options) => {
  const back = { href: '/login', text: texts.signIn.back };
  configurePageScope(app, { layout: options.layout, back });
  showPages(app, options);
  sendForm(app, options);
  proofForms(app, options);
};
