import { dayMs } from '../../../../../lib/durations.ts';
import type { Range } from '../../queries.ts';
import { timeLiteral } from './values.ts';

/** What is left of the range without the given UTC days (whole days within it, ascending). */
export function rangesBesides({ from, to }: Range, days: readonly number[]): Range[] {
  const left: Range[] = [];
  let at = from;
  for (const day of days) {
    if (day * dayMs > at) left.push({ from: at, to: day * dayMs });
    at = (day + 1) * dayMs;
  }
  if (to > at) left.push({ from: at, to });
  return left;
}

/** The condition that a day column holds one of these summarised days; undefined for no days. */
export function dayCondition(days: readonly number[], column: string): string | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const gaps =
    last - first + 1 === days.length ? '' : ` AND ${column} IN (SELECT day FROM summarised_days)`;
  return `${column} BETWEEN ${first} AND ${last}${gaps}`;
}

const inRange = (column: string, { from, to }: Range) =>
  `(${column} >= ${timeLiteral(from)} AND ${column} < ${timeLiteral(to)})`;

/** The condition that a time column lies in one of the ranges. */
export const withinAny = (column: string, ranges: readonly Range[]): string =>
  ranges.length === 0 ? 'false' : `(${ranges.map((range) => inRange(column, range)).join(' OR ')})`;

/** UTC days (ascending) as ranges; consecutive days become one. */
export function rangesOfDays(days: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last?.to === day * dayMs) last.to += dayMs;
    else ranges.push({ from: day * dayMs, to: (day + 1) * dayMs });
  }
  return ranges;
}
