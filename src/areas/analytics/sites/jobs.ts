import { dayMs } from '../../../lib/durations.ts';
import type { AnalyticsResources } from '../resources.ts';

const dueSignal = 'analytics_retention';

/** Returns the start of the retained time (Unix ms), aligned to UTC days. */
export const retentionStart = (now: number, days: number): number =>
  Math.floor((now - days * dayMs) / dayMs) * dayMs;

/** Deletes expired events of sites once a day, in the event stores of all replicas. */
export function defineRetentionJob({
  queues,
  pipeline: { thread },
  sites,
  bus,
  clock,
  logger,
}: AnalyticsResources) {
  let running: Promise<void> | undefined;

  async function deleteExpired(): Promise<void> {
    for (const { id, key, settings } of sites.list()) {
      const days = settings.retention_days;
      if (days === null) continue;
      const events = await thread.deleteBefore(id, retentionStart(clock.now(), days));
      if (events > 0) logger.info({ site: key, events }, 'expired events of a site were deleted');
    }
  }

  function apply(): Promise<void> {
    running ??= deleteExpired().finally(() => {
      running = undefined;
    });
    return running;
  }

  bus.onSignal(dueSignal, (subject) => {
    if (subject !== undefined)
      apply().catch((err: unknown) =>
        logger.warn({ err }, 'expired events could not be deleted; the next try is tomorrow'),
      );
  });
  return queues.every('analytics-retention', dayMs, async () => {
    // The signal also starts the deletion on this replica; `apply` awaits the same run.
    bus.signal(dueSignal, '');
    await apply();
  });
}
