import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Users } from '../identity/users/service.ts';
import { createEventHandler } from './event-handler.ts';
import { definePaymentRetention } from './jobs.ts';
import { createPayments } from './service.ts';
import type { PlanCatalog } from './plan-catalog.ts';
import { createPaymentStore } from './store.ts';

/** Events of the payment provider, and the plans that result from them. */
export function composePayments(
  { config, clock, logger, db, queues }: Resources,
  { audit, users, plans }: { audit: Audit; users: Users; plans: PlanCatalog },
) {
  const store = createPaymentStore(db);
  definePaymentRetention({ queues, store, clock });
  return {
    payments: createPayments({
      store,
      handler: createEventHandler({ store, ownerOf: users.ownerOf, plans, clock, logger }),
      queues,
      audit,
      clock,
      logger,
      secrets: config.PAYMENTS_WEBHOOK_SECRET,
    }),
  };
}
