import { type ProvedId, proofOf } from '../../lib/secrets/proved-ids.ts';
import type { Keys } from '../../platform/crypto/keys.ts';

/** What confirms a signup that was asked for at this time (Unix ms). The store has its hash. */
export const createTokens =
  (keys: Keys) =>
  (id: string, askedAt: number): ProvedId => ({
    id,
    proof: proofOf(keys('signup-confirm'), `${id} ${askedAt}`),
  });
