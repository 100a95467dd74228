import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chip, chips } from '../../../src/areas/nfc/chips.ts';
import { unwrapMessage, wrapMessage } from '../../../src/areas/nfc/ndef/containers.ts';
import {
  decodeMessage,
  encodeMessage,
  type NdefRecord,
} from '../../../src/areas/nfc/ndef/records.ts';
import { uriPrefixes } from '../../../src/areas/nfc/ndef/prefixes.ts';

const hex = (buffer: Buffer | undefined) => buffer?.toString('hex').toUpperCase();
const names = Object.keys(chips).filter((name): name is Chip => name in chips);

const record = fc.oneof(
  fc
    .record({ prefix: fc.constantFrom(...uriPrefixes), rest: fc.string({ maxLength: 300 }) })
    .map(({ prefix, rest }): NdefRecord => ({ type: 'uri', uri: prefix + rest })),
  fc.record({
    type: fc.constant('text' as const),
    language: fc.constantFrom('en', 'de', 'zh-Hans', 'x'.repeat(63)),
    text: fc.string({ unit: 'grapheme', maxLength: 300 }),
  }),
);
const message = fc.array(record, { minLength: 1, maxLength: 4 });

describe('an NDEF message', () => {
  test('of a link has the bytes that phones expect', () => {
    const bytes = encodeMessage([{ type: 'uri', uri: 'https://a.example/n/x' }]);
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
  ])('shortens %s by the longest prefix', (uri, code) => {
    expect(encodeMessage([{ type: 'uri', uri }])[4]).toBe(code);
  });

  test('takes the long form from 256 bytes of payload', () => {
    const of = (length: number) =>
      encodeMessage([{ type: 'uri', uri: `https://${'a'.repeat(length - 1)}` }]);
    expect(hex(of(255).subarray(0, 4))).toBe('D101FF55');
    expect(hex(of(256).subarray(0, 7))).toBe('C1010000010055');
  });

  test('is decoded to the records that it was encoded from', () => {
    fc.assert(
      fc.property(message, (records) => {
        expect(decodeMessage(encodeMessage(records))).toEqual(records);
      }),
    );
  });

  test('cut anywhere is refused', () => {
    const bytes = encodeMessage([
      { type: 'uri', uri: 'https://example.org' },
      { type: 'text', language: 'en', text: 'x' },
    ]);
    for (let length = 0; length < bytes.length; length += 1)
      expect(decodeMessage(bytes.subarray(0, length))).toBeUndefined();
    expect(decodeMessage(Buffer.concat([bytes, Buffer.of(0)]))).toBeUndefined();
  });

  test('of random bytes never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const records = decodeMessage(Buffer.from(bytes));
        if (records !== undefined) expect(records.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the memory of a chip', () => {
  test('holds the message as a TLV or behind its length', () => {
    const link = encodeMessage([{ type: 'uri', uri: 'https://a.example/' }]);
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

  test('gives back every message that fits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), message, (chip, records) => {
        const bytes = encodeMessage(records);
        const memory = wrapMessage(chip, bytes);
        if (memory === undefined) return;
        expect(unwrapMessage(chip, memory)?.equals(bytes)).toBe(true);
        const longer = Buffer.concat([memory, Buffer.alloc(8)]);
        expect(unwrapMessage(chip, longer)?.equals(bytes)).toBe(true);
      }),
    );
  });

  test('of random bytes never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.uint8Array({ maxLength: 20 }), (chip, bytes) => {
        expect(unwrapMessage(chip, Buffer.from(bytes))?.length ?? 0).toBeLessThan(20);
      }),
    );
  });
});
