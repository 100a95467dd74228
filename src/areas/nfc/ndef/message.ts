import { uriPrefixCode, uriPrefixes } from './prefixes.ts';

const flag = { begin: 0x80, end: 0x40, short: 0x10 };
const wellKnown = 0x01;
const longestShort = 255;

/** Whether a message has the short form, in which the length of its payload is one byte. */
export const isShort = (message: Buffer): boolean => ((message[0] ?? 0) & flag.short) !== 0;

/**
 * Encodes a URI as an NDEF message of one record (NFC Forum NDEF 1.0, URI Record Type Definition
 * 1.0). Up to 255 bytes of payload, it has the short form.
 */
export function uriMessage(uri: string): Buffer {
  const code = uriPrefixCode(uri);
  const rest = Buffer.from(uri.slice((uriPrefixes[code] ?? '').length), 'utf8');
  const length = rest.length + 1;
  const isLong = length > longestShort;
  const lengthBytes = Buffer.alloc(isLong ? 4 : 1);
  lengthBytes.writeUIntBE(length, 0, lengthBytes.length);
  return Buffer.concat([
    Buffer.of(flag.begin | flag.end | wellKnown | (isLong ? 0 : flag.short), 1),
    lengthBytes,
    Buffer.from('U', 'latin1'),
    Buffer.of(code),
    rest,
  ]);
}
