import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';

// The third of OWASP's equivalent parameter sets: 32 MiB per hash.
const cost = { N: 32_768, r: 8, p: 3 };
const maxmem = 64 * 1024 * 1024;
const pattern = /^\$scrypt\$([\w-]{22})\$([\w-]{43})$/;
/** Maximum number of concurrent hashes, which bounds memory. */
const maxRunning = 2;
/** Maximum number of waiting hashes. One takes about 100 ms. */
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
 * Hashes human-chosen passwords: scrypt (RFC 7914) over an HMAC with `key`, which is not in the
 * database, so that a leaked database can't be brute-forced. Passwords are normalised to NFKC.
 * `busy` makes the error for a hash that would have to wait too long.
 */
export function createLinkPasswords(key: Buffer, busy: () => Error) {
  const limit = pLimit(maxRunning);
  async function withLimit<T>(work: () => Promise<T>): Promise<T> {
    if (limit.activeCount + limit.pendingCount >= maxRunning + maxWaiting) throw busy();
    return limit(work);
  }
  const applyPepper = (password: string) =>
    createHmac('sha256', key).update(password.normalize('NFKC')).digest();
  return {
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16);
      const hash = await withLimit(() => derive(applyPepper(password), salt));
      return `$scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    },

    async isCorrect(password: string, stored: string): Promise<boolean> {
      const [, salt, hash] = pattern.exec(stored) ?? [];
      if (salt === undefined || hash === undefined) return false;
      return timingSafeEqual(
        await withLimit(() => derive(applyPepper(password), Buffer.from(salt, 'base64url'))),
        Buffer.from(hash, 'base64url'),
      );
    },
  };
}

export type LinkPasswords = ReturnType<typeof createLinkPasswords>;
