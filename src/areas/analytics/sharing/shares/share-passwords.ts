import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import { sharingErrors } from '../sharing-errors.ts';

// OWASP's third set of equal strength: 32 MiB for each look.
const cost = { N: 32_768, r: 8, p: 3 };
const maxmem = 64 * 1024 * 1024;
const form = /^\$scrypt\$([\w-]{22})\$([\w-]{43})$/;
/** Passwords hashed at the same time, so that floods do not fill the memory. */
const maxRunning = 2;
/** Passwords that may wait; one takes about a tenth of a second. */
const maxWaiting = 40;

function derive(secret: Buffer, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, { ...cost, maxmem }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/**
 * Hashes of passwords that people choose: scrypt (RFC 7914) over an HMAC with `key`, which is not
 * in the store, so that the store alone can't be searched. Passwords are compared as NFKC.
 */
export function createSharePasswords(key: Buffer) {
  const limit = pLimit(maxRunning);
  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (limit.activeCount + limit.pendingCount >= maxRunning + maxWaiting)
      throw sharingErrors.share_busy({ headers: { 'retry-after': '5' } });
    return limit(work);
  }
  const peppered = (password: string) =>
    createHmac('sha256', key).update(password.normalize('NFKC')).digest();
  return {
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16);
      const hash = await limited(() => derive(peppered(password), salt));
      return `$scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    },

    async isRight(password: string, stored: string): Promise<boolean> {
      const [, salt, hash] = form.exec(stored) ?? [];
      if (salt === undefined || hash === undefined) return false;
      return timingSafeEqual(
        await limited(() => derive(peppered(password), Buffer.from(salt, 'base64url'))),
        Buffer.from(hash, 'base64url'),
      );
    },
  };
}

export type SharePasswords = ReturnType<typeof createSharePasswords>;
