import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { memoize, memoizeByObject } from '../../lib/memoize.ts';
import { varyOn } from './vary.ts';

/** Returns a strong entity tag (RFC 9110 §8.8.3) for the content of a response. */
const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** True when If-None-Match has the tag (RFC 9110 §13.1.2: weak comparison, lists, `*`). */
function matchesEtag(header: string | undefined, etag: string): boolean {
  return (
    header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) === true
  );
}

export interface Cacheable {
  /** Text, or bytes that are not worth compressing. */
  content: string | Buffer;
  /** Its media type. */
  type: string;
  cacheControl: string;
  /** A file of the build: it stays as it is, which pays for Brotli. */
  isBuilt?: boolean;
}

/** Tag and bytes are the main cost of a public page, so they are cached with its object. */
const plainForm = memoizeByObject(({ content }: Cacheable) => ({
  etag: etagOf(content),
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
}));

// A smaller response fits into one packet anyway.
const minGzipBytes = 1400;
// Cached by text as well: content rendered for each request is mostly unchanged.
const gzip = memoize((content) => gzipSync(content), 100);
/** The gzip form, whose strong tag must differ from the plain form's (RFC 9110 §8.8.3.3). */
const gzipForm = memoizeByObject((answer: Cacheable & { content: string }) => ({
  etag: plainForm(answer).etag.replace(/"$/, '-gz"'),
  bytes: gzip(answer.content),
  encoding: 'gzip',
}));

const { BROTLI_PARAM_QUALITY } = constants;
/** The process stops while it compresses: the highest, 11, takes three times as long. */
const brotliQuality = 9;
/** Larger files would stop it for a fifth of a second, and gain little over gzip. */
const maxBrotliBytes = 100_000;

const brotliForm = memoizeByObject((answer: Cacheable & { content: string }) => ({
  etag: plainForm(answer).etag.replace(/"$/, '-br"'),
  bytes: brotliCompressSync(answer.content, { params: { [BROTLI_PARAM_QUALITY]: brotliQuality } }),
  encoding: 'br',
}));

/** Returns whether an Accept-Encoding header accepts a coding (RFC 9110 §12.5.3). */
function createAccepts(coding: 'br' | 'gzip') {
  const entry = `(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[\\d.]+\\s*)?(?:,|$)`;
  const pattern = new RegExp(entry, 'i');
  return (header: string | string[] | undefined): boolean =>
    typeof header === 'string' && pattern.test(header);
}
const acceptsBrotli = createAccepts('br');
const acceptsGzip = createAccepts('gzip');

const isText = (answer: Cacheable): answer is Cacheable & { content: string } =>
  typeof answer.content === 'string';

/** Chooses the plain or a compressed form for the client, and adds `Vary: accept-encoding`. */
function chooseForm(
  headers: FastifyRequest['headers'],
  reply: FastifyReply,
  answer: Cacheable,
): { etag: string; bytes: Buffer; encoding?: string } {
  const plain = plainForm(answer);
  if (!isText(answer) || plain.bytes.length < minGzipBytes) return plain;
  varyOn(reply, 'accept-encoding');
  const accepted = headers['accept-encoding'];
  const paysOff = answer.isBuilt === true && plain.bytes.length <= maxBrotliBytes;
  if (paysOff && acceptsBrotli(accepted)) return brotliForm(answer);
  return acceptsGzip(accepted) ? gzipForm(answer) : plain;
}

/**
 * Sends cacheable content, compressed if the client accepts it, or 304 if the client has it.
 * The content must hold nothing personal: compressed next to attacker-chosen text, the length of a
 * secret reveals it (BREACH).
 */
export function sendCacheable(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: Cacheable,
): FastifyReply {
  const { etag, bytes, encoding } = chooseForm(headers, reply, answer);
  void reply.headers({ etag, 'cache-control': answer.cacheControl });
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.type(answer.type).send(bytes);
}
