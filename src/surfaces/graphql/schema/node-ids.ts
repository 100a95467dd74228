import { graphqlErrors } from '../errors.ts';

/** Types whose objects have global ids. */
const kinds = [
  'Viewer',
  'Session',
  'Device',
  'ApiKey',
  'AuditEvent',
  'Component',
  'Incident',
  'Maintenance',
  'Site',
] as const;
export type NodeKind = (typeof kinds)[number];

/** The global id of something: `Incident:…` as base64url. */
export const toNodeId = (kind: string, rawId: string): string =>
  Buffer.from(`${kind}:${rawId}`).toString('base64url');

/** Kind and id in the REST API; undefined for what is no global id. */
export function readNodeId(text: string): { kind: NodeKind; rawId: string } | undefined {
  const [, name = '', rawId = ''] =
    /^([A-Za-z]+):([^]{1,128})$/.exec(Buffer.from(text.slice(0, 512), 'base64url').toString()) ??
    [];
  const kind = kinds.find((each) => each === name);
  // One thing has one id: other spellings of the same bytes are none.
  return kind === undefined || toNodeId(kind, rawId) !== text ? undefined : { kind, rawId };
}

/** The id in the REST API of something of this kind. Throws `graphql.not_found`. */
export function rawIdOf(kind: NodeKind, text: string): string {
  const read = readNodeId(text);
  if (read?.kind !== kind) throw graphqlErrors.not_found();
  return read.rawId;
}
