import { phoneIdentifier } from '../../../lib/identifiers.ts';
import type { QrContent } from './contents.ts';

// In Italy, the Vatican and San Marino, the zero belongs to the number.
const bracketedZero = /^(\+(?!39|378|379)[\d .\-/]*)\(0\)/;

/** `+44 (0)20 7946 0000` as `+442079460000`. */
export const dialable = (number: string): string =>
  number
    .trim()
    .replace(bracketedZero, '$1')
    .replace(/[^\d+]/g, '');

/**
 * The number as it was entered, unless its digits are others than those to dial abroad: with the
 * zero that is dialed within a country, `+49 0151…`, scanners would store a number that rings
 * nowhere.
 */
async function withoutTrunkZero(number: string): Promise<string> {
  const e164 = (await phoneIdentifier(number))?.key;
  return e164 === undefined || e164 === dialable(number) ? number : e164;
}

/** A content whose international numbers can be dialed from everywhere. */
export async function withDialableNumbers(content: QrContent): Promise<QrContent> {
  if (content.type === 'sms') return { ...content, number: await withoutTrunkZero(content.number) };
  if (content.type !== 'vcard' || content.phones === undefined) return content;
  const phones = content.phones.map(async ({ kind, number }) => ({
    kind,
    number: await withoutTrunkZero(number),
  }));
  return { ...content, phones: await Promise.all(phones) };
}
