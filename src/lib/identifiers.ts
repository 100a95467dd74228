import { domainToASCII } from 'node:url';
import type { CountryCode, PhoneNumberType } from 'libphonenumber-js';
import { normalizePasted, withoutDirections } from './text/pasted.ts';

export type Channel = 'sms' | 'email';

/** A normalized email address or phone number that codes can be sent to. */
export interface Identifier {
  kind: 'phone' | 'email';
  channel: Channel;
  /** E.164 number or lower-case address. */
  key: string;
  /** The input without what came along when it was pasted. Domains are in punycode. */
  value: string;
  /** ISO 3166-1 alpha-2 country of a number; undefined without one, as for satellite numbers. */
  country: string | undefined;
  /** True for numbers with extra charges and numbers that can't receive texts. */
  isRefused: boolean;
}

const refusedTypes: ReadonlySet<PhoneNumberType | undefined> = new Set([
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'PAGER',
  'UAN',
  'VOICEMAIL',
  'PERSONAL_NUMBER',
]);
const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const topLabel = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * What `<input type=email>` takes (HTML Standard), with a dot in the domain, and dots only between
 * other characters (RFC 5321 §4.1.2). Without look-ahead, because it is shown in schemas, whose
 * readers may have none: the rest of the rule is in `isEmail`.
 */
export const emailForm = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${topLabel}$`);

/**
 * Whether a text is an email address: `emailForm`, at most 64 characters before the @ (RFC 5321
 * §4.5.3.1.1), and no beginning of an encoded word (RFC 2047), which an email client would show as
 * something else.
 */
export const isEmail = (text: string): boolean =>
  text.indexOf('@') <= 64 && !text.includes('=?') && emailForm.test(text);

/** RFC 5321 §4.5.3.1.3, without the brackets of a path. */
export const maxEmailLength = 254;

/** Digits with the separators that people type in phone numbers. */
const phoneForm = /^\+?[\d\s().\-/]{3,30}$/;

// The rules of all countries take 150 KB, so they are loaded with the first number.
const numberRules = () => import('libphonenumber-js/max');

async function parsePhone(
  text: string,
  countryHint: string | undefined,
): Promise<Identifier | undefined> {
  if (!phoneForm.test(text)) return undefined;
  const { isSupportedCountry, parsePhoneNumberFromString } = await numberRules();
  const rules =
    countryHint !== undefined && isSupportedCountry(countryHint) ? countryHint : undefined;
  // Without a plus, the digits are ambiguous unless the country is known: 47… may be Norway or an
  // area code, and `00` is not the international prefix everywhere (011 in the US, 010 in Japan).
  if (!text.startsWith('+') && rules === undefined) return undefined;
  const number = parsePhoneNumberFromString(text, rules);
  if (number?.isPossible() !== true || number.ext !== undefined) return undefined;
  const country: CountryCode | undefined = number.country;
  const isRefused = !number.isValid() || refusedTypes.has(number.getType());
  return { kind: 'phone', channel: 'sms', key: number.number, value: text, country, isRefused };
}

/** True when the numbers of this country (ISO 3166-1 alpha-2, upper case) can be parsed. */
export const hasPhoneRules = async (country: string): Promise<boolean> =>
  (await numberRules()).isSupportedCountry(country);

const ascii = /^[\x00-\x7f]*$/;
const foreignDomain = /^[A-Za-z0-9.\-\u0080-\u{10ffff}]+$/u;
const ofLatin = /\p{Script=Latin}/u;
/** East Asian names mix these with Latin; others do only to look like another name (UTS #39). */
const besideLatin = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Common']
  .map((script) => `\\p{Script=${script}}`)
  .join('|');
const foreignToLatin = new RegExp(`(?!${besideLatin})\\p{L}`, 'u');

const isMixed = (label: string): boolean => ofLatin.test(label) && foreignToLatin.test(label);

/** The domain in punycode (UTS #46); as it is if it can't be one. */
function asciiDomain(domain: string): string {
  if (ascii.test(domain) || !foreignDomain.test(domain)) return domain;
  return domain.split(/[.\u3002]/u).some(isMixed) ? domain : domainToASCII(domain);
}

/**
 * Makes an address plain: without the spaces and marks of direction around it that were pasted, and
 * with its domain in punycode. Doesn't check it: see `isEmail`.
 */
export function plainEmail(text: string): string {
  const address = withoutDirections(text).trim();
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + asciiDomain(address.slice(at));
}

function parseEmail(text: string): Identifier | undefined {
  if (text.length > 1024) return undefined;
  const value = plainEmail(text);
  if (value.length > maxEmailLength || !isEmail(value)) return undefined;
  const key = value.toLowerCase();
  return { kind: 'email', channel: 'email', key, value, country: undefined, isRefused: false };
}

/**
 * Parses a phone number: an international one with a plus sign, or a national one of `country` (ISO
 * 3166-1 alpha-2), typed or pasted. Ignores spaces, dots, dashes and brackets. Returns undefined
 * when it can't be a number.
 */
export const phoneIdentifier = (text: string, country?: string): Promise<Identifier | undefined> =>
  parsePhone(normalizePasted(text).trim(), country);

/** Parses an email address. Returns undefined when it is invalid. */
export const emailIdentifier = (text: string): Identifier | undefined => parseEmail(text);

/** The search key of an email address; any other text in lower case. */
export const emailKey = (text: string): string =>
  parseEmail(text)?.key ?? text.trim().toLowerCase();

/** Parses an email address into a sign-in identity. Returns undefined when it is invalid. */
export function emailIdentity(
  text: string,
): { kind: 'email'; key: string; value: string } | undefined {
  const identifier = emailIdentifier(text);
  return identifier === undefined
    ? undefined
    : { kind: 'email', key: identifier.key, value: identifier.value };
}

/** Parses an email address, if the text has an @, or else a phone number. */
export async function anyIdentifier(
  text: string,
  country?: string,
): Promise<Identifier | undefined> {
  return text.includes('@') ? emailIdentifier(text) : phoneIdentifier(text, country);
}

/** Masks an identifier so that only its owner recognises it: `+1•••••0123`, `a•••@example.com`. */
export function mask({ kind, key }: Pick<Identifier, 'kind' | 'key'>): string {
  if (kind === 'phone') return `${key.slice(0, 2)}•••••${key.slice(-4)}`;
  const at = key.lastIndexOf('@');
  return `${key.slice(0, 1)}•••${key.slice(at)}`;
}
