import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../../../lib/secrets/secrets.ts';
import { hourMs } from '../../../../lib/durations.ts';

/** What a proof is bound to. */
export interface ProvedShare {
  id: string;
  passwordHash: string;
}

const lifeMs = 12 * hourMs;
const form = /^(\d{1,15})\.([\w-]{43})$/;

/**
 * Proofs that somebody knew the password of a share: `expiry.mac` with an HMAC-SHA-256 over the
 * share's id, the hash of its password and the expiry (Unix ms). Good for 12 hours, and only as
 * long as the password is the same.
 */
export function createShareCookies(key: Buffer) {
  const mac = ({ id, passwordHash }: ProvedShare, expiresAt: string) =>
    createHmac('sha256', key).update(`${id} ${passwordHash} ${expiresAt}`).digest('base64url');
  return {
    make(share: ProvedShare, now: number): { value: string; expiresAt: number } {
      const expiresAt = now + lifeMs;
      return { value: `${expiresAt}.${mac(share, String(expiresAt))}`, expiresAt };
    },

    isGood(share: ProvedShare, value: string, now: number): boolean {
      const [, expiresAt, shown] = form.exec(value) ?? [];
      return (
        expiresAt !== undefined &&
        shown !== undefined &&
        equalSecrets(shown, mac(share, expiresAt)) &&
        Number(expiresAt) > now
      );
    },
  };
}
