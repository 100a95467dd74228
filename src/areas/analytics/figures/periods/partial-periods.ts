import { DateTime } from 'luxon';
import type { Range } from '../../store/queries.ts';
import { bucketEnd, isWholeDays, type RequestedPeriod, type ResolvedPeriod } from './periods.ts';
import { dayMs } from '../../../../lib/durations.ts';

/** Which intervals are not whole: those that the range cuts, and the one that still runs. */
export function partialBuckets(
  { timezone, now }: RequestedPeriod,
  { range, interval, buckets }: ResolvedPeriod,
): boolean[] {
  const last = buckets.length - 1;
  const reach = Math.min(range.to, now);
  return buckets.map((start, at) => {
    const end = at < last ? (buckets[at + 1] ?? start) : bucketEnd(start, timezone, interval);
    return start < range.from || end > reach;
  });
}

/**
 * The range that a period is compared with, no longer than what has passed of the period: half a
 * day would otherwise stand against a whole one, and every comparison that takes today in would
 * look like a loss.
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
