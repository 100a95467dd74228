import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Users } from '../identity/users/service.ts';
import { definePaymentRetention } from './jobs.ts';
import type { PlanCatalog } from './plan-catalog.ts';
import { createPayments } from './service.ts';
import { createPaymentStore, type PaymentStore } from './store.ts';

interface PaymentNeeds {
  audit: Audit;
  users: Users;
  plans: PlanCatalog;
}

/** What the service of payments is made from. */
export interface PaymentParts extends Resources, PaymentNeeds {
  store: PaymentStore;
}

/** Events of the payment provider, and the plans that result from them. */
export function composePayments(resources: Resources, needs: PaymentNeeds) {
  const parts = { ...resources, ...needs, store: createPaymentStore(resources.db) };
  definePaymentRetention(parts);
  return { payments: createPayments(parts) };
}

/** What the operations of payments run with. */
export type PaymentContext = ReturnType<typeof composePayments>;
