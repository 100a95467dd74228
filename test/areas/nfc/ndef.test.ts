import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chip, chips } from '../../../src/areas/nfc/chips.ts';
import { type2HeaderLength, wrapMessage } from '../../../src/areas/nfc/ndef/memory.ts';
import { isShort, uriMessage } from '../../../src/areas/nfc/ndef/message.ts';
import { uriPrefixes } from '../../../src/areas/nfc/ndef/prefixes.ts';

const hex = (buffer: Buffer | undefined) => buffer?.toString('hex').toUpperCase();
const names = Object.keys(chips).filter((name): name is Chip => name in chips);
const uri = fc
  .record({ prefix: fc.constantFrom(...uriPrefixes), rest: fc.string({ maxLength: 300 }) })
  .map(({ prefix, rest }) => prefix + rest);

describe('an NDEF message', () => {
  test('of a link has the bytes that phones expect', () => {
    const bytes = uriMessage('https://a.example/n/x');
    expect(hex(bytes)).toBe('D1010E5504612E6578616D706C652F6E2F78');
  });

  test.each([
    ['https://www.nxp.com', 2],
    ['http://www.nxp.com', 1],
    ['http://nxp.com', 3],
    ['tel:+14155550132', 5],
    ['mailto:a@example.org', 6],
    ['urn:epc:id:x', 0x1e],
    ['other:x', 0],
  ])('shortens %s by the longest prefix', (text, code) => {
    expect(uriMessage(text)[4]).toBe(code);
  });

  test('takes the long form from 256 bytes of payload', () => {
    const of = (length: number) => uriMessage(`https://${'a'.repeat(length - 1)}`);
    expect(hex(of(255).subarray(0, 4))).toBe('D101FF55');
    expect(hex(of(256).subarray(0, 7))).toBe('C1010000010055');
  });

  test('says its length, and holds the URI behind its prefix', () => {
    fc.assert(
      fc.property(uri, (text) => {
        const bytes = uriMessage(text);
        const start = isShort(bytes) ? 4 : 7;
        expect(bytes.readUIntBE(2, start - 3)).toBe(bytes.length - start);
        const prefix = uriPrefixes[bytes.readUInt8(start)] ?? '';
        expect(prefix + bytes.toString('utf8', start + 1)).toBe(text);
      }),
    );
  });
});

describe('the memory of a chip', () => {
  test('holds the message as a TLV or behind its length', () => {
    const link = uriMessage('https://a.example/');
    expect(hex(wrapMessage('ntag213', link))).toBe(`030F${hex(link)}FE`);
    expect(hex(wrapMessage('ntag424', link))).toBe(`000F${hex(link)}`);
  });

  test('has a length of three bytes from 255 bytes', () => {
    const of = (length: number) => wrapMessage('ntag216', Buffer.alloc(length, 1));
    expect(hex(of(254)?.subarray(0, 3))).toBe('03FE01');
    expect(hex(of(255)?.subarray(0, 5))).toBe('03FF00FF01');
  });

  test.each([
    ['ntag213', 142],
    ['ntag215', 500],
    ['ntag216', 884],
    ['ntag424', 254],
    ['ntag424_tt', 254],
  ] as const)('of %s takes %i bytes, and not one more', (chip, most) => {
    expect(wrapMessage(chip, Buffer.alloc(most))?.length).toBeLessThanOrEqual(chips[chip].capacity);
    expect(wrapMessage(chip, Buffer.alloc(most + 1))).toBeUndefined();
  });

  test('holds every message that fits, behind a header', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), uri, (chip, text) => {
        const bytes = uriMessage(text);
        const memory = wrapMessage(chip, bytes);
        const start = chips[chip].tagType === 2 ? type2HeaderLength(bytes.length) : 2;
        expect(memory?.subarray(start, start + bytes.length) ?? bytes).toEqual(bytes);
      }),
    );
  });
});
