import { uuidv7 } from '../../../lib/ids.ts';
import type { Incident } from '../incidents/store.ts';
import type { Span } from '../history/span-store.ts';
import { formatDateTime } from '../../../platform/i18n/dates.ts';
import { formatDuration } from '../../../platform/i18n/durations.ts';
import { texts } from '../texts/en.ts';

interface Interval {
  from: number;
  to: number;
}

/** Returns the parts of the interval outside all of `others`. */
export function subtract(interval: Interval, others: readonly Interval[]): Interval[] {
  return others.reduce<Interval[]>(
    (remaining, other) =>
      remaining.flatMap(({ from, to }) =>
        [
          { from, to: Math.min(to, other.from) },
          { from: Math.max(from, other.to), to },
        ].filter((each) => each.from < each.to),
      ),
    [interval],
  );
}

/** The actual or planned start of maintenance: an admin may start it before the planned time. */
const startOf = ({ scheduledFor, updates }: Incident): number =>
  Math.min(
    scheduledFor ?? 0,
    ...updates
      .filter(({ status }) => status === 'in_progress' || status === 'verifying')
      .map(({ createdAt }) => createdAt),
  );

export interface Downtime {
  incident: Incident;
  spans: Span[];
}

/**
 * Returns the records for an interval (Unix ms) without a running process: a resolved incident, and
 * an outage of each component outside its planned maintenance. Undefined when maintenance covers
 * all of it.
 */
export function downtimeOf(
  { from, to }: Interval,
  componentIds: readonly string[],
  maintenances: readonly Incident[],
  now: number,
): Downtime | undefined {
  const plannedFor = (id: string) =>
    maintenances
      .filter(({ components }) => components.includes(id))
      .map((each) => ({
        from: startOf(each),
        to: Math.min(each.scheduledUntil ?? 0, each.resolvedAt ?? Infinity),
      }));
  const outages = componentIds.flatMap((id) =>
    subtract({ from, to }, plannedFor(id)).map((outage) => ({ id, ...outage })),
  );
  if (outages.length === 0) return undefined;
  const id = uuidv7(now);
  const ids = [...new Set(outages.map((outage) => outage.id))];
  const body = texts.downtime.body({
    from: formatDateTime(from),
    until: formatDateTime(to),
    duration: formatDuration((to - from) / 1000, { long: true }),
  });
  return {
    incident: {
      id,
      kind: 'incident',
      name: texts.downtime.name,
      status: 'resolved',
      impact: 'critical',
      source: 'downtime',
      createdAt: from,
      updatedAt: to,
      resolvedAt: to,
      scheduledFor: null,
      scheduledUntil: null,
      components: ids,
      affected: ids.map((each) => ({ id: each, status: 'major_outage' as const })),
      updates: [{ id: uuidv7(now), status: 'resolved', body, createdAt: to, displayAt: to }],
    },
    spans: outages.map((outage) => ({
      componentId: outage.id,
      status: 'major_outage' as const,
      beganAt: outage.from,
      endedAt: outage.to,
      cause: 'downtime' as const,
      incidentId: id,
    })),
  };
}
