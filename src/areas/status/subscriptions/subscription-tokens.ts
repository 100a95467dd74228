import { type ProvedId, proofOf } from '../../../lib/secrets/proved-ids.ts';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';

/** The tokens of mails about the status. */
export function createSubscriptionTokens(keys: Keys) {
  const unsubscribing = (id: string) => proofOf(keys('status-unsubscribe'), id);
  return {
    /** Good for the row as it asked at this time (Unix ms); the store has the hash. */
    confirmation: (id: string, askedAt: number): ProvedId => ({
      id,
      proof: proofOf(keys('status-confirm'), `${id} ${askedAt}`),
    }),
    unsubscription: (id: string): ProvedId => ({ id, proof: unsubscribing(id) }),
    isUnsubscription: ({ id, proof }: ProvedId): boolean => equalSecrets(proof, unsubscribing(id)),
  };
}
