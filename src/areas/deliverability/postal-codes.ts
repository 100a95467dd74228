import {
  CountryCode,
  postcodeValidator,
  postcodeValidatorExistsForCountry,
} from 'postcode-validator';

/** Where a code is cut to be written, and with what between the parts. */
const layouts: Readonly<
  Record<string, readonly [first: number, second: number, between: ' ' | '-']>
> = {
  BM: [2, 2, ' '],
  BN: [2, 4, ' '],
  BR: [5, 3, '-'],
  CA: [3, 3, ' '],
  CZ: [3, 2, ' '],
  FK: [4, 3, ' '],
  GI: [4, 3, ' '],
  GR: [3, 2, ' '],
  GS: [4, 3, ' '],
  IE: [3, 4, ' '],
  IO: [4, 3, ' '],
  IR: [5, 5, '-'],
  JP: [3, 4, '-'],
  KY: [3, 4, '-'],
  MT: [3, 4, ' '],
  NL: [4, 2, ' '],
  PL: [2, 3, '-'],
  PN: [4, 3, ' '],
  PT: [4, 3, '-'],
  SE: [3, 2, ' '],
  SH: [4, 3, ' '],
  SK: [3, 2, ' '],
  SV: [2, 4, ' '],
  TA: [4, 3, ' '],
  TC: [4, 3, ' '],
  AC: [4, 3, ' '],
  US: [5, 4, '-'],
};

/** Where the first part of a code is an area of its own, which a rule may name like a code. */
const areaLengths: Readonly<Record<string, number>> = { CA: 3, IE: 3, NL: 4, PT: 4 };

/** Where codes are the ZIP codes of the United States Postal Service. */
const zipCountries: ReadonlySet<string> = new Set([
  'US',
  'AS',
  'FM',
  'GU',
  'MH',
  'MP',
  'PR',
  'PW',
  'VI',
]);
const zipLength = 5;

const britishCountries: ReadonlySet<string> = new Set(['GB', 'GG', 'IM', 'JE']);
const british = {
  whole: /^([A-Z]{1,2}\d{1,2}[A-Z]?)(\d[A-Z]{2})$/,
  part: /^([A-Z]{1,2})(?:(\d{1,2})(?:([A-Z])(?: ?(\d[A-Z]{0,2}))?| (\d[A-Z]{0,2}))?)?$/,
};

// Not countries: what else the package knows rules for, and two that are no more.
const noCountries: ReadonlySet<string> = new Set(['UK', 'INTL', 'CS', 'YU']);

/** Countries whose format of postal codes is known, by their codes of ISO 3166-1. */
export const formatCountries: readonly string[] = Object.keys(CountryCode)
  .filter((code) => !noCountries.has(code))
  .sort();

/** A country by its code of ISO 3166-1, and the United Kingdom as many call it. */
export const countryOf = (text: string): string =>
  text.toUpperCase() === 'UK' ? 'GB' : text.toUpperCase();

export const isZipCountry = (country: string): boolean => zipCountries.has(country);
export const isBritish = (country: string): boolean => britishCountries.has(country);

const spaced = (text: string): string => text.trim().toUpperCase().replace(/\s+/g, ' ');
const compact = (text: string): string => spaced(text).replace(/[^A-Z\d]/g, '');

function written(country: string, text: string): string {
  const code = compact(text);
  if (isBritish(country)) return code.replace(/(?=.{3}$)/, ' ');
  const [first, second, between] = layouts[country] ?? [];
  return first !== undefined &&
    second !== undefined &&
    code.length > first &&
    code.length <= first + second
    ? `${code.slice(0, first)}${between}${code.slice(first)}`
    : code;
}

/** Letters before the code that only say the country: `SE-`, `L-`. */
function withoutCountry(country: string, text: string): string {
  const code = spaced(text).replace(/^[A-Z]{1,2}-(?=\d)/, '');
  return country === 'AM'
    ? code.replace(/^37(?=\d{4}$)/, '')
    : country === 'OM'
      ? code.replace(/^PC ?/, '')
      : code;
}

/** How a code is usually written: `SW1A 1AA`, `94107`, `1012 AB`. Null: it is none of this country. Undefined: nothing is known of the country's codes. */
export function wellFormed(country: string, text: string): string | null | undefined {
  if (noCountries.has(country) || !postcodeValidatorExistsForCountry(country)) return undefined;
  const given = spaced(text);
  // Some rules take nothing for a code.
  if (compact(given) === '') return null;
  const usual = written(country, withoutCountry(country, given));
  // Between letters and digits anything may have been typed, but for what is no part of a code.
  if (/^[A-Z\d -]+$/.test(given) && postcodeValidator(usual, country)) return usual;
  return postcodeValidator(given, country) ? given : null;
}

/** The parts of a British code at fixed places, so that district 2 comes before district 10, and area S is not in SW. */
function britishKey(text: string): string | undefined {
  const code = spaced(text).replaceAll('-', ' ');
  const [, outward, inward] = british.whole.exec(code.replaceAll(' ', '')) ?? [];
  const [, area, district, letter = '', afterLetter = '', afterSpace = ''] =
    british.part.exec(outward === undefined ? code : `${outward} ${inward ?? ''}`) ?? [];
  if (area === undefined) return undefined;
  const rest = afterLetter + afterSpace;
  if (district === undefined) return area.padEnd(2, '-');
  return `${area.padEnd(2, '-')}${district.padStart(2, '0')}${letter === '' && rest !== '' ? '-' : letter}${rest}`;
}

const britishLength = 8;
const britishOutwardLength = 5;

/**
 * What codes are compared by: texts whose order, byte by byte, is the order of the codes, and which begin alike when the
 * codes lie in one area. Of a part of a code it is the beginning of the keys in that part. Undefined for what can't be one.
 */
export function keyOf(country: string, text: string): string | undefined {
  if (isBritish(country)) return britishKey(text);
  const code = compact(withoutCountry(country, text));
  if (code === '' || code.length > 12) return undefined;
  return isZipCountry(country) ? code.slice(0, zipLength) : code;
}

/** Whether the text names a whole code, or an area that rules may name like one. */
export function exactPart(country: string, text: string): 'code' | 'area' | undefined {
  const key = keyOf(country, text);
  if (key === undefined) return undefined;
  if (isBritish(country)) {
    if (key.length === britishLength)
      return wellFormed(country, text) === null ? undefined : 'code';
    return /^[A-Z-]{2}\d\d[A-Z]?$/.test(key) ? 'area' : undefined;
  }
  if (key.length === areaLengths[country]) return 'area';
  return wellFormed(country, text) === null ? undefined : 'code';
}

/** The beginning of the keys in an area that is named like a code. A British district without a letter is that alone: SW1 is not SW1A. */
export const areaKey = (country: string, key: string): string =>
  isBritish(country) ? key.padEnd(britishOutwardLength, '-') : key;
