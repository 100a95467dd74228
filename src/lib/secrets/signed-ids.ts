import { createHmac } from 'node:crypto';

const form = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/;

/** An id (UUID) and what proves that it was given to who shows it. */
export interface SignedId {
  id: string;
  proof: string;
}

/** HMAC-SHA-256 of a text, base64url: made again whenever it is needed. */
export const hmacText = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** As it stands in a link: `id.proof`. */
export const formatSignedId = ({ id, proof }: SignedId): string => `${id}.${proof}`;

/** Reads what `formatSignedId` wrote, else undefined. Does not check the proof. */
export function parseSignedId(token: string): SignedId | undefined {
  const [, id, proof] = form.exec(token) ?? [];
  return id === undefined || proof === undefined ? undefined : { id, proof };
}
