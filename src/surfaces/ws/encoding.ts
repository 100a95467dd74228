import type { Publication } from '../../platform/bus/types.ts';
import type { ProtocolError } from './codes.ts';

/** A publication as the protocol has it, with its offset. */
export function publicationJson({ json, offset }: Publication): string {
  return offset === 0 ? json : `${json.slice(0, -1)},"offset":${offset}}`;
}

/** What is pushed to who subscribed by command. */
export function pushJson(channelJson: string, publication: Publication): string {
  return `{"push":{"channel":${channelJson},"${publication.kind}":${publicationJson(publication)}}}`;
}

/** What is pushed to who only listens (the unidirectional form). */
export function uniPushJson(channelJson: string, publication: Publication): string {
  return `{"channel":${channelJson},"${publication.kind}":${publicationJson(publication)}}`;
}

/** A reply. `result` is JSON. */
export const replyJson = (id: number, method: string, result: string): string =>
  `{"id":${id},"${method}":${result}}`;

export const errorJson = (id: number, error: ProtocolError): string =>
  JSON.stringify({ id, error });

/** An object as JSON, with publications in it that are JSON already. */
export function withPublications(
  object: Readonly<Record<string, unknown>>,
  publications: readonly Publication[],
): string {
  const json = JSON.stringify(object);
  if (publications.length === 0) return json;
  return `${json.slice(0, -1)},"publications":[${publications.map(publicationJson).join(',')}]}`;
}
