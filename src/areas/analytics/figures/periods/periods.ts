import { DateTime, IANAZone } from 'luxon';
import type { Range } from '../../store/queries.ts';

export const periods = ['24h', '7d', '30d', '90d', '12mo', 'custom'] as const;
export type Period = (typeof periods)[number];
export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export interface RequestedPeriod {
  period: Period;
  /** For `custom`: days (YYYY-MM-DD, both included), or instants (RFC 3339, end excluded). */
  from: string | undefined;
  to: string | undefined;
  timezone: string;
  interval: Interval | undefined;
  compare: 'previous' | 'year' | undefined;
  now: number;
}

export interface ResolvedPeriod {
  range: Range;
  compare: Range | undefined;
  interval: Interval;
  /** Starts of the intervals, Unix ms; the first is at or before `range.from`. */
  buckets: number[];
}

const days = { '7d': 7, '30d': 30, '90d': 90 } as const;
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Returns the first instant of the local day: clock changes may skip 00:00, or repeat it. */
function startOfDay(at: DateTime): DateTime {
  let start = at.startOf('day');
  for (
    let earlier = start.minus({ minutes: 30 });
    earlier.day === start.day;
    earlier = earlier.minus({ minutes: 30 })
  )
    start = earlier;
  return start;
}

const dayAfter = (at: DateTime): DateTime => startOfDay(startOfDay(at).plus({ days: 1 }));

function customEdge(text: string, zone: string, edge: 'from' | 'to'): DateTime {
  const at = DateTime.fromISO(text, { zone });
  if (!isDay(text)) return at;
  return edge === 'to' ? dayAfter(at) : startOfDay(at);
}

/** Returns whole local days up to today; for `24h`, the current hour and the 23 before it. */
function edges({ period, from, to, timezone, now }: RequestedPeriod): [DateTime, DateTime] {
  const local = DateTime.fromMillis(now, { zone: timezone });
  if (period === 'custom')
    return [customEdge(from ?? '', timezone, 'from'), customEdge(to ?? '', timezone, 'to')];
  if (period === '24h') {
    const end = local.startOf('hour').plus({ hours: 1 });
    return [end.minus({ hours: 24 }), end];
  }
  const end = dayAfter(local);
  if (period === '12mo') return [startOfDay(local.startOf('month').minus({ months: 11 })), end];
  return [startOfDay(end.minus({ days: days[period] })), end];
}

function defaultInterval(from: DateTime, to: DateTime): Interval {
  const length = to.diff(from, 'days').days;
  if (length <= 2.1) return 'hour';
  if (length <= 100) return 'day';
  return length <= 190 ? 'week' : 'month';
}

function nextStart(at: DateTime, interval: Interval): DateTime {
  // Adds elapsed time up to the next full hour, so that the repeated hour in autumn is two
  // intervals.
  if (interval === 'hour') return at.plus({ minutes: 60 - at.minute });
  return startOfDay(at.plus({ [`${interval}s`]: 1 }));
}

/** Returns the end of the interval that begins at `start`, in Unix ms. */
export const bucketEnd = (start: number, timezone: string, interval: Interval): number =>
  nextStart(DateTime.fromMillis(start, { zone: timezone }), interval).toMillis();

/** Returns the starts of the intervals that overlap the range. Weeks begin on Monday (ISO 8601). */
export function bucketStarts(from: DateTime, to: DateTime, interval: Interval): number[] {
  const starts: number[] = [];
  const first = from.startOf(interval);
  for (
    let at = interval === 'hour' ? first : startOfDay(first);
    at < to;
    at = nextStart(at, interval)
  ) {
    // In an hour split by a clock change, the range may begin after the second start.
    if (at <= from) starts.length = 0;
    starts.push(at.toMillis());
  }
  return starts;
}

/** Returns `from` or `to` if given with a named period, which would silently ignore it. */
function ignoredEdge(requested: RequestedPeriod): 'from' | 'to' | undefined {
  if (requested.period === 'custom') return undefined;
  // Forms also submit empty fields.
  return (['from', 'to'] as const).find(
    (field) => requested[field] !== undefined && requested[field] !== '',
  );
}

/** Returns the issues of a requested period, by field; empty if it is valid. */
export function periodIssues(
  requested: RequestedPeriod,
): { field: 'timezone' | 'from' | 'to' | 'interval'; message: string }[] {
  if (!IANAZone.isValidZone(requested.timezone))
    return [
      { field: 'timezone', message: 'unknown time zone; use an IANA name such as Europe/Berlin' },
    ];
  if (requested.period === 'custom') {
    for (const field of ['from', 'to'] as const) {
      const text = requested[field];
      if (text === undefined) return [{ field, message: 'is required for a custom period' }];
      const { isValid, year } = DateTime.fromISO(text, { zone: requested.timezone });
      if (isValid && (year < 1970 || year > 9000))
        return [{ field, message: 'must be in the years 1970 to 9000' }];
      if (!isValid)
        return [{ field, message: 'must be a day (YYYY-MM-DD) or an instant (RFC 3339)' }];
    }
  }
  const ignored = ignoredEdge(requested);
  if (ignored !== undefined)
    return [{ field: ignored, message: 'can only be used with period=custom' }];
  const [from, to] = edges(requested);
  if (to <= from) return [{ field: 'to', message: 'must be after from' }];
  if (to.diff(from, 'years').years > 10)
    return [{ field: 'from', message: 'a period can cover at most ten years' }];
  if (requested.interval === 'hour' && to.diff(from, 'days').days > 92)
    return [{ field: 'interval', message: 'hourly intervals can cover at most 92 days' }];
  return [];
}

/** Resolves a valid period to instants. */
export function resolvePeriod(requested: RequestedPeriod): ResolvedPeriod {
  const [from, to] = edges(requested);
  const interval = requested.interval ?? defaultInterval(from, to);
  const range = { from: from.toMillis(), to: to.toMillis() };
  return {
    range,
    interval,
    buckets: bucketStarts(from, to, interval),
    compare: comparedRange(requested, from, to),
  };
}

/** Whether a period consists of whole local days, rather than hours or instants. */
export const isWholeDays = ({ period, from, to }: RequestedPeriod): boolean =>
  period === 'custom' ? isDay(from ?? '') && isDay(to ?? '') : period !== '24h';

function comparedRange(
  requested: RequestedPeriod,
  from: DateTime,
  to: DateTime,
): Range | undefined {
  if (requested.compare === undefined) return undefined;
  const length = to.diff(from);
  if (!isWholeDays(requested)) {
    const [start, end] =
      requested.compare === 'year'
        ? [from.minus({ years: 1 }), to.minus({ years: 1 })]
        : [from.minus(length), from];
    return { from: start.toMillis(), to: end.toMillis() };
  }
  // Keeps whole days whole across clock changes.
  const [start, end] =
    requested.compare === 'year'
      ? [
          startOfDay(from.minus({ years: 1 })),
          dayAfter(to.minus({ milliseconds: 1 }).minus({ years: 1 })),
        ]
      : [startOfDay(from.minus({ days: Math.round(length.as('days')) })), from];
  return { from: start.toMillis(), to: end.toMillis() };
}
