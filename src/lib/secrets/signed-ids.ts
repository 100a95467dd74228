import { createHmac } from 'node:crypto';

const form = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/;

/** An id (UUID) and the proof that this service issued it. */
export interface SignedId {
  id: string;
  proof: string;
}

/** Returns the HMAC-SHA-256 of a text as base64url. */
export const hmacText = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** Formats a signed id for a link: `id.proof`. */
export const formatSignedId = ({ id, proof }: SignedId): string => `${id}.${proof}`;

/** Parses the output of `formatSignedId`; undefined for other texts. Does not verify the proof. */
export function parseSignedId(token: string): SignedId | undefined {
  const [, id, proof] = form.exec(token) ?? [];
  return id === undefined || proof === undefined ? undefined : { id, proof };
}
