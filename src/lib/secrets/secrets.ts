import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns a random secret of `bytes` bytes as base64url text (32 bytes: 43 characters). */
export function randomSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Returns the SHA-256 of `data` as lower-case hex. Not for passwords: it is fast on purpose. */
export function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Compares two secrets in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(a).digest(),
    createHash('sha256').update(b).digest(),
  );
}
