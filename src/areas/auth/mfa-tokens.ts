import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Seal } from '../../lib/secrets/seal.ts';

const prefix = 'svcm_';

/** How long the second factor may take, in ms. */
export const mfaLifetimeMs = 10 * 60_000;

const content = z.object({
  id: z.string(),
  userId: z.string(),
  amr: z.array(z.string()),
  /** Unix ms. */
  begun: z.number(),
  expiresAt: z.number(),
});

export type PendingSignIn = Pick<z.output<typeof content>, 'userId' | 'amr' | 'begun'>;

/**
 * A sign-in whose first factor is proved, in its bearer's hands: sealed, so that nothing is stored until it is used.
 * It is no access token, and works once.
 */
export function createMfaTokens({
  seal,
  redis,
  clock,
}: {
  seal: Seal;
  redis: Redis;
  clock: Clock;
}) {
  function read(token: string): z.output<typeof content> | undefined {
    const text = token.startsWith(prefix) ? seal.open(token.slice(prefix.length)) : undefined;
    if (text === undefined) return undefined;
    const pending = content.parse(JSON.parse(text));
    return clock.now() < pending.expiresAt ? pending : undefined;
  }

  return {
    issue(pending: PendingSignIn): string {
      return (
        prefix +
        seal.seal(
          JSON.stringify({ id: randomUUID(), ...pending, expiresAt: clock.now() + mfaLifetimeMs }),
        )
      );
    },

    /** The sign-in that the token stands for; undefined when it is not ours or too old. */
    read,

    /** Uses the token up. False when it was used before: of two in the same moment one wins. */
    async redeem({ id }: { id: string }): Promise<boolean> {
      return (await redis.set(`mfa:used:${id}`, '1', 'PX', mfaLifetimeMs, 'NX')) === 'OK';
    },
  };
}

export type MfaTokens = ReturnType<typeof createMfaTokens>;
