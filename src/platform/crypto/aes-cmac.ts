import { createCipheriv } from 'node:crypto';

const blockBytes = 16;
const zeros = Buffer.alloc(blockBytes);

/** Encrypts one block of 16 bytes. */
export type BlockCipher = (block: Buffer) => Buffer;

/** Returns AES-128 in ECB mode (FIPS 197). It takes whole blocks. `key` has 16 bytes. */
export function aesEncryption(key: Buffer): BlockCipher {
  const encryption = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return (blocks) => encryption.update(blocks);
}

/** Multiplies by x in GF(2^128), as CMAC's subkeys are made. */
function doubled(block: Buffer): Buffer {
  const result = Buffer.allocUnsafe(blockBytes);
  let carry = 0;
  for (let at = blockBytes - 1; at >= 0; at -= 1) {
    const byte = block[at] ?? 0;
    result[at] = ((byte << 1) | carry) & 0xff;
    carry = byte >> 7;
  }
  // No branch on secret bits.
  result[blockBytes - 1] = (result[blockBytes - 1] ?? 0) ^ (carry * 0x87);
  return result;
}

function xorInto(target: Buffer, source: Buffer, from: number): void {
  for (let at = 0; at < blockBytes; at += 1)
    target[at] = (target[at] ?? 0) ^ (source[from + at] ?? 0);
}

/**
 * Returns the CMAC (NIST SP 800-38B) of a message under a block cipher: 16 bytes. With `paddedTo`,
 * shorter messages are padded to that many bytes, a multiple of 16, as NXP AN10922 requires.
 */
export function cmacWith(cipher: BlockCipher, message: Buffer, paddedTo = blockBytes): Buffer {
  const length = Math.max(Math.ceil(message.length / blockBytes) * blockBytes, paddedTo);
  const isPadded = message.length < length;
  const blocks = Buffer.alloc(length);
  message.copy(blocks);
  if (isPadded) blocks[message.length] = 0x80;
  const first = doubled(cipher(zeros));
  const subkey = isPadded ? doubled(first) : first;
  const state = Buffer.alloc(blockBytes);
  let mac: Buffer = state;
  for (let from = 0; from < length; from += blockBytes) {
    mac.copy(state);
    xorInto(state, blocks, from);
    if (from + blockBytes === length) xorInto(state, subkey, 0);
    mac = cipher(state);
  }
  return mac;
}

/** Returns the AES-128-CMAC (RFC 4493) of a message: 16 bytes. `key` has 16 bytes. */
export const aesCmac = (key: Buffer, message: Buffer): Buffer =>
  cmacWith(aesEncryption(key), message);
