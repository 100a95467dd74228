import { areaKey, countryOf, exactPart, isZipCountry, keyOf } from './postal-codes.ts';

/** Codes, ranges and prefixes of a zone. Without any it is the whole country. */
export interface Areas {
  codes: readonly string[];
  ranges: readonly { from: string; to: string }[];
  prefixes: readonly string[];
}

/** Keys from `low` to `high`, both within. */
export interface Interval {
  low: string;
  high: string;
  isRange: boolean;
  isExact: boolean;
  specificity: number;
}

/** What is wrong with an area, and where it stands. */
export interface AreaProblem {
  path: (string | number)[];
  message: string;
}

// Behind every letter and digit.
const end = '~';

const beginningWith = (key: string): Interval => ({
  low: key,
  high: key + end,
  isRange: false,
  isExact: false,
  specificity: key.length,
});

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function ofCode(country: string, text: string): Interval | string {
  const part = exactPart(country, text);
  const key = keyOf(country, text);
  if (key === undefined || part === undefined)
    return 'is no postal code of this country. For the beginning of codes use `prefixes`';
  if (isZipCountry(country) && text.replace(/\D/g, '').length > key.length)
    return 'must have five digits: ZIP+4 codes are found by their first five';
  return part === 'area'
    ? beginningWith(areaKey(country, key))
    : { low: key, high: key, isRange: false, isExact: true, specificity: key.length + 1 };
}

function ofPrefix(country: string, text: string): Interval | string {
  const key = keyOf(country, text);
  return key === undefined
    ? 'can not be the beginning of a postal code of this country'
    : beginningWith(key);
}

function ofRange(country: string, { from, to }: { from: string; to: string }): Interval | string {
  const [low, high] = [keyOf(country, from), keyOf(country, to)];
  if (low === undefined || high === undefined)
    return 'must be between two codes, or two beginnings of codes, of this country';
  if (low.length !== high.length)
    return 'must be between two codes, or two beginnings of codes, of the same length';
  if (low > high) return 'must not end before it begins';
  return {
    low,
    high: high + end,
    isRange: true,
    isExact: false,
    specificity: commonLength(low, high),
  };
}

/** What comparisons are made with, or what is wrong. */
export function intervalsOf(
  countryText: string,
  { codes, ranges, prefixes }: Areas,
): { intervals: Interval[]; problems: AreaProblem[] } {
  const country = countryOf(countryText);
  const read: [path: AreaProblem['path'], found: Interval | string][] = [
    ...codes.map((code, at): [AreaProblem['path'], Interval | string] => [
      ['codes', at],
      ofCode(country, code),
    ]),
    ...ranges.map((range, at): [AreaProblem['path'], Interval | string] => [
      ['ranges', at],
      ofRange(country, range),
    ]),
    ...prefixes.map((prefix, at): [AreaProblem['path'], Interval | string] => [
      ['prefixes', at],
      ofPrefix(country, prefix),
    ]),
  ];
  const intervals = read.flatMap(([, found]) => (typeof found === 'string' ? [] : found));
  return {
    intervals: read.length === 0 ? [beginningWith('')] : intervals,
    problems: read.flatMap(([path, found]) =>
      typeof found === 'string' ? { path, message: found } : [],
    ),
  };
}
