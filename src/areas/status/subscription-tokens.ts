import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../lib/secrets.ts';
import type { Keys } from '../../platform/keys.ts';

const form = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/;

/** An id and what proves that it was given to who shows it. */
export interface Shown {
  id: string;
  proof: string;
}

/** Reads a token; undefined for what can't be one. */
export function readToken(token: string): Shown | undefined {
  const [, id, proof] = form.exec(token) ?? [];
  return id === undefined || proof === undefined ? undefined : { id, proof };
}

/** The tokens of mails about the status: `id.proof`, where the proof is an HMAC-SHA-256 that is made again whenever it is needed. */
export function createSubscriptionTokens(keys: Keys) {
  const proof = (purpose: string, text: string) => createHmac('sha256', keys(purpose)).update(text).digest('base64url');
  return {
    /** Good for the row as it asked at this time (Unix ms); the store has the hash. */
    confirmation: (id: string, askedAt: number): Shown => ({ id, proof: proof('status-confirm', `${id} ${askedAt}`) }),
    unsubscription: (id: string): Shown => ({ id, proof: proof('status-unsubscribe', id) }),
    isUnsubscription: ({ id, proof: shown }: Shown): boolean => equalSecrets(shown, proof('status-unsubscribe', id)),
  };
}

/** As it stands in a link. */
export const writeToken = ({ id, proof }: Shown): string => `${id}.${proof}`;
