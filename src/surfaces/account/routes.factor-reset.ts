import { limit } from '../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { redirectDone } from './redirect-done.ts';
import type { AccountRoutesOptions } from './routes.account.ts';
import { formSchema } from './schemas.ts';

/** Cancels the 2FA reset of the own account. */
export function factorResetForm(
  app: ZodApp,
  { factorResets, guards, clock }: AccountRoutesOptions,
): void {
  app.post(
    '/account/factor-reset/cancel',
    {
      config: { rateLimit: limit({ max: 20, seconds: 300 }) },
      schema: formSchema('account.cancel_own_factor_reset', 'cancel the 2FA reset'),
    },
    async (request, reply) => {
      await factorResets.cancelOwn(guards.sessionOf(request), originOf(request, clock.now()));
      return redirectDone(reply, 'reset_canceled');
    },
  );
}
