import type { Publication } from '../../platform/bus/types.ts';
import type { ProtocolError } from './codes.ts';

/** A publication of the protocol, with its offset. */
const publicationJson = ({ json, offset }: Publication): string =>
  offset === 0 ? json : `${json.slice(0, -1)},"offset":${offset}}`;

/** A push of the bidirectional protocol. */
export const pushJson = (channelJson: string, publication: Publication): string =>
  `{"push":{"channel":${channelJson},"${publication.kind}":${publicationJson(publication)}}}`;

/** A push of the unidirectional protocol. */
export const uniPushJson = (channelJson: string, publication: Publication): string =>
  `{"channel":${channelJson},"${publication.kind}":${publicationJson(publication)}}`;

/** A reply. `result` is JSON. */
export const replyJson = (id: number, method: string, result: string): string =>
  `{"id":${id},"${method}":${result}}`;

export const errorJson = (id: number, error: ProtocolError): string =>
  JSON.stringify({ id, error });

/** Serializes an object, and adds publications that are JSON already. */
export function withPublications(
  object: Readonly<Record<string, unknown>>,
  publications: readonly Publication[],
): string {
  const json = JSON.stringify(object);
  if (publications.length === 0) return json;
  return `${json.slice(0, -1)},"publications":[${publications.map(publicationJson).join(',')}]}`;
}
