import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import { attempts } from './handling.ts';
import type { Handling } from './handling.ts';
import { EventJob } from './schemas.ts';
import type { PaymentStore } from './store.ts';

interface Retention {
  queues: Queues;
  store: Pick<PaymentStore, 'deleteOldest'>;
  clock: Clock;
  /** Rows that one statement deletes. Default 1000. */
  batch?: number;
}

const keptDays = 400;

/** Every day: deletes events older than 400 days, as the audit does. */
export function definePaymentRetention({ queues, store, clock, batch = 1000 }: Retention) {
  return queues.defineJob({
    name: 'payments-retention',
    schema: z.strictObject({}),
    options: { every: { ms: dayMs, payload: {} } },
    async process() {
      const before = new Date(clock.now() - keptDays * dayMs);
      let count: number;
      do count = await store.deleteOldest(batch, before);
      while (count === batch);
    },
  });
}

/** One job for each event, and every minute one for the events whose job is missing. Gives the former. */
export function definePaymentJobs(queues: Queues, handling: Handling) {
  queues.defineJob({
    name: 'payments-sweep',
    schema: z.strictObject({}),
    options: { every: { ms: 60_000, payload: {} } },
    process: () => handling.sweep(),
  });
  return queues.defineJob({
    name: 'payments-event',
    schema: EventJob,
    options: { attempts, concurrency: 5 },
    process: ({ id }) => handling.handle(id),
  });
}
