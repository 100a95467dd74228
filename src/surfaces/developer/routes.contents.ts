import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { memoizeByObject } from '../../lib/memoize.ts';
import { type Cacheable, sendCacheable } from '../../platform/http/etag.ts';
import type { Surroundings } from './pages.tsx';

const cacheControl = 'public, max-age=300';
const utf8 = (type: string) => (content: string) => ({
  content,
  type: `${type}; charset=utf-8`,
  cacheControl,
});

export const htmlContent = utf8('text/html');
export const textContent = utf8('text/plain');
export const markdownContent = utf8('text/markdown');
export const feedContent = (content: string, type: string) => ({ content, type, cacheControl });

/** The response schemas of operations that send such content. */
export const unchanged = z.undefined().describe('Not modified.');
export const responsesOf = (...types: string[]) => ({
  200: { content: Object.fromEntries(types.map((type) => [type, { schema: z.string() }])) },
  304: unchanged,
});

/** Returns a handler that sends the same content to everyone, created once for each brand. */
export function sendOnce(
  surroundings: () => Surroundings,
  make: (surroundings: Surroundings) => Cacheable | Promise<Cacheable>,
) {
  const contentOf = memoizeByObject(make);
  return async (request: FastifyRequest, reply: FastifyReply) =>
    sendCacheable(request, reply, await contentOf(surroundings()));
}
