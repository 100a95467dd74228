import {
  type SignedId,
  formatSignedId,
  hmacText,
  parseSignedId,
} from '../../lib/secrets/signed-ids.ts';
import { equalSecrets } from '../../lib/secrets/secrets.ts';
import type { Keys } from '../../platform/crypto/keys.ts';

/** Tokens in the links of waitlist emails, each for one purpose. */
export function createWaitlistTokens(keys: Keys) {
  const permanent = (purpose: string) => {
    const proofOf = (id: string) => hmacText(keys(purpose), id);
    return {
      of: (id: string): string => formatSignedId({ id, proof: proofOf(id) }),
      /** The entry of a token; undefined for a forged one. */
      idOf(token: string): string | undefined {
        const signedId = parseSignedId(token);
        return signedId !== undefined && equalSecrets(signedId.proof, proofOf(signedId.id))
          ? signedId.id
          : undefined;
      },
    };
  };
  return {
    /** Verifies the address; for the request at `askedAt` (Unix ms). The store has its hash. */
    verification: (id: string, askedAt: number): SignedId => ({
      id,
      proof: hmacText(keys('waitlist-verify'), `${id} ${askedAt}`),
    }),
    /** Shows the entry to the person. */
    status: permanent('waitlist-status'),
    /** Takes the person off the list. */
    leave: permanent('waitlist-leave'),
  };
}

export type WaitlistTokens = ReturnType<typeof createWaitlistTokens>;
