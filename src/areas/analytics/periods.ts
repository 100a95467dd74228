import { DateTime } from 'luxon';
import type { Range } from '../../platform/events/questions.ts';

export const periods = ['24h', '7d', '30d', '90d', '12mo', 'custom'] as const;
export type Period = (typeof periods)[number];
export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export interface PeriodQuestion {
  period: Period;
  /** For `custom`: first and last day (YYYY-MM-DD, both included), or instants (RFC 3339, the last excluded). */
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
  /** Beginnings of the intervals, Unix ms; the first is not after `range.from`. */
  buckets: number[];
}

const days = { '7d': 7, '30d': 30, '90d': 90 } as const;
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

function customEdge(text: string, zone: string, edge: 'from' | 'to'): DateTime {
  const at = DateTime.fromISO(text, { zone });
  return edge === 'to' && isDay(text) ? at.plus({ days: 1 }) : at;
}

/** Whole local days up to and including today; `24h` is the last 24 whole hours and the current one. */
function edges({ period, from, to, timezone, now }: PeriodQuestion): [DateTime, DateTime] {
  const local = DateTime.fromMillis(now, { zone: timezone });
  if (period === 'custom') return [customEdge(from ?? '', timezone, 'from'), customEdge(to ?? '', timezone, 'to')];
  if (period === '24h') {
    const end = local.startOf('hour').plus({ hours: 1 });
    return [end.minus({ hours: 24 }), end];
  }
  const end = local.startOf('day').plus({ days: 1 });
  if (period === '12mo') return [end.minus({ days: 1 }).startOf('month').minus({ months: 11 }), end];
  return [end.minus({ days: days[period] }), end];
}

function defaultInterval(from: DateTime, to: DateTime): Interval {
  const length = to.diff(from, 'days').days;
  if (length <= 2.1) return 'hour';
  if (length <= 100) return 'day';
  return length <= 190 ? 'week' : 'month';
}

function next(at: DateTime, interval: Interval): DateTime {
  // Hours are steps of real time, so that the hour that comes twice in autumn is two intervals.
  if (interval === 'hour') return at.plus({ milliseconds: 3_600_000 });
  return at.startOf('day').plus({ [`${interval}s`]: 1 });
}

/** Beginnings of the intervals that touch the range. Weeks begin on Monday (ISO 8601). */
export function bucketStarts(from: DateTime, to: DateTime, interval: Interval): number[] {
  const starts: number[] = [];
  for (let at = from.startOf(interval); at < to; at = next(at, interval)) starts.push(at.toMillis());
  return starts;
}

/** The mistakes in a question, by field; empty when it can be resolved. */
export function periodMistakes(question: PeriodQuestion): { field: 'timezone' | 'from' | 'to' | 'interval'; message: string }[] {
  if (!DateTime.local({ zone: question.timezone }).isValid) return [{ field: 'timezone', message: 'unknown time zone; use an IANA name such as Europe/Berlin' }];
  if (question.period === 'custom') {
    for (const field of ['from', 'to'] as const) {
      const text = question[field];
      if (text === undefined) return [{ field, message: 'is needed for a custom period' }];
      if (!DateTime.fromISO(text, { zone: question.timezone }).isValid) return [{ field, message: 'must be a day (YYYY-MM-DD) or an instant (RFC 3339)' }];
    }
  }
  const [from, to] = edges(question);
  if (to <= from) return [{ field: 'to', message: 'must be after from' }];
  if (to.diff(from, 'years').years > 11) return [{ field: 'from', message: 'a period may have at most ten years' }];
  if (question.interval === 'hour' && to.diff(from, 'days').days > 92) return [{ field: 'interval', message: 'hours are given for at most 92 days' }];
  return [];
}

/** Turns a valid question into instants. */
export function resolvePeriod(question: PeriodQuestion): ResolvedPeriod {
  const [from, to] = edges(question);
  const interval = question.interval ?? defaultInterval(from, to);
  const range = { from: from.toMillis(), to: to.toMillis() };
  return { range, interval, buckets: bucketStarts(from, to, interval), compare: comparedRange(question, from, to) };
}

function comparedRange({ compare, period }: PeriodQuestion, from: DateTime, to: DateTime): Range | undefined {
  if (compare === undefined) return undefined;
  if (compare === 'year') return { from: from.minus({ years: 1 }).toMillis(), to: to.minus({ years: 1 }).toMillis() };
  const length = to.diff(from);
  // Whole days stay whole days also where a clock change lies between.
  const wholeDays = Math.round(length.as('days'));
  const before = period === '24h' ? from.minus(length) : from.minus({ days: wholeDays });
  return { from: before.toMillis(), to: from.toMillis() };
}
