import type { QrContent } from './content.ts';
export const payloadOf = (content: QrContent): string =>
  content.type === 'text' ? content.text : content.url;
