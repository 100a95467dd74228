import { dayMs } from '../../../../../lib/durations.ts';
import type { Range } from '../../queries.ts';
import { timeLiteral } from './values.ts';

/** 15 minutes: the UTC offset of every time zone in use is a multiple of it. */
export const slotMs = 900_000;

/** Returns the range minus the given UTC days (whole days within it, ascending). */
export function rangesWithout({ from, to }: Range, days: readonly number[]): Range[] {
  const left: Range[] = [];
  let at = from;
  for (const day of days) {
    if (day * dayMs > at) left.push({ from: at, to: day * dayMs });
    at = (day + 1) * dayMs;
  }
  if (to > at) left.push({ from: at, to });
  return left;
}

/** Returns the condition that a day column holds one of these days; undefined for no days. */
export function dayCondition(days: readonly number[], column: string): string | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const gaps =
    last - first + 1 === days.length ? '' : ` AND ${column} IN (SELECT day FROM summarised_days)`;
  return `${column} BETWEEN ${first} AND ${last}${gaps}`;
}

const inRange = (column: string, { from, to }: Range) =>
  `(${column} >= ${timeLiteral(from)} AND ${column} < ${timeLiteral(to)})`;

/** Returns the condition that a time column lies in one of the ranges. */
export const withinAny = (column: string, ranges: readonly Range[]): string =>
  ranges.length === 0 ? 'false' : `(${ranges.map((range) => inRange(column, range)).join(' OR ')})`;

/** Returns UTC days (ascending) as ranges, with consecutive days merged. */
export function rangesOfDays(days: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last?.to === day * dayMs) last.to += dayMs;
    else ranges.push({ from: day * dayMs, to: (day + 1) * dayMs });
  }
  return ranges;
}
