import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { noStore } from '../../platform/http/security.ts';
import { requireFresh } from '../../platform/identity/freshness.ts';
import { readIdentifier } from './flow.ts';
import { ReopenBody, ReopenedView } from './schemas.ts';
import type { Otp } from './service.ts';

/** Routes of one-time codes for admins. */
export const otpAdminRoutes: FastifyPluginAsyncZod<{
  otp: Pick<Otp, 'reopen'>;
  clock: Clock;
}> = async (app, { otp, clock }) => {
  noStore(app);

  app.post(
    '/reopen',
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'otp.reopen',
        summary: 'Reopen one-time codes',
        tags: ['otp'],
        body: ReopenBody,
        errors: ['auth.step_up_required'],
        response: { 200: ReopenedView },
        description:
          'After 100 wrong codes in a row, codes are turned off for a phone number or ' +
          'address until its user signs in another way or an admin calls this operation. ' +
          'Users must have signed in within the last five minutes.',
      },
    },
    async (request) => {
      requireFresh(requestActor(request), clock.now());
      const { kind, id } = request.principal ?? { kind: 'anonymous' as const, id: undefined };
      const identifier = await readIdentifier(request.body.identifier, request.body.country);
      return {
        ok: true as const,
        reopened: await otp.reopen(identifier, { kind, id }, originOf(request, clock.now())),
      };
    },
  );
};
