import { type SignedId, hmacText } from '../../lib/secrets/signed-ids.ts';
import type { Keys } from '../../platform/crypto/keys.ts';

/**
 * Creates the token that confirms a signup requested at `askedAt` (Unix ms). Only its hash is
 * stored.
 */
export const createTokens =
  (keys: Keys) =>
  (id: string, askedAt: number): SignedId => ({
    id,
    proof: hmacText(keys('signup-confirm'), `${id} ${askedAt}`),
  });
