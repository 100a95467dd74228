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

/** Multiplies by x in GF(2^128), as CMAC's subkeys are made. No branch on secret bits. */
function doubled(block: Buffer): Buffer {
  const result = Buffer.allocUnsafe(blockBytes);
  let carry = 0;
  for (let at = blockBytes - 4; at >= 0; at -= 4) {
    const word = block.readUInt32BE(at);
    result.writeUInt32BE(((word << 1) | carry) >>> 0, at);
    carry = word >>> 31;
  }
  const last = blockBytes - 4;
  result.writeUInt32BE((result.readUInt32BE(last) ^ (carry * 0x87)) >>> 0, last);
  return result;
}

function xorInto(target: Buffer, at: number, source: Buffer): void {
  for (let word = 0; word < blockBytes; word += 4)
    target.writeUInt32BE(
      (target.readUInt32BE(at + word) ^ source.readUInt32BE(word)) >>> 0,
      at + word,
    );
}

/** Computes CMACs. With `paddedTo`, shorter messages are padded to so many bytes. */
export type Cmac = (message: Buffer, paddedTo?: number) => Buffer;

/**
 * Returns the CMAC (NIST SP 800-38B) under a block cipher: a function from messages to 16 bytes.
 * Padding to more than one block is that of NXP AN10922, and counts in multiples of 16.
 */
export function createCmac(cipher: BlockCipher): Cmac {
  const first = doubled(cipher(zeros));
  return (message, paddedTo = blockBytes) => {
    const length = Math.max(Math.ceil(message.length / blockBytes) * blockBytes, paddedTo);
    const isPadded = message.length < length;
    const blocks = Buffer.alloc(length);
    message.copy(blocks);
    if (isPadded) blocks[message.length] = 0x80;
    xorInto(blocks, length - blockBytes, isPadded ? doubled(first) : first);
    let mac = cipher(blocks.subarray(0, blockBytes));
    for (let from = blockBytes; from < length; from += blockBytes) {
      xorInto(blocks, from, mac);
      mac = cipher(blocks.subarray(from, from + blockBytes));
    }
    return mac;
  };
}

/** Returns the AES-128-CMAC (RFC 4493) of a message: 16 bytes. `key` has 16 bytes. */
export const aesCmac = (key: Buffer, message: Buffer): Buffer =>
  createCmac(aesEncryption(key))(message);
