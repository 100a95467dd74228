import { DateTime } from 'luxon';
import type { Range } from '../../store/queries.ts';
import { bucketEnd, isWholeDays, type RequestedPeriod, type ResolvedPeriod } from './periods.ts';
import { dayMs } from '../../../../lib/durations.ts';

/** Returns which intervals are partial: those cut by the range, and the current one. */
export function partialBuckets(
  { timezone, now }: RequestedPeriod,
  { range, interval, buckets }: ResolvedPeriod,
): boolean[] {
  const last = buckets.length - 1;
  const elapsedTo = Math.min(range.to, now);
  return buckets.map((start, index) => {
    const end = index < last ? (buckets[index + 1] ?? start) : bucketEnd(start, timezone, interval);
    return start < range.from || end > elapsedTo;
  });
}

/**
 * Returns the range that a period is compared with, no longer than the elapsed part of the period.
 * Otherwise half a day would be compared with a whole one, and every comparison that includes today
 * would look like a loss.
 */
export function comparedRange(
  requested: RequestedPeriod,
  { range, compare }: ResolvedPeriod,
): Range | undefined {
  const { now, timezone } = requested;
  if (compare === undefined || now >= range.to || now <= range.from) return compare;
  const local = DateTime.fromMillis(now, { zone: timezone });
  const back = range.from - compare.from;
  const days = { days: Math.round(back / dayMs) };
  const step =
    requested.compare === 'year'
      ? { years: 1 }
      : isWholeDays(requested)
        ? days
        : { milliseconds: back };
  const to = Math.max(compare.from + 1, local.minus(step).toMillis());
  return { from: compare.from, to: Math.min(compare.to, to) };
}
