import { dayMs, minuteMs } from '../../lib/durations.ts';
import type { CommsParts } from './compose.ts';

const retentionDays = 30;

/** Defines the daily job that deletes deliveries after 30 days, and settles those without a job. */
export function defineDeliveryCleanup({
  queues,
  store,
  clock,
}: Pick<CommsParts, 'queues' | 'store' | 'clock'>) {
  return queues.every('comms-cleanup', dayMs, async () => {
    const now = clock.now();
    await store.expire(new Date(now - 10 * minuteMs), new Date(now));
    await store.deleteOlderThan(new Date(now - retentionDays * dayMs));
  });
}
