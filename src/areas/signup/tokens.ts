import { createHmac } from 'node:crypto';
import type { Keys } from '../../platform/keys.ts';

const form = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/;

/** The id of a signup, and what proves that it was given to who shows it. */
export interface Shown {
  id: string;
  proof: string;
}

/** Reads a token; undefined for what can't be one. */
export function readToken(token: string): Shown | undefined {
  const [, id, proof] = form.exec(token) ?? [];
  return id === undefined || proof === undefined ? undefined : { id, proof };
}

/** What confirms a signup that was asked for at this time (Unix ms): `id.proof`, where the proof is an HMAC-SHA-256. The store has its hash. */
export const createTokens = (keys: Keys) => (id: string, askedAt: number): Shown =>
  ({ id, proof: createHmac('sha256', keys('signup-confirm')).update(`${id} ${askedAt}`).digest('base64url') });

/** As it stands in the link. */
export const writeToken = ({ id, proof }: Shown): string => `${id}.${proof}`;
