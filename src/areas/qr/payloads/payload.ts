import { mailtoAddress, mailtoText, mailtoUrl } from '../../../lib/net/mailto.ts';
import type { QrContent, QrContentOf } from './contents.ts';
import { eventText } from './event.ts';
import { dialable } from './phone-number.ts';
import { vcardText } from './vcard.ts';
import { wifiText } from './wifi.ts';

/** A mailto URI (RFC 6068), where line breaks are CRLF. */
function emailText({ to, cc, subject, body }: QrContentOf<'email'>): string {
  const fields = [
    cc === undefined ? undefined : `cc=${mailtoAddress(cc)}`,
    subject === undefined ? undefined : `subject=${mailtoText(subject)}`,
    body === undefined ? undefined : `body=${mailtoText(body.replace(/\r\n?|\n/g, '\r\n'))}`,
  ].filter((field) => field !== undefined);
  return `${mailtoUrl(to)}${fields.length === 0 ? '' : `?${fields.join('&')}`}`;
}

const smsText = ({ number, text }: QrContentOf<'sms'>): string =>
  `SMSTO:${dialable(number)}:${text ?? ''}`;

/** Degrees to six decimals, 11 cm, never in exponential notation. */
const degrees = (value: number): string => String(Number(value.toFixed(6)) + 0);

/** A geo URI (RFC 5870). */
const geoText = ({ latitude, longitude }: QrContentOf<'geo'>): string =>
  `geo:${degrees(latitude)},${degrees(longitude)}`;

/** Returns the text in a code: what scanners recognize for this type of content. */
export function payloadOf(content: QrContent): string {
  switch (content.type) {
    case 'url':
      return content.url;
    case 'text':
      return content.text;
    case 'wifi':
      return wifiText(content);
    case 'vcard':
      return vcardText(content);
    case 'email':
      return emailText(content);
    case 'sms':
      return smsText(content);
    case 'geo':
      return geoText(content);
    case 'event':
      return eventText(content);
  }
}
