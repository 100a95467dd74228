import type { Range } from '../../questions.ts';
import { timeLiteral } from './session.ts';
import { dayMs } from '../../../../../lib/durations.ts';

/** What is left of the range without the given UTC days (whole days within it, ascending). */
export function remainder({ from, to }: Range, days: readonly number[]): Range[] {
  const left: Range[] = [];
  let at = from;
  for (const day of days) {
    if (day * dayMs > at) left.push({ from: at, to: day * dayMs });
    at = (day + 1) * dayMs;
  }
  if (to > at) left.push({ from: at, to });
  return left;
}

/** Days that have been added up, as a condition on a column with the day; undefined when there are none. */
export function dayCondition(days: readonly number[], column: string): string | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const gaps =
    last - first + 1 === days.length ? '' : ` AND ${column} IN (SELECT day FROM summarised_days)`;
  return `${column} BETWEEN ${first} AND ${last}${gaps}`;
}

/** Condition on a time column: it lies in one of the ranges. */
export function withinAny(column: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return 'false';
  return `(${ranges.map(({ from, to }) => `(${column} >= ${timeLiteral(from)} AND ${column} < ${timeLiteral(to)})`).join(' OR ')})`;
}

/** The given UTC days (ascending) as ranges, those that follow one another as one. */
export function stretches(days: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last?.to === day * dayMs) last.to += dayMs;
    else ranges.push({ from: day * dayMs, to: (day + 1) * dayMs });
  }
  return ranges;
}
