import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Crockford's base 32: no I, L, O, U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 16;

/** A code of 80 random bits: `XXXX-XXXX-XXXX-XXXX` (NIST SP 800-63B-4 §3.1.2). */
export function newBackupCode(): string {
  const letters = Array.from(randomBytes(length), (byte) => alphabet.charAt(byte & 31)).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
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
