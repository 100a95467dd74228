import type { CountryCode, PhoneNumberType } from 'libphonenumber-js';
import { z } from 'zod';

export type Channel = 'sms' | 'email';

/** An address or a number that codes can be sent to, in its one spelling. */
export interface Identifier {
  kind: 'phone' | 'email';
  channel: Channel;
  /** E.164 number, or lower-case address. */
  key: string;
  /** As it was given, without the spaces around it. */
  value: string;
  /** ISO 3166-1 alpha-2 of a number; undefined where there is none (satellite and the like). */
  country: string | undefined;
  /** Numbers that cost their caller, or that can't receive a text. */
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
const emailForm = z.email().max(254);

/** What a person may have typed around the digits; nothing else is part of a number. */
const phoneForm = /^\+?[\d\s().\-/]{3,30}$/;

// The rules of all countries take 150 KB: read when the first number comes.
const numberRules = () => import('libphonenumber-js/max');

async function readPhone(text: string, named: string | undefined): Promise<Identifier | undefined> {
  if (!phoneForm.test(text)) return undefined;
  const { isSupportedCountry, parsePhoneNumberFromString } = await numberRules();
  const rules = named !== undefined && isSupportedCountry(named) ? named : undefined;
  // Without a plus only a country says what the digits mean: 47… is Norway to one caller and a city
  // to another, and `00`, which dials abroad from many countries, does not from all of them (011
  // from the US, 010 from Japan).
  if (!text.startsWith('+') && rules === undefined) return undefined;
  const number = parsePhoneNumberFromString(text, rules);
  if (number?.isPossible() !== true || number.ext !== undefined) return undefined;
  const country: CountryCode | undefined = number.country;
  const isRefused = !number.isValid() || refusedTypes.has(number.getType());
  return { kind: 'phone', channel: 'sms', key: number.number, value: text, country, isRefused };
}

/** Whether there are rules for the numbers of this country (ISO 3166-1 alpha-2, capitals). */
export const hasPhoneRules = async (country: string): Promise<boolean> =>
  (await numberRules()).isSupportedCountry(country);

function readEmail(text: string): Identifier | undefined {
  if (!emailForm.safeParse(text).success) return undefined;
  return {
    kind: 'email',
    channel: 'email',
    key: text.toLowerCase(),
    value: text,
    country: undefined,
    isRefused: false,
  };
}

/**
 * Reads a phone number: an international one, which starts with a plus sign, or one as people dial
 * it in `country` (ISO 3166-1 alpha-2). Spaces, dots, dashes and brackets don't matter. Undefined
 * when it can't be a number.
 */
export const phoneIdentifier = (text: string, country?: string): Promise<Identifier | undefined> =>
  readPhone(text.trim(), country);

/** Reads an e-mail address. Undefined when it is none. */
export const emailIdentifier = (text: string): Identifier | undefined => readEmail(text.trim());

/** Reads an e-mail address as what its owner signs in as. Undefined when it is none. */
export function emailIdentity(
  text: string,
): { kind: 'email'; key: string; value: string } | undefined {
  const identifier = emailIdentifier(text);
  return identifier === undefined
    ? undefined
    : { kind: 'email', key: identifier.key, value: identifier.value };
}

/** Reads either: what has an @ is an address. */
export async function anyIdentifier(
  text: string,
  country?: string,
): Promise<Identifier | undefined> {
  return text.includes('@') ? emailIdentifier(text) : phoneIdentifier(text, country);
}

/** Only its owner can recognise the result: `+1•••••0123`, `a•••@example.com`. */
export function mask({ kind, key }: Pick<Identifier, 'kind' | 'key'>): string {
  if (kind === 'phone') return `${key.slice(0, 2)}•••••${key.slice(-4)}`;
  const at = key.lastIndexOf('@');
  return `${key.slice(0, 1)}•••${key.slice(at)}`;
}
