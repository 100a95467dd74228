import type { Redis } from 'ioredis';
import { randomSecret } from '../../../lib/secrets/secrets.ts';

/** What a challenge is for: a session, or a pending sign-in. */
export type ChallengeOf = { userId: string; sessionId: string } | { signInId: string };

const keyOf = (of: ChallengeOf): string =>
  'signInId' in of
    ? `passkeys:sign-in:${of.signInId}`
    : `passkeys:new:${of.userId}:${of.sessionId}`;

/** Challenges for passkeys: one at a time for each session and each sign-in. */
export function createPasskeyChallenges(redis: Redis, lifetimeMs: number) {
  return {
    /** 32 random bytes as base64url. Replaces the previous challenge. */
    async issue(of: ChallengeOf): Promise<string> {
      const challenge = randomSecret();
      await redis.set(keyOf(of), challenge, 'PX', lifetimeMs);
      return challenge;
    },

    /** Returns it once: of concurrent calls one gets it. */
    take: async (of: ChallengeOf): Promise<string | undefined> =>
      (await redis.getdel(keyOf(of))) ?? undefined,
  };
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>;
