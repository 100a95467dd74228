import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import { createSeal } from '../../../lib/secrets/seal.ts';
import type { Resources } from '../../../platform/resources.ts';

const prefix = 'svcm_';

/** How long a sign-in waits for the second factor, in ms. */
export const mfaLifetimeMs = 10 * minuteMs;

const PendingToken = z.object({
  id: z.string(),
  userId: z.string(),
  amr: z.array(z.string()),
  /** Unix ms. */
  begun: z.number(),
  expiresAt: z.number(),
});

export type PendingSignIn = Pick<z.output<typeof PendingToken>, 'userId' | 'amr' | 'begun'>;

/**
 * Tokens for sign-ins that still need a second factor. They are sealed, so nothing is stored until
 * one is used. They are not access tokens, and each works once.
 */
export function createMfaTokens({ keys, redis, clock }: Resources) {
  const seal = createSeal(keys('mfa'));
  function read(token: string): z.output<typeof PendingToken> | undefined {
    const text = token.startsWith(prefix) ? seal.open(token.slice(prefix.length)) : undefined;
    if (text === undefined) return undefined;
    const pending = PendingToken.parse(JSON.parse(text));
    return clock.now() < pending.expiresAt ? pending : undefined;
  }

  return {
    issue(pending: PendingSignIn): string {
      const expiresAt = clock.now() + mfaLifetimeMs;
      return prefix + seal.seal(JSON.stringify({ id: randomUUID(), ...pending, expiresAt }));
    },

    /** The pending sign-in behind a token; undefined when it is invalid or expired. */
    read,

    /** Marks the token as used. False when it was already; of concurrent calls, one gets true. */
    async redeem({ id }: { id: string }): Promise<boolean> {
      return (await redis.set(`mfa:used:${id}`, '1', 'PX', mfaLifetimeMs, 'NX')) === 'OK';
    },
  };
}

export type MfaTokens = ReturnType<typeof createMfaTokens>;
