import type { QrContent } from '../../../../areas/qr/payloads/contents.ts';
import type { IconName } from '../../../../platform/ui/icon.tsx';

export type ContentType = QrContent['type'];

/** What a code can be for, in the order of the chips. */
export const contentTypes = [
  'url',
  'wifi',
  'vcard',
  'email',
  'sms',
  'geo',
  'event',
  'text',
] as const satisfies readonly ContentType[];

export const typeIcons: Readonly<Record<ContentType, IconName>> = {
  url: 'link',
  wifi: 'wifi',
  vcard: 'user',
  email: 'mail',
  sms: 'message',
  geo: 'place',
  event: 'calendar',
  text: 'text',
};
