import {
  CountryCode,
  postcodeValidator,
  postcodeValidatorExistsForCountry,
} from 'postcode-validator';

/** The lengths of a code's two parts in its usual format, and the separator. */
const layouts: Readonly<
  Record<string, readonly [first: number, second: number, separator: ' ' | '-']>
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

/** Countries where the first part of a code is an area that a zone may list like a code. */
const areaLengths: Readonly<Record<string, number>> = { CA: 3, IE: 3, NL: 4, PT: 4 };

/** Countries that use the ZIP codes of the United States Postal Service. */
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
const britishPatterns = {
  whole: /^([A-Z]{1,2}\d{1,2}[A-Z]?)(\d[A-Z]{2})$/,
  part: /^([A-Z]{1,2})(?:(\d{1,2})(?:([A-Z])(?: ?(\d[A-Z]{0,2}))?| (\d[A-Z]{0,2}))?)?$/,
};

// The package also has rules for these: not countries, or countries that no longer exist.
const otherRules: ReadonlySet<string> = new Set(['UK', 'INTL', 'CS', 'YU']);

/** Countries whose postal code format is known (ISO 3166-1 alpha-2). */
export const formatCountries: readonly string[] = Object.keys(CountryCode)
  .filter((code) => !otherRules.has(code))
  .sort();

/** Normalises a country code (ISO 3166-1 alpha-2); `UK` counts as `GB`. */
export const countryOf = (text: string): string =>
  text.toUpperCase() === 'UK' ? 'GB' : text.toUpperCase();

export const isZipCountry = (country: string): boolean => zipCountries.has(country);
const isBritish = (country: string): boolean => britishCountries.has(country);

const spaced = (text: string): string => text.trim().toUpperCase().replace(/\s+/g, ' ');
const compact = (text: string): string => spaced(text).replace(/[^A-Z\d]/g, '');

function format(country: string, text: string): string {
  const code = compact(text);
  if (isBritish(country)) return code.replace(/(?=.{3}$)/, ' ');
  const [first, second, separator] = layouts[country] ?? [];
  return first !== undefined &&
    second !== undefined &&
    code.length > first &&
    code.length <= first + second
    ? `${code.slice(0, first)}${separator}${code.slice(first)}`
    : code;
}

/** Strips a prefix that stands for the country: `SE-`, `L-`. */
function withoutCountry(country: string, text: string): string {
  const code = spaced(text).replace(/^[A-Z]{1,2}-(?=\d)/, '');
  return country === 'AM'
    ? code.replace(/^37(?=\d{4}$)/, '')
    : country === 'OM'
      ? code.replace(/^PC ?/, '')
      : code;
}

/**
 * A postal code in its usual format: `SW1A 1AA`, `94107`, `1012 AB`. Null: not a code of this
 * country. Undefined: the country's format is unknown.
 */
export function wellFormed(country: string, text: string): string | null | undefined {
  if (otherRules.has(country) || !postcodeValidatorExistsForCountry(country)) return undefined;
  const entered = spaced(text);
  // Some rules accept an empty string.
  if (compact(entered) === '') return null;
  const usual = format(country, withoutCountry(country, entered));
  // Spaces and dashes may be anywhere; other characters are not part of a code.
  if (/^[A-Z\d -]+$/.test(entered) && postcodeValidator(usual, country)) return usual;
  return postcodeValidator(entered, country) ? entered : null;
}

/** Pads the parts of a British code, so that district 2 sorts before 10, and area S excludes SW. */
function britishKey(text: string): string | undefined {
  const code = spaced(text).replaceAll('-', ' ');
  const [, outward, inward] = britishPatterns.whole.exec(code.replaceAll(' ', '')) ?? [];
  const [, area, district, letter = '', afterLetter = '', afterSpace = ''] =
    britishPatterns.part.exec(outward === undefined ? code : `${outward} ${inward ?? ''}`) ?? [];
  if (area === undefined) return undefined;
  const rest = afterLetter + afterSpace;
  if (district === undefined) return area.padEnd(2, '-');
  const suffix = letter === '' && rest !== '' ? '-' : letter;
  return `${area.padEnd(2, '-')}${district.padStart(2, '0')}${suffix}${rest}`;
}

const britishLength = 8;
const britishOutwardLength = 5;

/**
 * The key that codes are compared by. Keys sort bytewise in the order of the codes, and codes in
 * one area share a prefix. The key of a partial code is the prefix of the keys it covers. Undefined
 * if the text can't be a code.
 */
export function keyOf(country: string, text: string): string | undefined {
  if (isBritish(country)) return britishKey(text);
  const code = compact(withoutCountry(country, text));
  if (code === '' || code.length > 12) return undefined;
  return isZipCountry(country) ? code.slice(0, zipLength) : code;
}

/** Whether the text is a whole code, or an area that a zone may list like one. */
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

/** The key prefix of an area listed like a code. A British district excludes others: SW1, SW1A. */
export const areaKey = (country: string, key: string): string =>
  isBritish(country) ? key.padEnd(britishOutwardLength, '-') : key;
