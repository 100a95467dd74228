import type { Redis } from 'ioredis';
import { randomSecret } from '../../lib/secrets/secrets.ts';

/** What a challenge is for: one session of a person, or one sign-in that is under way. */
export type ChallengeOf = { userId: string; sessionId: string } | { signInId: string };

const keyOf = (of: ChallengeOf): string =>
  'signInId' in of
    ? `passkeys:sign-in:${of.signInId}`
    : `passkeys:new:${of.userId}:${of.sessionId}`;

/** Challenges that passkeys are to sign: one at a time for each session and each sign-in. */
export function createPasskeyChallenges(redis: Redis, lifetimeMs: number) {
  return {
    /** A new one, 32 random bytes as base64url; the one before is no good any more. */
    async issue(of: ChallengeOf): Promise<string> {
      const challenge = randomSecret();
      await redis.set(keyOf(of), challenge, 'PX', lifetimeMs);
      return challenge;
    },

    /** Gives it once: of two in the same moment one gets it. */
    take: async (of: ChallengeOf): Promise<string | undefined> =>
      (await redis.getdel(keyOf(of))) ?? undefined,
  };
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>;
