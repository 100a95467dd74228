import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import { attempts, type EventHandler } from './event-handler.ts';
import { EventJob } from './schemas.ts';
import type { PaymentStore } from './store.ts';

interface Retention {
  queues: Queues;
  store: Pick<PaymentStore, 'deleteOldest'>;
  clock: Clock;
  /** Rows deleted by one statement. Default 1000. */
  batch?: number;
}

const retentionDays = 400;

/** Daily: deletes events older than 400 days, as the audit log does. */
export function definePaymentRetention({ queues, store, clock, batch = 1000 }: Retention) {
  return queues.defineJob({
    name: 'payments-retention',
    schema: z.strictObject({}),
    options: { every: { ms: dayMs, payload: {} } },
    async process() {
      const before = new Date(clock.now() - retentionDays * dayMs);
      let count: number;
      do count = await store.deleteOldest(batch, before);
      while (count === batch);
    },
  });
}

/** A job for each event, which is returned, and a sweep each minute for events without a job. */
export function definePaymentJobs(queues: Queues, handler: EventHandler) {
  queues.defineJob({
    name: 'payments-sweep',
    schema: z.strictObject({}),
    options: { every: { ms: 60_000, payload: {} } },
    process: () => handler.sweep(),
  });
  return queues.defineJob({
    name: 'payments-event',
    schema: EventJob,
    options: { attempts, concurrency: 5 },
    process: ({ id }) => handler.handle(id),
  });
}
