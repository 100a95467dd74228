import type { Range } from '../questions.ts';

const dayMs = 86_400_000;

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
