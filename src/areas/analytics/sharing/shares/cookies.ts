import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../../../lib/secrets/secrets.ts';
import { hourMs } from '../../../../lib/durations.ts';

/** The share and password that a proof is bound to. */
export interface UnlockedShare {
  id: string;
  passwordHash: string;
}

const lifetimeMs = 12 * hourMs;
const form = /^(\d{1,15})\.([\w-]{43})$/;

/**
 * Creates and verifies proofs that the password of a share was entered: `expiry.mac`, with an
 * HMAC-SHA-256 over the id of the share, its password hash and the expiry (Unix ms). Valid for 12
 * hours, unless the password changes.
 */
export function createShareCookies(key: Buffer) {
  const mac = ({ id, passwordHash }: UnlockedShare, expiresAt: string) =>
    createHmac('sha256', key).update(`${id} ${passwordHash} ${expiresAt}`).digest('base64url');
  return {
    make(share: UnlockedShare, now: number): { value: string; expiresAt: number } {
      const expiresAt = now + lifetimeMs;
      return { value: `${expiresAt}.${mac(share, String(expiresAt))}`, expiresAt };
    },

    isValid(share: UnlockedShare, value: string, now: number): boolean {
      const [, expiresAt, given] = form.exec(value) ?? [];
      return (
        expiresAt !== undefined &&
        given !== undefined &&
        equalSecrets(given, mac(share, expiresAt)) &&
        Number(expiresAt) > now
      );
    },
  };
}
