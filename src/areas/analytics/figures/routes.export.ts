import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { attachment } from '../../../lib/net/header-text.ts';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { contentTypes, type Exports } from './exports.ts';
import { queryErrors } from './query-errors.ts';
import { ExportBody } from './schemas.export.ts';

/** Raw events as NDJSON, CSV or Parquet. */
export const exportRoutes: FastifyPluginAsyncZod<{ exports: Exports }> = async (
  app,
  { exports },
) => {
  app.post(
    '/export/events',
    {
      config: { longLived: true, rateLimit: limit({ max: 30, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'analytics.export_events',
        summary: 'Export raw events',
        description:
          'Streamed, ordered by time and then by id, oldest first. If some rows cannot ' +
          'be sent, the connection closes early, so a response that completes is a ' +
          'complete export.',
        tags: ['analytics'],
        body: ExportBody,
        errors: ['analytics.site_unknown', ...queryErrors],
        response: {
          200: {
            description: 'The events, in the requested format.',
            content: {
              'application/x-ndjson': {
                schema: z.any().meta({
                  type: 'string',
                  examples: [
                    '{"id":"01985f6e-3a10-7c41-9d52-5b8e2f7a1c04",' +
                      '"site_id":"example.com","event":"pageview"}\n',
                  ],
                }),
              },
              'text/csv': {
                schema: z.any().meta({
                  type: 'string',
                  examples: [
                    'id,site_id,event\n01985f6e-3a10-7c41-9d52-5b8e2f7a1c04,example.com,pageview\n',
                  ],
                }),
              },
              'application/vnd.apache.parquet': {
                schema: z.any().meta({ type: 'string', format: 'binary', examples: ['PAR1…'] }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { format, parts } = await exports.exportEvents(
        request.body,
        requesterOf(request, reply),
      );
      return reply
        .type(contentTypes[format])
        .header('content-disposition', attachment(`events.${format}`))
        .header('cache-control', 'no-store')
        .send(Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 }));
    },
  );
};
