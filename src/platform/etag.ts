import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rememberingFor } from '../lib/remembering.ts';

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

/** What a page that is shown to everybody costs most is its tag and its bytes: whoever keeps the object keeps them. */
const prepared = rememberingFor(({ content }: Cacheable) => ({ etag: etagOf(content), bytes: Buffer.from(content) }));

/** Answers with a content that caches may keep, or with 304 when the client has it already. */
export function sendCacheable({ headers }: FastifyRequest, reply: FastifyReply, answer: Cacheable): FastifyReply {
  const { etag, bytes } = prepared(answer);
  void reply.headers({ etag, 'cache-control': answer.cacheControl });
  return names(headers['if-none-match'], etag) ? reply.code(304).send() : reply.type(answer.type).send(bytes);
}
