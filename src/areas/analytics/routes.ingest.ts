import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { analyticsErrors } from './errors.ts';
import type { Ingest } from './ingest.ts';
import { pixelEvent, pixelGif } from './pixel.ts';
import { requestContext } from './request-context.ts';
import { BatchBody, IngestResult, PixelQuery, TrackBody } from './schemas.ts';

const limits = {
  single: 64 * 1024,
  publicBatch: { bytes: 1024 ** 2, events: 500 },
  keyedBatch: { bytes: 10 * 1024 ** 2, events: 2000 },
};

const tags = ['analytics'];

/** Pixel, single events and batches. Open to everybody; an API key that may write gets the wider limits. */
export const ingestRoutes: FastifyPluginAsyncZod<{ ingest: Ingest }> = async (app, { ingest }) => {
  app.get('/pixel.gif', {
    config: { quiet: true },
    schema: {
      operationId: 'analytics.pixel',
      summary: 'Count a page view with an image',
      description: 'Always answers the image, so that no page shows a broken one; `x-svc-reason` says why nothing was counted.',
      tags,
      querystring: PixelQuery,
    },
  }, (request, reply) => {
    const input = pixelEvent(request.query, request.headers.referer);
    void reply
      .header('cache-control', 'no-store')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/gif');
    if (input === undefined) void reply.header('x-svc-reason', 'invalid');
    else ingest.later(input, requestContext(request, ingest.now()));
    return reply.send(pixelGif);
  });

  app.post('/track/', {
    bodyLimit: limits.single,
    config: { quiet: true },
    schema: {
      operationId: 'analytics.track',
      summary: 'Store one event',
      description: 'The answer comes when the event is on disk. Send your own `id` and you may retry as often as you like.',
      tags,
      body: TrackBody,
      response: { 200: IngestResult },
    },
  }, async (request) => {
    const outcome = await ingest.one(request.body, requestContext(request, ingest.now()));
    return { ...outcome, request_id: request.id };
  });

  app.post('/batch/', {
    bodyLimit: limits.keyedBatch.bytes,
    config: { quiet: true },
    schema: {
      operationId: 'analytics.batch',
      summary: 'Store many events',
      description: 'The good events are stored even when others are bad; `rejected` lists those with their index and reason.',
      tags,
      body: BatchBody,
      response: { 200: IngestResult },
    },
  }, async (request) => {
    const context = requestContext(request, ingest.now());
    const { events, sent_at: sentAt } = request.body;
    const limit = context.keyed ? limits.keyedBatch : limits.publicBatch;
    if (events.length > limit.events) throw analyticsErrors.too_many_events();
    const outcome = await ingest.many(events, sentAt, context);
    return { ...outcome, request_id: request.id };
  });
};
