import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
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
import { originOf, type RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
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
  signInPageFlow: SignInPageFlow;
  /** What the pages show, the same for everybody. */
  loginPageOptions: Omit<LoginPageOptions, 'bypass'>;
  guards: Pick<Guards, 'peek'>;
  layout: Layout;
  clock: Clock;
  /** Whether a request may sign in without a proof. */
  mayBypass: Development['allows'];
  /** Addresses that the page then offers. */
  bypassAddresses: readonly string[];
}

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
const createStepSender =
  ({ loginPageOptions, layout, mayBypass, bypassAddresses }: LoginRoutesOptions) =>
  (request: FastifyRequest, reply: FastifyReply, step: Step, notice?: string): FastifyReply => {
    if (step.at === 'done')
      return reply.header('set-cookie', step.setCookies).redirect(step.next, 303);
    if (needsScript(step, loginPageOptions)) allowScript(reply);
    const options = { ...loginPageOptions, bypass: mayBypass(request) ? bypassAddresses : [] };
    const page = () => layout(loginPage(step, options, notice));
    if (step.refusal?.status === 422)
      return sendFormAgain(unreachableError(options.channels), request, reply, page);
    return sendPage(
      reply.code(step.refusal?.status ?? 200).headers(step.refusal?.headers ?? {}),
      page(),
    );
  };

function showPages(app: ZodApp, options: LoginRoutesOptions): void {
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

interface StepForm<B extends z.ZodType> {
  path: `/login${string}`;
  /** The operation id. */
  id: string;
  summary: string;
  limit: { rateLimit: object };
  body: B;
  run: (
    flow: SignInPageFlow,
    body: z.output<B>,
    from: RequestOrigin,
    cookies: string | undefined,
  ) => Promise<Step>;
}

/** A form of one step. It leads to the next one. */
function stepForm<B extends z.ZodType>(form: StepForm<B>): typeof showPages;
function stepForm({ path, id, summary, limit, body, run }: StepForm<z.ZodType>): typeof showPages {
  const schema = { ...formSchema(id, summary), body };
  return (app, options) => {
    const sendStep = createStepSender(options);
    app.post(path, { config: limit, schema }, async (request, reply) => {
      const from = originOf(request, options.clock.now());
      const { body: filled, headers } = request;
      const step = await run(options.signInPageFlow, filled, from, headers.cookie);
      return sendStep(request, reply, step);
    });
  };
}

/** The forms that send a code, and those that complete a sign-in: the code, the second factor. */
const forms = [
  stepForm({
    path: '/login',
    id: 'signInPages.send',
    summary: 'send a code',
    limit: codeLimits.send,
    body: IdentifierForm,
    run: (flow, body, from) => flow.send(body, from),
  }),
  stepForm({
    path: '/login/code',
    id: 'signInPages.code',
    summary: 'sign in with a code',
    limit: codeLimits.verify,
    body: CodeForm,
    run: (flow, body, from, cookies) => flow.enterCode(body, cookies, from),
  }),
  stepForm({
    path: '/login/second-factor',
    id: 'signInPages.second_factor',
    summary: 'the second factor',
    limit: codeLimits.verify,
    body: SecondFactorForm,
    run: (flow, body, from, cookies) => flow.enterSecondFactor(body, cookies, from),
  }),
  stepForm({
    path: '/login/passkey',
    id: 'signInPages.passkey',
    summary: 'a passkey as the second factor',
    limit: codeLimits.verify,
    body: PasskeyFactorForm,
    run: (flow, body, from, cookies) => flow.usePasskey(body, cookies, from),
  }),
];

/** Sign-in by plain pages: the forms carry the state, and only passkeys need a script. */
export const loginRoutes: FastifyPluginAsyncZod<LoginRoutesOptions> = async (app, options) => {
  const back = { href: '/login', text: texts.signIn.back };
  configurePageScope(app, { layout: options.layout, back });
  showPages(app, options);
  for (const add of forms) add(app, options);
};
