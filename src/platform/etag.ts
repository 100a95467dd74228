import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A strong entity tag (RFC 9110 §8.8.3) for the content of an answer. */
export const etagOf = (content: string): string => `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** True when the If-None-Match header names the tag (RFC 9110 §13.1.2: weak comparison, lists, `*`). */
function names(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) === true;
}

export interface Cacheable {
  content: string;
  /** Its media type. */
  type: string;
  cacheControl: string;
}

/** Answers with a content that caches may keep, or with 304 when the client has it already. */
export function sendCacheable({ headers }: FastifyRequest, reply: FastifyReply, { content, type, cacheControl }: Cacheable): FastifyReply {
  const etag = etagOf(content);
  void reply.headers({ etag, 'cache-control': cacheControl });
  return names(headers['if-none-match'], etag) ? reply.code(304).send() : reply.type(type).send(content);
}
