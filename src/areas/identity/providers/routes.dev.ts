import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { AuthMount } from '../../../platform/operations/short-path.ts';
import type { Development } from '../../../platform/http/development.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { safeRedirect } from '../../../lib/net/safe-redirect.ts';
import { isNavigation, originOf } from '../../../platform/http/requests/request-origin.ts';
import type { DeviceCookie } from '../devices/recognition/device-cookie.ts';
import type { RequestSignals } from '../devices/recognition/request-context.ts';
import type { DevBypass } from './dev-bypass.ts';
import { DevParams, DevQuery, DevView } from './schemas.ts';

export interface DevRoutesOptions {
  devBypass: DevBypass;
  /** Whether a request may sign in without verification. */
  mayBypass: Development['allows'];
  clock: Clock;
  deviceSignals: RequestSignals;
  deviceCookie: DeviceCookie;
  /** The public origin of the service. */
  baseOrigin: string;
  mount: AuthMount;
}

/**
 * Sign-in without verification. Responds 404 when it is off, and to other machines.
 */
export const devRoutes: FastifyPluginAsyncZod<DevRoutesOptions> = async (
  app,
  { devBypass, mayBypass, clock, deviceSignals, deviceCookie, baseOrigin, mount },
) => {
  app.addHook('onRequest', (request, reply, done) => {
    // A link on a foreign web page must not sign a developer in.
    const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
    if (isForeign || !mayBypass(request)) done(requestErrors.not_found());
    else {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      done();
    }
  });

  app.get(
    mount.at('/api/auth/dev/bypass/:email'),
    {
      exposeHeadRoute: false,
      config: { errorPages: 'for browsers' },
      schema: {
        operationId: mount.named('auth.dev_bypass'),
        summary: 'Sign in without proof (development)',
        tags: ['auth'],
        params: DevParams,
        querystring: DevQuery,
        errors: ['request.not_found', 'users.sign_up_closed'],
        response: {
          200: DevView,
          303: z.undefined().describe('Browser navigation: redirect to `next` or the home page.'),
        },
        description:
          'For local development without an identity provider. Returns 404 everywhere ' +
          'else, and always in production. With `next`, browsers are redirected there ' +
          'and their device is approved.',
      },
    },
    async (request, reply) => {
      const { key, value } = request.params.email;
      const { outcome, user } = await devBypass.signIn(
        { kind: 'email', key, value },
        request.headers.cookie,
        originOf(request, clock.now()),
      );
      if (outcome.mfa !== undefined)
        return { ok: false, user, mfa_required: true as const, mfa_token: outcome.mfa.mfaToken };
      void reply.header('set-cookie', outcome.setCookies);
      if (!isNavigation(request, reply)) return { ok: true, user };
      const { next } = request.query;
      if (next === undefined) return reply.redirect('/', 303);
      const device = await devBypass.clearDevice(outcome.setCookies, deviceSignals.of(request));
      if (device !== undefined) void reply.header('set-cookie', deviceCookie.header(device));
      return reply.redirect(safeRedirect(next, baseOrigin), 303);
    },
  );
};
