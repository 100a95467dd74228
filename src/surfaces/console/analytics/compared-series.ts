import type { DashboardView } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';

type Series = DashboardView['series'];
type Interval = DashboardView['period']['interval'];

/** Wall-clock time as if it were UTC: Unix ms of an ISO 8601 instant without its offset. */
const wall = (start: string): number => Date.parse(`${start.slice(0, 19)}Z`);
const monthOf = (start: string): number =>
  Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7));
const textOf = (wallMs: number): string => new Date(wallMs).toISOString();

/** Full hours between two starts. Whole days stay whole across a change of the clocks. */
function hoursBetween(distanceMs: number): number {
  const hours = Math.round(distanceMs / hourMs);
  const days = Math.round(hours / 24);
  return Math.abs(hours - days * 24) <= 1 && days > 0 ? days * 24 : hours;
}

/** Returns a function from the start of an interval to that of the compared interval. */
function stepBack(
  { from, interval }: { from: string; interval: Interval },
  comparedFrom: string,
  compare: 'previous' | 'year',
): (start: string) => string {
  if (interval === 'month') {
    const months = monthOf(from) - monthOf(comparedFrom);
    return (start) =>
      textOf(Date.UTC(Number(start.slice(0, 4)), Number(start.slice(5, 7)) - 1 - months, 1));
  }
  if (compare === 'year' && interval !== 'week')
    return (start) => `${Number(start.slice(0, 4)) - 1}${start.slice(4)}`;
  const distanceMs = wall(from) - wall(comparedFrom);
  const unitMs = interval === 'week' ? 7 * dayMs : dayMs;
  const stepMs =
    interval === 'hour'
      ? hoursBetween(distanceMs) * hourMs
      : Math.round(distanceMs / unitMs) * unitMs;
  return (start) => textOf(wall(start) - stepMs);
}

/**
 * Aligns the compared series with that of the view: for each interval, the one at the same position
 * on the wall clock or in the calendar; undefined where there is none (the hour skipped in spring,
 * 29 February). Aligning by index would shift everything after a day of 23 or 25 hours, or a leap
 * day.
 */
export function alignSeries(
  { series, period, compared }: Pick<DashboardView, 'series' | 'period' | 'compared'>,
  before: Series,
  compare: 'previous' | 'year',
): (Series[number] | undefined)[] {
  if (compared === null) return [];
  const back = stepBack(period, compared.from, compare);
  const key = (start: string): string => start.slice(0, period.interval === 'hour' ? 16 : 10);
  const points = new Map<string, Series[number]>();
  for (const point of before)
    if (!points.has(key(point.start))) points.set(key(point.start), point);
  return series.map(({ start }) => points.get(key(back(start))));
}
