import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { StatusSummary } from './schemas.ts';
import type { Status } from './service.ts';

const etagOf = (summary: StatusSummary) => `"${createHash('sha256').update(JSON.stringify(summary)).digest('base64url').slice(0, 22)}"`;

/** True when the If-None-Match header names the tag (RFC 9110 §13.1.2: weak comparison, lists, `*`). */
function names(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) === true;
}

/** The state of the service for the public. */
export const statusRoutes: FastifyPluginAsyncZod<{ status: Status }> = async (app, { status }) => {
  app.get('/', {
    schema: {
      operationId: 'status.get',
      summary: 'Status of the service',
      description: 'In the shape of a Statuspage summary. Send the `ETag` back as `If-None-Match` to get 304 while nothing has changed.',
      tags: ['status'],
      response: { 200: StatusSummary, 304: z.undefined().describe('Nothing has changed.') },
    },
  }, async (request, reply) => {
    const summary = status.summary();
    const etag = etagOf(summary);
    void reply.header('etag', etag).header('cache-control', 'public, max-age=30, stale-while-revalidate=60');
    if (!names(request.headers['if-none-match'], etag)) return summary;
    void reply.code(304);
    return undefined;
  });
};
