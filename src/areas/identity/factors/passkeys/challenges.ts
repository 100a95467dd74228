import type { Redis } from 'ioredis';
import { randomSecret } from '../../../../lib/secrets/secrets.ts';

/** What a challenge is issued for: a session that adds a passkey, or a pending sign-in. */
export type ChallengeSubject = { userId: string; sessionId: string } | { signInId: string };

const keyOf = (subject: ChallengeSubject): string =>
  'signInId' in subject
    ? `passkeys:sign-in:${subject.signInId}`
    : `passkeys:new:${subject.userId}:${subject.sessionId}`;

/** Challenges for passkeys: one at a time per session and per sign-in. */
export function createPasskeyChallenges(redis: Redis, lifetimeMs: number) {
  return {
    /** 32 random bytes as base64url. Replaces the previous challenge. */
    async issue(subject: ChallengeSubject): Promise<string> {
      const challenge = randomSecret();
      await redis.set(keyOf(subject), challenge, 'PX', lifetimeMs);
      return challenge;
    },

    /** Returns the challenge once: subject concurrent calls, one gets it. */
    take: async (subject: ChallengeSubject): Promise<string | undefined> =>
      (await redis.getdel(keyOf(subject))) ?? undefined,
  };
}
