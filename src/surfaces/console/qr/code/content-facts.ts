import type { QrContent } from '../../../../areas/qr/payloads/contents.ts';
import { formatDateTime } from '../../../../platform/i18n/dates.ts';
import { texts } from '../texts/en.ts';

type Row = readonly [label: string, value: string | undefined];

function rowsOf(content: QrContent): readonly Row[] {
  const { wifi, vcard, email, sms, geo, event, text } = texts.content;
  switch (content.type) {
    case 'url':
      return [[texts.content.url.label, content.url]];
    case 'wifi':
      return [
        [wifi.fields.ssid, content.ssid],
        [wifi.fields.auth, wifi.auth[content.auth]],
        [wifi.fields.password, 'password' in content ? content.password : undefined],
      ];
    case 'vcard':
      return [
        [texts.content.person, [content.first_name, content.last_name].filter(Boolean).join(' ')],
        [vcard.fields.organization, content.organization],
        [vcard.fields.phone, content.phones?.map(({ number }) => number).join(', ')],
        [vcard.fields.email, content.emails?.join(', ')],
        [vcard.fields.website, content.url],
      ];
    case 'email':
      return [
        [email.fields.to, content.to],
        [email.fields.subject, content.subject],
        [email.fields.body, content.body],
      ];
    case 'sms':
      return [
        [sms.fields.number, content.number],
        [sms.fields.text, content.text],
      ];
    case 'geo':
      return [
        [geo.fields.latitude, String(content.latitude)],
        [geo.fields.longitude, String(content.longitude)],
      ];
    case 'event':
      return [
        [event.fields.title, content.title],
        [event.fields.starts_at, formatDateTime(content.starts_at)],
        [event.fields.ends_at, content.ends_at && formatDateTime(content.ends_at)],
        [event.fields.location, content.location],
      ];
    case 'text':
      return [[text.fields.text, content.text]];
  }
}

/** What a code contains, in words: names and values. */
export const contentFacts = (content: QrContent): { name: string; text: string }[] =>
  rowsOf(content).flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [{ name, text }],
  );

/** One line about what a code contains: the name of a network, of a person. */
export const contentLine = (content: QrContent): string => contentFacts(content)[0]?.text ?? '';
