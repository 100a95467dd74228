import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { requestErrors } from '../../platform/errors.ts';
import { isLocalRequest } from '../../platform/local-request.ts';
import { safeNext } from '../../lib/next.ts';
import { isNavigation, originOf } from '../../platform/request-origin.ts';
import type { DeviceCookie } from '../blackops/device-cookie.ts';
import type { RequestFacts } from '../blackops/request-context.ts';
import type { DevBypass } from './dev-bypass.ts';
import { DevParams, DevQuery, DevView } from './schemas.ts';

export interface DevRoutesOptions {
  devBypass: DevBypass;
  clock: Clock;
  deviceFacts: RequestFacts;
  deviceCookie: DeviceCookie;
  /** The public origin of the service. */
  baseOrigin: string;
  /** What operation ids begin with: the route exists under two prefixes. */
  operations: string;
}

/** Sign-in without a proof. Where it is not open, and for everybody but this machine, the path does not exist. */
export const devRoutes: FastifyPluginAsyncZod<DevRoutesOptions> = async (app, { devBypass, clock, deviceFacts, deviceCookie, baseOrigin, operations }) => {
  if (!devBypass.isOpen) return;

  app.addHook('onRequest', (request, reply, done) => {
    // A link on some web page must not sign a developer in as somebody.
    const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
    if (isForeign || !isLocalRequest(request)) done(requestErrors.not_found());
    else {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      done();
    }
  });

  app.get('/dev/bypass/:email', {
    exposeHeadRoute: false,
    schema: {
      operationId: `${operations}.dev_bypass`, summary: 'Sign in without a proof', tags: ['auth'], hide: true, params: DevParams, querystring: DevQuery, response: { 200: DevView },
      description: 'Development only, from this machine only, while there is no identity provider. A browser with `next` goes there, as a cleared device.',
    },
  }, async (request, reply) => {
    const { key, value } = request.params.email;
    const { outcome, user } = await devBypass.signIn({ kind: 'email', key, value }, request.headers.cookie, originOf(request, clock.now()));
    if (outcome.mfa !== undefined) return { ok: false, user, mfa_required: true as const, mfa_token: outcome.mfa.mfaToken };
    void reply.header('set-cookie', outcome.setCookie);
    if (!isNavigation(request, reply)) return { ok: true, user };
    const { next } = request.query;
    if (next === undefined) return reply.redirect('/', 303);
    const device = await devBypass.clearDevice(outcome.setCookie, deviceFacts.of(request));
    if (device !== undefined) void reply.header('set-cookie', deviceCookie.header(device));
    return reply.redirect(safeNext(next, baseOrigin), 303);
  });
};
