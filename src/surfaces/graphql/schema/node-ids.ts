import { graphqlErrors } from '../errors.ts';

/** Encodes a global id: `Incident:…` as base64url. */
export const toNodeId = (kind: string, rawId: string): string =>
  Buffer.from(`${kind}:${rawId}`).toString('base64url');

/** Decodes a global id to its type and id in the REST API; undefined for invalid ones. */
export function readNodeId(text: string): { kind: string; rawId: string } | undefined {
  const [, kind = '', rawId = ''] =
    /^([A-Za-z]+):([^]{1,128})$/.exec(Buffer.from(text.slice(0, 512), 'base64url').toString()) ??
    [];
  // Only the canonical encoding is valid, so that each object has exactly one id.
  return toNodeId(kind, rawId) !== text ? undefined : { kind, rawId };
}

/** Decodes a global id of this kind to the id in the REST API. Throws `graphql.not_found`. */
export function rawIdOf(kind: string, text: string): string {
  const read = readNodeId(text);
  if (read?.kind !== kind) throw graphqlErrors.not_found();
  return read.rawId;
}
