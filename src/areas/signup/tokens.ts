import { type SignedId, hmacText } from '../../lib/secrets/signed-ids.ts';
import type { Keys } from '../../platform/crypto/keys.ts';

/** What confirms a signup that was asked for at this time (Unix ms). The store has its hash. */
export const createTokens =
  (keys: Keys) =>
  (id: string, askedAt: number): SignedId => ({
    id,
    proof: hmacText(keys('signup-confirm'), `${id} ${askedAt}`),
  });
