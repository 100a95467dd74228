import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendCacheable } from '../../../platform/http/etag.ts';
import { StatusSummary } from '../schemas.ts';
import type { StatusContext } from '../compose.ts';

/** The public status of the service. */
export const statusRoutes: FastifyPluginAsyncZod<Pick<StatusContext, 'status'>> = async (
  app,
  { status },
) => {
  app.get(
    '/api/status',
    {
      schema: {
        operationId: 'status.get',
        summary: 'Get the status of the service',
        description:
          'In the format of a Statuspage summary. Send the `ETag` as `If-None-Match` ' +
          'to get 304 while nothing has changed. `page.updated_at`, the time of the last ' +
          'check, changes once a minute.',
        tags: ['status'],
        response: {
          200: { content: { 'application/json': { schema: StatusSummary } } },
          304: z.undefined().describe('Not modified.'),
        },
      },
    },
    async (request, reply) =>
      sendCacheable(request, reply, {
        content: JSON.stringify(status.summary()),
        type: 'application/json; charset=utf-8',
        cacheControl: 'public, max-age=30, stale-while-revalidate=60',
      }),
  );
};
