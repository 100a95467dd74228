import { type SignedId, hmacText } from '../../../lib/secrets/signed-ids.ts';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';

/** Tokens in the links of status emails. */
export function createSubscriptionTokens(keys: Keys) {
  const unsubscribeProof = (id: string) => hmacText(keys('status-unsubscribe'), id);
  return {
    /** Valid for one request to subscribe, at `askedAt` (Unix ms). The store has its hash. */
    confirmation: (id: string, askedAt: number): SignedId => ({
      id,
      proof: hmacText(keys('status-confirm'), `${id} ${askedAt}`),
    }),
    unsubscription: (id: string): SignedId => ({ id, proof: unsubscribeProof(id) }),
    isUnsubscription: ({ id, proof }: SignedId): boolean =>
      equalSecrets(proof, unsubscribeProof(id)),
  };
}

export type SubscriptionTokens = ReturnType<typeof createSubscriptionTokens>;
