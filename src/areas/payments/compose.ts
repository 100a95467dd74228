import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Users } from '../users/service.ts';
import { createHandling } from './handling.ts';
import { definePaymentRetention } from './jobs.ts';
import { createPayments } from './service.ts';
import { createPaymentStore } from './store.ts';

/** What the payment provider reports, and the plans that follow from it. */
export function composePayments(
  { config, clock, logger, db, queues }: Resources,
  { audit, users }: { audit: Audit; users: Users },
) {
  const store = createPaymentStore(db);
  definePaymentRetention({ queues, store, clock });
  return {
    payments: createPayments({
      store,
      handling: createHandling({ store, ownerOf: users.ownerOf, clock, logger }),
      queues,
      audit,
      clock,
      logger,
      secrets: config.PAYMENTS_WEBHOOK_SECRET,
    }),
  };
}
