import { aesEncryption, createCmac } from '../sdm/aes-cmac.ts';

const maxInput = 31;

/**
 * Derives an AES-128 key from a master key (NXP AN10922, AES-128): CMAC over 01 and the input,
 * padded to two blocks. The input has 1 to 31 bytes. Throws RangeError for others.
 */
export function diversifyKey(master: Buffer, input: Buffer): Buffer {
  if (input.length < 1 || input.length > maxInput)
    throw new RangeError(`The diversification input has 1 to ${maxInput} bytes`);
  return createCmac(aesEncryption(master))(Buffer.concat([Buffer.of(0x01), input]), 32);
}
