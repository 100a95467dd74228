import { createDecipheriv } from 'node:crypto';
import { aesEncryption, createCmac } from './aes-cmac.ts';

const blockBytes = 16;
const zeros = Buffer.alloc(blockBytes);
const fives = Buffer.alloc(blockBytes, 0x55);
const tens = Buffer.alloc(blockBytes, 0xaa);

const encrypt = (key: Buffer, block: Buffer): Buffer => aesEncryption(key)(block);

/** A walk through keys, each made from the one before: the secrets of algorithms 1 and 2. */
function walk(start: Buffer, count: number): Buffer[] {
  const found: Buffer[] = [];
  let key = start;
  while (found.length < count) {
    const cipher = aesEncryption(key);
    found.push(cipher(tens));
    key = cipher(fives);
  }
  return found;
}

/** The 16 secret plaintexts of a key (NXP AN12304, algorithm 1). */
export const secretPlaintexts = (key: Buffer): readonly Buffer[] => walk(encrypt(key, fives), 16);

/** An updated key (NXP AN12304, algorithm 2). `index` counts from 0. */
export function updatedKey(key: Buffer, index: number): Buffer {
  const found = walk(encrypt(key, tens), index + 1).at(-1);
  if (found === undefined) throw new RangeError('Updated keys count from 0');
  return found;
}

interface LrpKey {
  plaintexts: readonly Buffer[];
  key: Buffer;
}

/**
 * Evaluates the primitive for the digits of a hex text (NXP AN12304, algorithm 3), without or with
 * the final step.
 */
export function evaluate({ plaintexts, key }: LrpKey, hex: string, isFinal = true): Buffer {
  let state = key;
  for (const digit of hex) state = encrypt(state, plaintexts[Number.parseInt(digit, 16)] ?? zeros);
  return isFinal ? encrypt(state, zeros) : state;
}

function nextCounter(hex: string): string {
  const next = (BigInt(`0x${hex}`) + 1n).toString(16).padStart(hex.length, '0');
  return next.slice(-hex.length);
}

/**
 * The leakage resilient primitive (NXP AN12304) with an updated key, counted from 0: its CMAC and
 * its decryption in indexed code book mode. `key` has 16 bytes.
 */
export function createLrp(key: Buffer, updated: number) {
  const lrpKey = { plaintexts: secretPlaintexts(key), key: updatedKey(key, updated) };

  return {
    /** Returns the CMAC of a message: 16 bytes. */
    cmac: (message: Buffer): Buffer =>
      createCmac((block) => evaluate(lrpKey, block.toString('hex')))(message),

    /** Decrypts whole blocks. The counter is raised by one for each. */
    decrypt(data: Buffer, counter: Buffer): Buffer {
      const blocks: Buffer[] = [];
      let at = counter.toString('hex');
      for (let from = 0; from < data.length; from += blockBytes) {
        const decryption = createDecipheriv('aes-128-ecb', evaluate(lrpKey, at), null);
        decryption.setAutoPadding(false);
        blocks.push(decryption.update(data.subarray(from, from + blockBytes)));
        at = nextCounter(at);
      }
      return Buffer.concat(blocks);
    },
  };
}
