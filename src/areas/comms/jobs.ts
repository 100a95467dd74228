import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { DeliveryStore } from './store.ts';

const retentionDays = 30;

/** Defines the daily job that deletes deliveries after 30 days, and settles those without a job. */
export function defineDeliveryCleanup({
  queues,
  store,
  clock,
}: {
  queues: Queues;
  store: DeliveryStore;
  clock: Clock;
}) {
  return queues.defineJob({
    name: 'comms-cleanup',
    schema: z.strictObject({}),
    options: { every: { ms: dayMs, payload: {} } },
    async process() {
      const now = clock.now();
      await store.expire(new Date(now - 10 * minuteMs), new Date(now));
      await store.deleteOlderThan(new Date(now - retentionDays * dayMs));
    },
  });
}
