import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { randomSecret } from '../../../lib/secrets/secrets.ts';
import type { Problem } from '../../../platform/errors/errors.ts';
import { redirectResponse } from '../../../platform/ui/page-scope.ts';
import { navigationErrors } from '../../../platform/ui/error-pages.tsx';
import { type Layout, sendPage } from '../../../platform/ui/pages.tsx';
import { isNavigation, originOf } from '../../../platform/http/requests/request-origin.ts';
import { noStore, pagePolicy, scriptedPagePolicy } from '../../../platform/http/security.ts';
import type { AuthMount } from '../../../platform/operations/short-path.ts';
import type { BrowserOutcome } from '../sign-in/browser-sign-in.ts';
import type { MfaDue } from '../sign-in/service.ts';
import { callbackErrors } from './errors.ts';
import { flowCookie } from './flow-cookie.ts';
import { callbackLimit, type IdpContext, startLimit } from './operations.ts';
import { CallbackQuery, CallbackView, StartQuery, StartView } from './schemas.ts';
import { texts } from './texts/en.ts';

export interface IdpRoutesOptions extends IdpContext {
  layout: Layout;
  secondFactorPage: (due: MfaDue, next: string) => string;
  mount: AuthMount;
}

type Routes = Parameters<FastifyPluginAsyncZod<IdpRoutesOptions>>[0];

const tags = ['auth'];
const browserErrorPages = { errorPages: 'for browsers' as const };
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
  const { idp, clock, baseOrigin, mount } = options;
  const cookie = flowCookie(baseOrigin);
  app.get(
    mount.at('/api/auth/idp/start'),
    {
      errorHandler: browserErrors(options),
      config: { ...startLimit, ...browserErrorPages },
      exposeHeadRoute: false,
      schema: {
        operationId: mount.named('auth.idp_start'),
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
      void reply.header('set-cookie', cookie.header(browser));
      if (isNavigation(request, reply)) return reply.redirect(url, 303);
      return { authorization_url: url, state, expires_in: expiresIn };
    },
  );
}

function callbackRoute(app: Routes, options: IdpRoutesOptions): void {
  const { idp, clock, baseOrigin, mount, secondFactorPage } = options;
  const cookie = flowCookie(baseOrigin);
  app.get(
    mount.at('/api/auth/idp/callback'),
    {
      errorHandler: browserErrors(options),
      config: { ...callbackLimit, ...browserErrorPages },
      exposeHeadRoute: false,
      schema: {
        operationId: mount.named('auth.idp_callback'),
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

/** Sign-in of browsers through the identity provider. */
export const idpRoutes: FastifyPluginAsyncZod<IdpRoutesOptions> = async (app, options) => {
  noStore(app);
  startRoute(app, options);
  callbackRoute(app, options);
};
