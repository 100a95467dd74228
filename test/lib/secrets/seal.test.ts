import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSeal } from '../../../src/lib/secrets/seal.ts';

const seal = createSeal(randomBytes(32));

describe('a sealed text', () => {
  test.each(['', 'a', '@example.org #123456', 'ä€😀', 'x'.repeat(10_000)])(
    '%j is opened unchanged',
    (text) => {
      const sealed = seal.seal(text);
      expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
      expect(seal.open(sealed)).toBe(text);
    },
  );

  test('differs each time and does not contain its text', () => {
    const sealed = Array.from({ length: 100 }, () => seal.seal('123456'));
    expect(new Set(sealed).size).toBe(100);
    expect(Buffer.from(sealed[0]!.slice(3), 'base64url').toString('latin1')).not.toContain(
      '123456',
    );
  });

  test('is not opened with another key', () => {
    expect(createSeal(randomBytes(32)).open(seal.seal('x'))).toBeUndefined();
  });

  test('is not opened after a change of any single bit', () => {
    const bytes = Buffer.from(seal.seal('123456').slice(3), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(seal.open(`v1.${changed.toString('base64url')}`)).toBeUndefined();
    }
  });

  test('is not opened when truncated, extended, re-encoded or of another version', () => {
    const sealed = seal.seal('123456');
    for (let length = 0; length < sealed.length; length++)
      expect(seal.open(sealed.slice(0, length))).toBeUndefined();
    for (const wrong of [
      `${sealed}A`,
      `${sealed}=`,
      `${sealed}\n`,
      ` ${sealed}`,
      sealed.replace('v1', 'v2'),
      sealed.slice(3),
      'v1.',
      '',
    ]) {
      expect(seal.open(wrong)).toBeUndefined();
    }
  });
});
