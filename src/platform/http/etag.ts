import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { memoize, memoizeByObject } from '../../lib/memoize.ts';
import { varyOn } from './vary.ts';

/** A strong entity tag (RFC 9110 §8.8.3) for the content of an answer. */
const etagOf = (content: string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** Whether If-None-Match names the tag (RFC 9110 §13.1.2: weak comparison, lists, `*`). */
function matchesEtag(header: string | undefined, etag: string): boolean {
  return (
    header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) === true
  );
}

export interface Cacheable {
  content: string;
  /** Its media type. */
  type: string;
  cacheControl: string;
}

/** A public page's tag and bytes are its main cost: kept as long as its object. */
const prepared = memoizeByObject(({ content }: Cacheable) => ({
  etag: etagOf(content),
  bytes: Buffer.from(content),
}));

// Less than this is one packet in any case.
const minGzipBytes = 1400;
// By the text too: what is put together for each request is most often the same as before.
const gzip = memoize((content) => gzipSync(content), 100);
/** Another form of the same has another strong tag (RFC 9110 §8.8.3.3). */
const gzipped = memoizeByObject((answer: Cacheable) => ({
  etag: prepared(answer).etag.replace(/"$/, '-gz"'),
  bytes: gzip(answer.content),
  encoding: 'gzip',
}));

/** True when the Accept-Encoding header takes gzip (RFC 9110 §12.5.3). */
const takesGzip = (header: string | string[] | undefined): boolean =>
  typeof header === 'string' &&
  /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(header);

/** Names the one of two forms that the client gets, and says that it depends on what it takes. */
function formOf(
  headers: FastifyRequest['headers'],
  reply: FastifyReply,
  answer: Cacheable,
): { etag: string; bytes: Buffer; encoding?: string } {
  const plain = prepared(answer);
  if (plain.bytes.length < minGzipBytes) return plain;
  varyOn(reply, 'accept-encoding');
  return takesGzip(headers['accept-encoding']) ? gzipped(answer) : plain;
}

/**
 * Answers with a content that caches may keep, with gzip for who takes it, or with 304 when the
 * client has it already. Nothing that belongs to one person may be in it: beside what others
 * choose, the length of a compressed secret tells it (BREACH).
 */
export function sendCacheable(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: Cacheable,
): FastifyReply {
  const { etag, bytes, encoding } = formOf(headers, reply, answer);
  void reply.headers({ etag, 'cache-control': answer.cacheControl });
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.type(answer.type).send(bytes);
}
