import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createLrp,
  evaluate,
  secretPlaintexts,
  updatedKey,
} from '../../../src/areas/nfc/sdm/lrp.ts';

const lines = readFileSync(join(import.meta.dirname, 'lrp-vectors.txt'), 'utf8').split('\n');
/** The vectors of a kind, each split at its spaces. */
const vectors = (kind: 'evaluate' | 'cmac') =>
  lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(' ').slice(1));

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const upper = (buffer: Buffer | undefined) => buffer?.toString('hex').toUpperCase();

test('secret plaintexts and updated keys are those of AN12304', () => {
  const key = bytes('567826B8DA8E768432A9548DBE4AA3A0');
  expect(upper(secretPlaintexts(key)[0])).toBe('AC20D39F5341FE98DFCA21DA86BA7914');
  expect(upper(secretPlaintexts(key)[15])).toBe('71B444AF257A93215311D758DD333247');
  expect(upper(updatedKey(key, 0))).toBe('163D14ED24ED935373568EC521E96CF4');
  expect(upper(updatedKey(key, 2))).toBe('FE30AB50467E61783BFE6B5E0560160E');
});

test.each(vectors('evaluate'))(
  '%s %s evaluates as in AN12304',
  (hex = '', digits = '', isFinal, index, result) => {
    const key = bytes(hex);
    const lrpKey = { plaintexts: secretPlaintexts(key), key: updatedKey(key, Number(index)) };
    expect(upper(evaluate(lrpKey, digits, isFinal === 'true'))).toBe(result);
  },
);

test.each(vectors('cmac'))(
  'the CMAC with %s of %s is that of AN12304',
  (key = '', message = '', mac) => {
    const given = message === '-' ? '' : message;
    expect(upper(createLrp(bytes(key), 0).cmac(bytes(given)))).toBe(mac);
  },
);

test('every vector of AN12304 is read', () => {
  expect({ evaluate: vectors('evaluate').length, cmac: vectors('cmac').length }).toEqual({
    evaluate: 24,
    cmac: 24,
  });
});

test('decryption is that of AN12304, and counts over the end of its counter', () => {
  const lrp = createLrp(bytes('E0C4935FF0C254CD2CEF8FDDC32460CF'), 0);
  const data = bytes('FCBBACAA4F29182464F99DE41085266F480E863E487BAAF687B43ED1ECE0D623');
  const plain = lrp.decrypt(data, bytes('C3315DBF'));
  expect(upper(plain)).toBe('012D7F1653CAF6503C6AB0C1010E8CB080000000000000000000000000000000');
  const first = lrp.decrypt(data.subarray(0, 16), bytes('00000000'));
  const wrapped = lrp.decrypt(Buffer.concat([bytes('00'.repeat(16)), data]), bytes('FFFFFFFF'));
  expect(wrapped.subarray(16, 32).equals(first)).toBe(true);
});
