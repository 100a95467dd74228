import { dayMs, minuteMs } from '../../lib/durations.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { PaymentParts } from './compose.ts';
import { attempts, type EventHandler } from './event-handler.ts';
import { EventJob } from './schemas.ts';

const retentionDays = 400;

/** Defines the daily job that deletes events older than 400 days, like the audit log. */
export function definePaymentRetention(
  { queues, store, clock }: Pick<PaymentParts, 'queues' | 'store' | 'clock'>,
  rowsPerStatement = 1000,
) {
  return queues.every('payments-retention', dayMs, async () => {
    const before = new Date(clock.now() - retentionDays * dayMs);
    let count: number;
    do count = await store.deleteOldest(rowsPerStatement, before);
    while (count === rowsPerStatement);
  });
}

/** Defines the job that handles an event, and a sweep per minute for events without a job. */
export function definePaymentJobs(queues: Queues, handler: EventHandler) {
  queues.every('payments-sweep', minuteMs, () => handler.sweep());
  return queues.defineJob({
    name: 'payments-event',
    schema: EventJob,
    options: { attempts, concurrency: 5 },
    process: ({ id }) => handler.handle(id),
  });
}
