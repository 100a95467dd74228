import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { noStore } from '../../../platform/http/security.ts';
import { factorResetErrors } from './errors.ts';
import type { FactorResetRoutesOptions } from './routes.ts';
import { FactorResetView } from './schemas.ts';
import { toResetView } from './views.ts';

export interface OwnFactorResetOptions extends FactorResetRoutesOptions {
  clock: Clock;
}

const tags = ['account'];
const config = { rateLimit: limit({ max: 60, seconds: 60 }) };

/** The reset of the own second factors: whoever can sign in with one cancels it. */
export const ownFactorResetRoutes: FastifyPluginAsyncZod<OwnFactorResetOptions> = async (
  app,
  { factorResets, guards, clock },
) => {
  noStore(app);

  app.get(
    '/api/v1/users/me/factor-reset',
    {
      config,
      schema: {
        operationId: 'account.get_factor_reset',
        summary: 'Get the 2FA reset of your account',
        description: 'The open reset, or else the last one.',
        tags,
        errors: ['factor_resets.not_found'],
        response: { 200: FactorResetView },
      },
    },
    async (request) => {
      const reset = await factorResets.latest(guards.sessionOf(request).userId);
      if (reset === undefined) throw factorResetErrors.not_found();
      return toResetView(reset);
    },
  );

  app.delete(
    '/api/v1/users/me/factor-reset',
    {
      config,
      schema: {
        operationId: 'account.cancel_factor_reset',
        summary: 'Cancel the 2FA reset of your account',
        description:
          'Requires a session with the second factor. Without an open reset, the call has no ' +
          'effect.',
        tags,
        errors: ['second_factor.aal2_required', 'users.review_account'],
        response: { 204: z.undefined().describe('No reset is open anymore.') },
      },
    },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      await factorResets.cancelOwn(session, originOf(request, clock.now()));
      return reply.code(204).send();
    },
  );
};
