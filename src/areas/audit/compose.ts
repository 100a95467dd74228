import type { Resources } from '../../platform/resources.ts';
import { defineAuditRetention } from './jobs.ts';
import { createAudit } from './service.ts';
import { createAuditStore } from './store.ts';

/** The audit log and its retention job. */
export function composeAudit({ db, queues, clock, logger }: Resources) {
  const store = createAuditStore(db);
  defineAuditRetention(queues, { store, clock });
  return { audit: createAudit({ store, clock, logger }) };
}
