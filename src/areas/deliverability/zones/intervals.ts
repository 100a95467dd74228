import { areaKey, countryOf, exactPart, isZipCountry, keyOf } from '../postal-codes.ts';

/** Codes, ranges and prefixes of a zone. Without any, the zone is the whole country. */
export interface Areas {
  codes: readonly string[];
  ranges: readonly { from: string; to: string }[];
  prefixes: readonly string[];
}

/** Keys from `low` to `high`, inclusive. */
export interface Interval {
  low: string;
  high: string;
  isRange: boolean;
  isExact: boolean;
  specificity: number;
}

/** An invalid area, and its path within the zone. */
export interface AreaProblem {
  path: (string | number)[];
  message: string;
}

// Sorts after every letter and digit.
const last = '~';

const startingWith = (key: string): Interval => ({
  low: key,
  high: key + last,
  isRange: false,
  isExact: false,
  specificity: key.length,
});

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function codeInterval(country: string, text: string): Interval | string {
  const part = exactPart(country, text);
  const key = keyOf(country, text);
  if (key === undefined || part === undefined)
    return 'is not a postal code of this country. For prefixes of codes, use `prefixes`';
  if (isZipCountry(country) && text.replace(/\D/g, '').length > key.length)
    return 'must have five digits. ZIP+4 codes match by their first five digits';
  return part === 'area'
    ? startingWith(areaKey(country, key))
    : { low: key, high: key, isRange: false, isExact: true, specificity: key.length + 1 };
}

function prefixInterval(country: string, text: string): Interval | string {
  const key = keyOf(country, text);
  return key === undefined
    ? 'cannot be a prefix of a postal code of this country'
    : startingWith(key);
}

function rangeInterval(
  country: string,
  { from, to }: { from: string; to: string },
): Interval | string {
  const [low, high] = [keyOf(country, from), keyOf(country, to)];
  if (low === undefined || high === undefined)
    return 'must be between two codes or two prefixes of codes of this country';
  if (low.length !== high.length)
    return 'must be between two codes or two prefixes of the same length';
  if (low > high) return 'must not end before it starts';
  return {
    low,
    high: high + last,
    isRange: true,
    isExact: false,
    specificity: commonLength(low, high),
  };
}

/** The intervals of a zone's areas, and the problems of the invalid ones. */
export function intervalsOf(
  countryText: string,
  { codes, ranges, prefixes }: Areas,
): { intervals: Interval[]; problems: AreaProblem[] } {
  const country = countryOf(countryText);
  const intervals: Interval[] = [];
  const problems: AreaProblem[] = [];

  function collect<Area>(
    list: keyof Areas,
    areas: readonly Area[],
    read: (country: string, area: Area) => Interval | string,
  ): void {
    for (const [index, area] of areas.entries()) {
      const result = read(country, area);
      if (typeof result === 'string') problems.push({ path: [list, index], message: result });
      else intervals.push(result);
    }
  }

  collect('codes', codes, codeInterval);
  collect('ranges', ranges, rangeInterval);
  collect('prefixes', prefixes, prefixInterval);
  const isWholeCountry = intervals.length === 0 && problems.length === 0;
  return { intervals: isWholeCountry ? [startingWith('')] : intervals, problems };
}
