import { expect, test } from 'vitest';
import { diversifyKey } from '../../../src/areas/nfc/keys/diversify.ts';
import { aesCmac } from '../../../src/areas/nfc/sdm/aes-cmac.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

test('a key is diversified as in NXP AN10922, section 2.2.1', () => {
  const key = diversifyKey(
    bytes('00112233445566778899AABBCCDDEEFF'),
    bytes('04782E21801D803042F54E585020416275'),
  );
  expect(key.toString('hex').toUpperCase()).toBe('A8DD63A3B89D54B37CA802473FDA9175');
});

test('short inputs are padded to two blocks', () => {
  const master = bytes('00112233445566778899AABBCCDDEEFF');
  const short = diversifyKey(master, bytes('04AABBCCDDEE80'));
  expect(short.equals(aesCmac(master, bytes('0104AABBCCDDEE80')))).toBe(false);
  expect(short).toHaveLength(16);
});

test('the longest input takes no padding; others are refused', () => {
  const master = bytes('00112233445566778899AABBCCDDEEFF');
  const input = Buffer.alloc(31, 7);
  const whole = Buffer.concat([Buffer.of(1), input]);
  expect(diversifyKey(master, input).equals(aesCmac(master, whole))).toBe(true);
  expect(() => diversifyKey(master, Buffer.alloc(32))).toThrow(RangeError);
  expect(() => diversifyKey(master, Buffer.alloc(0))).toThrow(RangeError);
});

// Boltcard's keys are plain CMACs. They check the CMAC with keys and inputs of another project
// (boltcard documentation; Amperstrand/ntag424-vectors).
test('the CMAC makes the keys of a bolt card', () => {
  const issuer = bytes('00000000000000000000000000000001');
  const card = aesCmac(issuer, bytes('2d003f75' + '04A39493CC8680' + '01000000'));
  expect(card.toString('hex')).toBe('ebff5a4e6da5ee14cbfe720ae06fbed9');
  const k1 = aesCmac(issuer, bytes('2d003f77')).toString('hex');
  expect(k1).toBe('55da174c9608993dc27bb3f30a4a7314');
  const k2 = aesCmac(card, bytes('2d003f78')).toString('hex');
  expect(k2).toBe('f4b404be700ab285e333e32348fa3d3b');
});
