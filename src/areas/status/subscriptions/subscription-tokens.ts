import { type SignedId, hmacText } from '../../../lib/secrets/signed-ids.ts';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';

/** The tokens of mails about the status. */
export function createSubscriptionTokens(keys: Keys) {
  const unsubscribing = (id: string) => hmacText(keys('status-unsubscribe'), id);
  return {
    /** Good for the row as it asked at this time (Unix ms); the store has the hash. */
    confirmation: (id: string, askedAt: number): SignedId => ({
      id,
      proof: hmacText(keys('status-confirm'), `${id} ${askedAt}`),
    }),
    unsubscription: (id: string): SignedId => ({ id, proof: unsubscribing(id) }),
    isUnsubscription: ({ id, proof }: SignedId): boolean => equalSecrets(proof, unsubscribing(id)),
  };
}
