/** What no eye sees: marks of direction, zero-width characters, soft hyphens, byte order marks. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const dashes = /[\p{Dash_Punctuation}\u02d7\u2043\u2212]/gu;
/** Japanese keyboards have the long vowel and lines of tables where others have the dash. */
const linesAfterDigits = /(?<=\d ?)[\u30fc\u2500\u2501]/g;
const spaces = /[\s\u0085]/gu;
const decimalDigit = /^\p{Decimal_Number}$/u;
const foreignDigits = /(?![0-9])\p{Decimal_Number}/gu;
const separators = /[\s.,'’_/\-\u00b7\u2022\u2027\u22c5\u30fb]/gu;
/** Marks, what encloses a copied text, and what begins one that is written from right to left. */
const anywhere = '\\u061c\\u200e\\u200f\\u202a\\u202c\\u2066\\u2068\\u2069';
const directions = new RegExp(`^[\\s${anywhere}\\u202b\\u2067]+|[${anywhere}]`, 'gu');

const isDigit = (point: number): boolean => decimalDigit.test(String.fromCodePoint(point));

/** The digits of each script are ten neighbours that begin with zero (Unicode Standard, 4.6). */
function toAsciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (isDigit(point - before - 1)) before += 1;
  return String(before % 10);
}

/**
 * What a person meant to type who pasted a number, a code or the like: full-width and other
 * compatibility forms become plain (NFKC), digits of any script 0–9, every dash `-`, and every
 * space or line break a space. Loses what can't be seen, such as the marks of direction around a
 * number that was copied from an address book. Not for names and prose, whose joiners and forms
 * mean something: see `withoutDirections`.
 */
export const normalizePasted = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(foreignDigits, toAsciiDigit)
    .replace(spaces, ' ')
    .replace(linesAfterDigits, '-')
    .replace(dashes, '-');

/** `normalizePasted` without what groups digits: spaces, dashes, dots and commas. */
export const withoutSeparators = (text: string): string =>
  normalizePasted(text).replace(separators, '');

/**
 * The text without the marks of direction (UAX #9) that come along when a name is copied. Keeps
 * everything else, such as the joiners of Persian and of emoji, and the controls that turn a part
 * of the text around, which `oneLine` refuses.
 */
export const withoutDirections = (text: string): string => text.replace(directions, '');
