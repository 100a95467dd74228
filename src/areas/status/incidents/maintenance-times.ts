import type { Clock } from '../../../lib/clock.ts';
import type { Incident } from './incident-store.ts';
import type { Incidents } from './incidents.ts';

const begun = 'Scheduled maintenance is in progress. We will say here when it is completed.';
const ended = 'The scheduled maintenance is completed.';

/** Begins and ends maintenance whose time has come. `known` is what was read last; each is looked at again before it is changed. */
export async function advance(
  incidents: Pick<Incidents, 'sayBySelf'>,
  clock: Clock,
  known: readonly Incident[],
): Promise<void> {
  const now = clock.now();
  const isPast = (time: number | null): time is number => time !== null && time <= now;
  for (const { id, status, scheduledFor, scheduledUntil } of known.filter(
    ({ kind, resolvedAt }) => kind === 'maintenance' && resolvedAt === null,
  )) {
    if (status === 'scheduled' && isPast(scheduledFor)) {
      // Who moves it into the past does not rewrite the past.
      const at = (before: Incident) => Math.max(before.scheduledFor ?? now, before.updatedAt);
      await incidents.sayBySelf(
        'maintenance',
        id,
        { status: 'in_progress', body: begun },
        { at, onlyIf: (before) => before.status === 'scheduled' && isPast(before.scheduledFor) },
      );
    }
    if (isPast(scheduledUntil)) {
      await incidents.sayBySelf(
        'maintenance',
        id,
        { status: 'completed', body: ended },
        {
          at: (before) => before.scheduledUntil ?? now,
          onlyIf: (before) => before.resolvedAt === null && isPast(before.scheduledUntil),
        },
      );
    }
  }
}
