import type { ComponentStatus, DayState } from '../model.ts';
import { dayMs } from '../../../lib/durations.ts';

const order = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const satisfies readonly ComponentStatus[];
type Trouble = Exclude<ComponentStatus, 'operational'>;

const rankOf = (status: ComponentStatus): number => order.indexOf(status);

/** Returns the worse of two statuses. Planned maintenance is better than any unplanned problem. */
export const worse = (a: ComponentStatus, b: ComponentStatus): ComponentStatus =>
  rankOf(a) >= rankOf(b) ? a : b;

/** A period in which a component was not operational. Unix ms; `endedAt` is null while it lasts. */
export interface StatusInterval {
  status: ComponentStatus;
  beganAt: number;
  endedAt: number | null;
}

interface Segment {
  status: Trouble;
  from: number;
  to: number;
}

const isTrouble = (status: ComponentStatus): status is Trouble => status !== 'operational';

/** Splits a period into segments of one status each; the worst wins where intervals overlap. */
function toSegments(intervals: readonly StatusInterval[], from: number, to: number): Segment[] {
  const boundaries = intervals
    .flatMap(({ status, beganAt, endedAt }) => {
      const [begin, end] = [Math.max(beganAt, from), Math.min(endedAt ?? to, to)];
      return begin < end && isTrouble(status)
        ? [
            { at: begin, status, by: 1 },
            { at: end, status, by: -1 },
          ]
        : [];
    })
    .sort((a, b) => a.at - b.at);
  const open = order.map(() => 0);
  const segments: Segment[] = [];
  boundaries.forEach(({ at, status, by }, index) => {
    open[rankOf(status)] = (open[rankOf(status)] ?? 0) + by;
    const next = boundaries[index + 1]?.at ?? at;
    const worst = order[open.findLastIndex((count) => count > 0)];
    if (worst !== undefined && isTrouble(worst) && next > at)
      segments.push({ status: worst, from: at, to: next });
  });
  return segments;
}

const dayName = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** The first millisecond of the last `count` days (UTC), including the day of `now`. */
export const startOfDays = (now: number, count: number): number =>
  (Math.floor(now / dayMs) - count + 1) * dayMs;

/**
 * Returns the last `count` days (UTC) of a component, oldest first; the last one is the day of
 * `now`, up to `now`. Days that ended before `createdAt` have no data. All times are Unix ms.
 */
export function daysOf({
  intervals,
  createdAt,
  now,
  count = 90,
}: {
  intervals: readonly StatusInterval[];
  createdAt: number;
  now: number;
  count?: number;
}): DayState[] {
  const first = startOfDays(now, count) / dayMs;
  const days = Array.from({ length: count }, (_, index): DayState => {
    const isBefore = (first + index + 1) * dayMs <= createdAt;
    return { day: dayName(first + index), worst: isBefore ? 'no_data' : 'operational', ms: {} };
  });
  for (const { status, from, to } of toSegments(
    intervals,
    Math.max(first * dayMs, createdAt),
    now,
  )) {
    for (let day = Math.floor(from / dayMs); day * dayMs < to; day += 1) {
      const state = days[day - first];
      if (state === undefined) continue;
      state.ms[status] =
        (state.ms[status] ?? 0) + Math.min(to, (day + 1) * dayMs) - Math.max(from, day * dayMs);
      state.worst = worse(status, state.worst === 'no_data' ? status : state.worst);
    }
  }
  return days;
}

/** Weight of each status as downtime. */
const weight: Readonly<Record<Trouble, number>> = {
  major_outage: 1,
  partial_outage: 0.3,
  degraded_performance: 0,
  under_maintenance: 0,
};

/**
 * Returns the uptime in percent over `days`, from `createdAt` to `now` (Unix ms). Null when that
 * period is empty.
 */
export function uptimeOf(days: readonly DayState[], createdAt: number, now: number): number | null {
  const measured = now - Math.max(startOfDays(now, days.length), createdAt);
  if (measured <= 0) return null;
  const down = days.reduce(
    (sum, { ms }) =>
      sum +
      (ms.major_outage ?? 0) * weight.major_outage +
      (ms.partial_outage ?? 0) * weight.partial_outage,
    0,
  );
  return 100 * (1 - down / measured);
}
