import { expect, test } from 'vitest';
import { aesCmac } from '../../../src/areas/nfc/sdm/aes-cmac.ts';

// RFC 4493, section 4.
const key = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c', 'hex');
const message = Buffer.from(
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51' +
    '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
  'hex',
);

test.each([
  [0, 'bb1d6929e95937287fa37d129b756746'],
  [16, '070a16b46b4d4144f79bdd9dd04a287c'],
  [40, 'dfa66747de9ae63030ca32611497c827'],
  [64, '51f0bebf7e3b9d92fc49741779363cfe'],
])('the CMAC of %i bytes is that of RFC 4493', (length, mac) => {
  expect(aesCmac(key, message.subarray(0, length)).toString('hex')).toBe(mac);
});

test('a message with the padding written out has another CMAC', () => {
  const short = Buffer.from('00', 'hex');
  const padded = Buffer.concat([short, Buffer.of(0x80), Buffer.alloc(14)]);
  expect(aesCmac(key, short).equals(aesCmac(key, padded))).toBe(false);
});
