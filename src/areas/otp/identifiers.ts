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

const refusedTypes: ReadonlySet<PhoneNumberType | undefined> = new Set(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'PAGER', 'UAN', 'VOICEMAIL', 'PERSONAL_NUMBER']);
const emailForm = z.email().max(254);

/** What a person may have typed around the digits; nothing else is part of a number. */
const phoneForm = /^(?:\+|00)?[\d\s().\-/]{6,30}$/;

async function readPhone(text: string): Promise<Identifier | undefined> {
  if (!phoneForm.test(text)) return undefined;
  // The rules of all countries take 150 KB: read when the first number comes.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const international = text.startsWith('00') ? `+${text.slice(2)}` : text;
  const number = parsePhoneNumberFromString(international.startsWith('+') ? international : `+${international}`);
  if (number?.isPossible() !== true || number.ext !== undefined) return undefined;
  const country: CountryCode | undefined = number.country;
  const isRefused = !number.isValid() || refusedTypes.has(number.getType());
  return { kind: 'phone', channel: 'sms', key: number.number, value: text, country, isRefused };
}

function readEmail(text: string): Identifier | undefined {
  if (!emailForm.safeParse(text).success) return undefined;
  return { kind: 'email', channel: 'email', key: text.toLowerCase(), value: text, country: undefined, isRefused: false };
}

/** Reads a phone number with its country code, in any usual spelling. Undefined when it can't be one. */
export const phoneIdentifier = (text: string): Promise<Identifier | undefined> => readPhone(text.trim());

/** Reads an e-mail address. Undefined when it is none. */
export const emailIdentifier = (text: string): Identifier | undefined => readEmail(text.trim());

/** Reads an e-mail address as what its owner signs in as. Undefined when it is none. */
export function emailIdentity(text: string): { kind: 'email'; key: string; value: string } | undefined {
  const identifier = emailIdentifier(text);
  return identifier === undefined ? undefined : { kind: 'email', key: identifier.key, value: identifier.value };
}

/** Reads either: what has an @ is an address. */
export async function anyIdentifier(text: string): Promise<Identifier | undefined> {
  return text.includes('@') ? emailIdentifier(text) : phoneIdentifier(text);
}

/** Enough for its owner to recognise it, too little for anybody else: `+1•••••0123`, `a•••@example.com`. */
export function mask({ kind, key }: Pick<Identifier, 'kind' | 'key'>): string {
  if (kind === 'phone') return `${key.slice(0, 2)}•••••${key.slice(-4)}`;
  const at = key.lastIndexOf('@');
  return `${key.slice(0, 1)}•••${key.slice(at)}`;
}
