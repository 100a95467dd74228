import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { randomSecret } from '../../lib/secrets/secrets.ts';
import { cookieValues, setCookieHeader } from '../../platform/http/cookies.ts';
import type { Problem } from '../../platform/errors/errors.ts';
import { TokenResponse } from '../../platform/identity/claims-schemas.ts';
import { redirectResponse } from '../../platform/ui/page-scope.ts';
import { navigationErrors } from '../../platform/ui/error-pages.tsx';
import { type Layout, sendPage } from '../../platform/ui/pages.tsx';
import { isNavigation, originOf } from '../../platform/http/requests/request-origin.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { allowApps } from '../../platform/http/cross-origin.ts';
import { noStore } from '../../platform/http/security.ts';
import { pagePolicy, scriptedPagePolicy } from '../../platform/http/security.ts';
import type { BrowserOutcome } from '../auth/browser-sign-in.ts';
import type { MfaDue } from '../auth/sign-in.ts';
import { flowLifetimeMs } from './flow.ts';
import {
  CallbackQuery,
  CallbackView,
  CMYKCallbackQuery,
  CMYKGoogleInitRequest,
  CMYKGoogleInitResponse,
  StartQuery,
  StartView,
} from './schemas.ts';
import type { Idp } from './service.ts';
import { texts } from './texts/en.ts';

export interface IdpRoutesOptions {
  idp: Idp;
  clock: Clock;
  /** The public origin of the service. */
  baseOrigin: string;
  layout: Layout;
  secondFactorPage: (due: MfaDue, next: string) => string;
  /** The prefix of operation ids: the routes are mounted twice. */
  operations: string;
}

type Routes = Parameters<FastifyPluginAsyncZod<IdpRoutesOptions>>[0];

const tags = ['auth'];
const browserErrorPages = { errorPages: 'for browsers' as const };
const startLimit = { rateLimit: limit({ max: 60, seconds: 300, group: 'idp-start' }) };
const callbackLimit = { rateLimit: limit({ max: 60, seconds: 300, group: 'idp-callback' }) };
const callbackErrors = [
  'auth.invalid_state',
  'auth.idp_refused',
  'auth.idp_invalid',
  'auth.oauth_not_configured',
  'auth.idp_unavailable',
  'auth.user_disabled',
  'auth.revoked_meanwhile',
  'users.sign_up_closed',
];
const browserForm = /^[\w-]{43}$/;

/**
 * The cookie that binds a flow to its browser. Over https only this host can set a `__Host-`
 * cookie.
 */
function flowCookie(baseOrigin: string) {
  const isHttps = baseOrigin.startsWith('https:');
  const name = isHttps ? '__Host-svc_oauth' : 'svc_oauth';
  return {
    read(request: FastifyRequest): string | undefined {
      const [value, ...others] = cookieValues(request.headers.cookie, name);
      return others.length === 0 && value !== undefined && browserForm.test(value)
        ? value
        : undefined;
    },
    write: (reply: FastifyReply, value: string): FastifyReply =>
      reply.header(
        'set-cookie',
        setCookieHeader(name, value, { isHttps, maxAgeSeconds: flowLifetimeMs / 1000 }),
      ),
  };
}

function toView(outcome: BrowserOutcome, next: string): CallbackView {
  if (outcome.mfa === undefined) return { ok: true, next };
  return {
    ok: false,
    next,
    mfa_required: true,
    mfa_token: outcome.mfa.mfaToken,
    mfa_methods: [...outcome.mfa.methods],
  };
}

/** Redirects to `next`, or sends the second-factor form, because no URL may hold its token. */
function showNext(
  reply: FastifyReply,
  { mfa }: BrowserOutcome,
  next: string,
  secondFactorPage: IdpRoutesOptions['secondFactorPage'],
): FastifyReply {
  if (mfa === undefined) return reply.redirect(next, 303);
  const policy = mfa.methods.includes('passkey') ? scriptedPagePolicy : pagePolicy;
  return sendPage(
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'same-origin' }),
    secondFactorPage(mfa, next),
  );
}

/** Error pages for browsers; a user who cancelled at the provider may sign in another way. */
const browserErrors = ({ layout }: IdpRoutesOptions) =>
  navigationErrors({
    layout,
    back: { href: '/login', text: texts.errors.back },
    placeOf: ({ code, next }: Problem) =>
      code === 'auth.idp_refused'
        ? `/login?reason=idp_refused&next=${encodeURIComponent(String(next))}`
        : undefined,
  });

function startRoute(app: Routes, options: IdpRoutesOptions): void {
  const { idp, clock, baseOrigin, operations } = options;
  const cookie = flowCookie(baseOrigin);
  app.get(
    '/idp/start',
    {
      errorHandler: browserErrors(options),
      config: { ...startLimit, ...browserErrorPages },
      exposeHeadRoute: false,
      schema: {
        operationId: `${operations}.idp_start`,
        summary: 'Start sign-in with the identity provider',
        tags,
        querystring: StartQuery,
        errors: ['auth.oauth_not_configured', 'auth.idp_unavailable'],
        response: {
          200: StartView,
          ...redirectResponse('Browser navigation: redirect to the provider.'),
        },
        description:
          'Browsers are redirected (303); API clients get the URL to open. A cookie ' +
          'binds the sign-in to the browser.',
      },
    },
    async (request, reply) => {
      // Shared by all tabs: a sign-in in one must not break a sign-in in another.
      const browser = cookie.read(request) ?? randomSecret();
      const { url, state, expiresIn } = await idp.start(
        request.query.next,
        browser,
        originOf(request, clock.now()),
      );
      void cookie.write(reply, browser);
      if (isNavigation(request, reply)) return reply.redirect(url, 303);
      return { authorization_url: url, state, expires_in: expiresIn };
    },
  );
}

function callbackRoute(app: Routes, options: IdpRoutesOptions): void {
  const { idp, clock, baseOrigin, operations, secondFactorPage } = options;
  const cookie = flowCookie(baseOrigin);
  app.get(
    '/idp/callback',
    {
      errorHandler: browserErrors(options),
      config: { ...callbackLimit, ...browserErrorPages },
      exposeHeadRoute: false,
      schema: {
        operationId: `${operations}.idp_callback`,
        summary: 'Complete a sign-in with the identity provider',
        tags,
        querystring: CallbackQuery,
        errors: callbackErrors,
        response: {
          200: {
            content: {
              'application/json': { schema: CallbackView },
              'text/html': { schema: z.string() },
            },
          },
          ...redirectResponse('Browser navigation, and no second factor is required.'),
        },
        description:
          'The provider redirects the browser here. Sets the session cookie and ' +
          'redirects browsers to `next` (303), or to the sign-in page if the provider ' +
          'rejected the sign-in. A sign-in started in another browser gets 400 ' +
          '`auth.invalid_state`.',
      },
    },
    async (request, reply) => {
      const { code, state, error, iss } = request.query;
      const returned = { code, state, error, iss, browser: cookie.read(request) };
      const { outcome, next } = await idp.finish(
        returned,
        request.headers.cookie,
        originOf(request, clock.now()),
      );
      if (outcome.mfa === undefined) void reply.header('set-cookie', outcome.setCookies);
      return isNavigation(request, reply)
        ? showNext(reply, outcome, next, secondFactorPage)
        : toView(outcome, next);
    },
  );
}

function initiateRoute(
  app: Routes,
  { idp, clock, baseOrigin, operations }: IdpRoutesOptions,
): void {
  const cookie = flowCookie(baseOrigin);
  app.post(
    '/cmyk/idp/initiate',
    {
      config: startLimit,
      schema: {
        operationId: `${operations}.cmyk_idp_initiate`,
        summary: 'Start a sign-in with the identity provider (bearer tokens)',
        tags,
        description:
          'In a browser, a cookie ties the sign-in to that browser. Native clients send ' +
          '`redirect_uri` and `code_challenge` (S256), and later `code_verifier`.',
        body: CMYKGoogleInitRequest,
        errors: ['auth.oauth_not_configured', 'auth.idp_unavailable'],
        response: { 200: CMYKGoogleInitResponse },
      },
    },
    async (request, reply) => {
      const browser = cookie.read(request) ?? randomSecret();
      const { url, state, expiresIn } = await idp.initiate(
        request.body,
        browser,
        originOf(request, clock.now()),
      );
      if (request.body.redirect_uri === undefined) void cookie.write(reply, browser);
      return { authorization_url: url, state, expires_in: expiresIn, provider: 'idp' as const };
    },
  );
}

function bearerCallbackRoute(
  app: Routes,
  { idp, clock, baseOrigin, operations }: IdpRoutesOptions,
): void {
  const cookie = flowCookie(baseOrigin);
  app.get(
    '/cmyk/idp/callback',
    {
      config: callbackLimit,
      exposeHeadRoute: false,
      schema: {
        operationId: `${operations}.cmyk_idp_callback`,
        summary: 'Complete a sign-in with the identity provider (bearer tokens)',
        tags,
        description:
          'Exchanges `code` and `state` from the provider for tokens. A `state` works ' +
          'once, within ten minutes, and only for the client that started the sign-in.',
        querystring: CMYKCallbackQuery,
        errors: callbackErrors,
        response: { 200: TokenResponse },
      },
    },
    async (request) => {
      const { code, state, iss, code_verifier: verifier } = request.query;
      return idp.finishAsBearer(
        { code, state, iss, verifier, error: undefined, browser: cookie.read(request) },
        originOf(request, clock.now()),
      );
    },
  );
}

const bearerRoutes: FastifyPluginAsyncZod<IdpRoutesOptions> = async (app, options) => {
  allowApps(app);
  initiateRoute(app, options);
  bearerCallbackRoute(app, options);
};

/** Sign-in through the identity provider: every path below `/api/auth` and `/auth`. */
export const idpRoutes: FastifyPluginAsyncZod<IdpRoutesOptions> = async (app, options) => {
  noStore(app);
  startRoute(app, options);
  callbackRoute(app, options);
  await app.register(bearerRoutes, { ...options, prefix: '' });
};
