import { createHmac } from 'node:crypto';
import type { Clock } from '../../../../lib/clock.ts';
import { minuteMs } from '../../../../lib/durations.ts';
import { equalSecrets } from '../../../../lib/secrets/secrets.ts';

const windowMs = 5 * minuteMs;

/**
 * Stateless nonces for DPoP proofs (RFC 9449 §8, §9): the HMAC-SHA-256 of a five-minute window, as
 * base64url. Each is valid for five to ten minutes, on every replica with the same 32-byte `key`.
 */
export function createNonces({ key, clock }: { key: Buffer; clock: Clock }) {
  const nonceOf = (window: number): string =>
    createHmac('sha256', key).update(String(window)).digest('base64url');
  const currentWindow = (): number => Math.floor(clock.now() / windowMs);

  return {
    /** The nonce to issue now. */
    current: (): string => nonceOf(currentWindow()),

    /** True for the nonces of the current and the previous window. */
    isValid(nonce: string): boolean {
      const window = currentWindow();
      // Both are always compared, so that the timing reveals nothing.
      return [window, window - 1].map((each) => equalSecrets(nonce, nonceOf(each))).includes(true);
    },
  };
}

export type Nonces = ReturnType<typeof createNonces>;
