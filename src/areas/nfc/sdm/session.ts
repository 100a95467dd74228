import { createDecipheriv } from 'node:crypto';
import { aesCmac, aesEncryption, createCmac } from './aes-cmac.ts';
import { createLrp } from './lrp.ts';

const zeroIv = Buffer.alloc(16);
const vectorBytes = 16;

/** What a tag mirrors, in the order and encoding of session vectors: the counter little-endian. */
export interface Mirrored {
  uid?: Buffer;
  counter?: Buffer;
}

/** A session of one tap, whose keys depend on what the tag mirrors. */
export interface Session {
  /** Returns the truncated MAC of a message: 8 bytes. */
  mac: (input: Buffer) => Buffer;
  /** Decrypts file data: whole blocks. Needs the counter. */
  decrypt: (data: Buffer) => Buffer;
}

/** Every second byte, from the second one. */
function truncated(mac: Buffer): Buffer {
  const short = Buffer.allocUnsafe(8);
  for (let at = 0; at < 8; at += 1) short[at] = mac.readUInt8(at * 2 + 1);
  return short;
}

/** 16 bytes: a constant, what is mirrored, zeros, and another constant. */
function sessionVector(prefix: string, { uid, counter }: Mirrored, suffix = ''): Buffer {
  const vector = Buffer.alloc(vectorBytes);
  let at = vector.write(prefix, 'hex');
  at += uid?.copy(vector, at) ?? 0;
  counter?.copy(vector, at);
  vector.write(suffix, vectorBytes - suffix.length / 2, 'hex');
  return vector;
}

function openAes(fileKey: Buffer, mirrored: Mirrored): Session {
  const cmac = createCmac(aesEncryption(fileKey));
  const keyOf = (prefix: string) => cmac(sessionVector(prefix, mirrored));
  return {
    mac: (input) => truncated(aesCmac(keyOf('3cc300010080'), input)),
    decrypt(data) {
      const key = keyOf('c33c00010080');
      const counter = Buffer.alloc(16);
      mirrored.counter?.copy(counter);
      const iv = aesEncryption(key)(counter);
      return createDecipheriv('aes-128-cbc', key, iv).setAutoPadding(false).update(data);
    },
  };
}

function openLrp(fileKey: Buffer, mirrored: Mirrored): Session {
  const key = createLrp(fileKey, 0).cmac(sessionVector('00010080', mirrored, '1ee1'));
  return {
    mac: (input) => truncated(createLrp(key, 0).cmac(input)),
    decrypt: (data) =>
      createLrp(key, 1).decrypt(
        data,
        Buffer.concat([mirrored.counter ?? Buffer.alloc(3), Buffer.alloc(3)]),
      ),
  };
}

/** Opens the session of a tap (NTAG 424 DNA data sheet, sections 9.3.9 and 9.3.10). */
export const openSession = (
  encryption: 'aes' | 'lrp',
  fileKey: Buffer,
  mirrored: Mirrored,
): Session => (encryption === 'aes' ? openAes : openLrp)(fileKey, mirrored);

/** Decrypts PICC data: 16 bytes, or 24 with LRP, whose first 8 are the counter. */
export function decryptPiccData(encryption: 'aes' | 'lrp', metaKey: Buffer, data: Buffer): Buffer {
  if (encryption === 'lrp')
    return createLrp(metaKey, 0).decrypt(data.subarray(8), data.subarray(0, 8));
  return createDecipheriv('aes-128-cbc', metaKey, zeroIv).setAutoPadding(false).update(data);
}
