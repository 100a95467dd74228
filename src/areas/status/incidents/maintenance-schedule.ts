import type { Clock } from '../../../lib/clock.ts';
import type { Incident } from './store.ts';
import type { Maintenances } from './maintenances.ts';

const startText = 'Scheduled maintenance is in progress. We will say here when it is completed.';
const endText = 'The scheduled maintenance is completed.';

/** Starts and completes maintenance that is due. Checks `known` again under a lock. */
export async function runSchedule(
  maintenances: Pick<Maintenances, 'createSystemUpdate'>,
  clock: Clock,
  known: readonly Incident[],
): Promise<void> {
  const now = clock.now();
  const isPast = (time: number | null): time is number => time !== null && time <= now;
  const planned = known.filter((each) => each.kind === 'maintenance' && each.resolvedAt === null);
  for (const { id, status, scheduledFor, scheduledUntil } of planned) {
    if (status === 'scheduled' && isPast(scheduledFor))
      await maintenances.createSystemUpdate(
        id,
        { status: 'in_progress', body: startText },
        {
          // Rescheduling the start into the past must not change recorded history.
          at: (before) => Math.max(before.scheduledFor ?? now, before.updatedAt),
          onlyIf: (before) => before.status === 'scheduled' && isPast(before.scheduledFor),
        },
      );
    if (isPast(scheduledUntil))
      await maintenances.createSystemUpdate(
        id,
        { status: 'completed', body: endText },
        {
          at: (before) => before.scheduledUntil ?? now,
          onlyIf: (before) => before.resolvedAt === null && isPast(before.scheduledUntil),
        },
      );
  }
}
