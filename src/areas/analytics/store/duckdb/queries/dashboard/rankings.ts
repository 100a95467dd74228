import { integer, type Row } from '../../sql/values.ts';

/** Returns the part of the whole; null without a whole. */
export const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : part / whole;

/** Returns the median of a histogram with rows of `seconds` and `n`; null when it is empty. */
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

/** Orders by UTF-8 bytes, as DuckDB does; `<` would compare UTF-16 units. Null comes first. */
const compareTexts = (a: string | null, b: string | null) =>
  Number(a !== null) - Number(b !== null) ||
  Buffer.compare(Buffer.from(a ?? ''), Buffer.from(b ?? ''));

/** Returns the first `limit` rows by two counts, descending, then by text. */
export const topRows = <T extends { value: string | null }>(
  rows: T[],
  first: keyof T,
  second: keyof T,
  limit: number,
): T[] =>
  rows
    .sort(
      (a, b) =>
        Number(b[first]) - Number(a[first]) ||
        Number(b[second]) - Number(a[second]) ||
        compareTexts(a.value, b.value),
    )
    .slice(0, limit);
