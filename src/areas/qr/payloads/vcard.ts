import { contentLines, escapeValue } from '../../../lib/text/content-lines.ts';
import type { QrContentOf } from './contents.ts';
import { dialable } from './phone-number.ts';

type Vcard = QrContentOf<'vcard'>;

const escaped = (value: string | undefined): string => escapeValue(value ?? '');

/** `;;street;city;region;postal code;country`: post office box and extension are not used. */
function addressOf({ address }: Vcard): string | undefined {
  if (address === undefined || Object.keys(address).length === 0) return undefined;
  const { street, city, region, postal_code: code, country } = address;
  return `;;${[street, city, region, code, country].map(escaped).join(';')}`;
}

/** A vCard 3.0 (RFC 2426), which more scanners read than 4.0. */
export function vcardText(content: Vcard): string {
  const { first_name: first, last_name: last, organization } = content;
  const fullName = [first, last].filter((name) => name !== undefined).join(' ');
  return contentLines([
    ['BEGIN', 'VCARD'],
    ['VERSION', '3.0'],
    ['N', `${escaped(last)};${escaped(first)};;;`],
    ['FN', escaped(fullName === '' ? organization : fullName)],
    ['ORG', organization && escapeValue(organization)],
    ['TITLE', content.title && escapeValue(content.title)],
    ...(content.phones ?? []).map(({ kind, number }): [string, string] => [
      `TEL;TYPE=${kind.toUpperCase()}`,
      dialable(number),
    ]),
    ...(content.emails ?? []).map((email): [string, string] => ['EMAIL', escapeValue(email)]),
    // A URI, which RFC 2426 does not escape.
    ['URL', content.url],
    ['ADR', addressOf(content)],
    ['NOTE', content.note && escapeValue(content.note)],
    ['END', 'VCARD'],
  ]);
}
