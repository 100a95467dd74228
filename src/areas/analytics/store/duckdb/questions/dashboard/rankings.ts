import { integer, type Row } from '../../sql/session.ts';

/** The median of a histogram with rows of `seconds` and `n`; null when it is empty. */
export function medianOf(histogram: readonly Row[]): number | null {
  const seconds = histogram
    .map((row) => ({ value: integer(row.seconds), count: integer(row.n) }))
    .sort((a, b) => a.value - b.value);
  const total = seconds.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const at = (rank: number): number => {
    let seen = 0;
    for (const { value, count } of seconds) if ((seen += count) > rank) return value;
    return 0;
  };
  return (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2;
}

/** Of equal rows the one whose text comes first, by code points. */
export function ranked<T extends { value: string | null }>(
  rows: T[],
  first: keyof T,
  second: keyof T,
  limit: number,
): T[] {
  // The order of UTF-8 bytes is that of code points; `<` compares UTF-16 units.
  const order = (a: string | null, b: string | null) =>
    Number(a !== null) - Number(b !== null) ||
    Buffer.compare(Buffer.from(a ?? ''), Buffer.from(b ?? ''));
  return rows
    .sort(
      (a, b) =>
        Number(b[first]) - Number(a[first]) ||
        Number(b[second]) - Number(a[second]) ||
        order(a.value, b.value),
    )
    .slice(0, limit);
}
