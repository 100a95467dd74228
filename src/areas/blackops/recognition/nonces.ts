import { createHmac } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';

const windowMs = 300_000;

/**
 * Nonces for DPoP proofs (RFC 9449 §8, §9) that nobody has to keep: HMAC-SHA-256 of the five
 * minutes in which they are given out, as base64url. One is good for five to ten minutes, at every
 * replica that has the same 32-byte `key`.
 */
export function createNonces({ key, clock }: { key: Buffer; clock: Clock }) {
  const nonceOf = (window: number): string =>
    createHmac('sha256', key).update(String(window)).digest('base64url');
  const present = (): number => Math.floor(clock.now() / windowMs);

  return {
    /** The one to give out now. */
    current: (): string => nonceOf(present()),

    /** True for the nonces of these five minutes and of those before. */
    isValid(nonce: string): boolean {
      const window = present();
      // Both, also after a match: how long it takes tells nothing.
      return [window, window - 1].map((each) => equalSecrets(nonce, nonceOf(each))).includes(true);
    },
  };
}

export type Nonces = ReturnType<typeof createNonces>;
