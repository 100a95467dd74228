import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Crockford's base 32: no I, L, O, U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 16;
const pattern = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/** A code of 80 random bits: `XXXX-XXXX-XXXX-XXXX` (NIST SP 800-63B-4 §3.1.2). */
export function newBackupCode(): string {
  const letters = Array.from(randomBytes(length), (byte) => alphabet.charAt(byte & 31)).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** Normalises a typed code for hashing; undefined when it can't be one. */
export function parseBackupCode(text: string): string | undefined {
  const letters = text
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return pattern.test(letters) ? letters : undefined;
}

/**
 * HMAC-SHA-256 with a key outside the database, so that codes in a leaked database can't be
 * guessed.
 */
export const backupCodeHash = (key: Buffer, salt: string, letters: string): string =>
  createHmac('sha256', key).update(`${salt} ${letters}`).digest('hex');

export const isBackupCode = (
  key: Buffer,
  { salt, hash }: { salt: string; hash: string },
  letters: string,
): boolean => timingSafeEqual(Buffer.from(backupCodeHash(key, salt, letters)), Buffer.from(hash));
