import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { createEndOfTurn } from '../../../lib/concurrency/end-of-turn.ts';
import { createPacedQueue } from '../../../lib/concurrency/paced-queue.ts';
import { acceptBeacons } from '../../../platform/http/body-parsers.ts';
import { allowCrossOrigin } from '../../../platform/http/cross-origin.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { changeResponseHeaders } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { analyticsErrors } from '../errors.ts';
import type { IngestOutcome } from './collector.ts';
import { acceptGzip } from './encoding.ts';
import type { Ingest } from './ingest.ts';
import { createPixelReader, pixelGif } from './pixel.ts';
import { requestContext } from './request-context.ts';
import { BatchBody, EventInput, IngestResult, PixelParameters } from './schemas.ts';

interface IngestRoutesOptions {
  ingest: Ingest;
}

const maxEventBytes = 64 * 1024;
const publicBatch = { bytes: 1024 ** 2, events: 500 };
const trustedBatch = { bytes: 10 * 1024 ** 2, events: 2000 };

/** 50 per event of a batch: all fields, or thirty properties and the usual fields. */
const jsonValues = { open: 25_000, keyed: 100_000 };

/** Time that batches may take per turn of the event loop. */
const batchMs = 1;

const tags = ['analytics'];
// Beacons can't set the content type to JSON. Some send that of a form, or none.
const consumes = ['application/json', 'text/plain'];

// Without Redis, events are still accepted: losing them would be worse than a flood. Programs with
// a key send on behalf of many visitors.
const ingestLimit = limit({ max: 1200, seconds: 60, failOpen: true, withCredential: 12_000 });

const errors = [
  'analytics.encoding',
  'analytics.address_budget',
  'analytics.site_budget',
  'analytics.ids_loading',
  'analytics.backlog',
  'analytics.not_durable',
] as const;

/** Turns the rejection of a single event into a validation error of the body. */
function throwIfRejected({ rejected: [rejection] }: IngestOutcome): void {
  if (rejection === undefined) return;
  const { field, message, code } = rejection;
  const loc = field === undefined ? ['body'] : ['body', ...field.split('.')];
  throw new RequestValidationError([
    {
      type: 'value_error',
      loc,
      msg: `Value error, ${message}`,
      input: null,
      ctx: { error: {}, code },
    },
  ]);
}

const toResult = (
  { accepted, duplicates, rejected, dropped }: IngestOutcome,
  { id }: FastifyRequest,
): IngestResult => ({ accepted, duplicates, rejected, dropped, request_id: id });

/** `toResult` returns only what the schema declares: no need to validate or strip. */
const plainJson = () => (result: unknown) => JSON.stringify(result);

function trackPixel(app: ZodApp, { ingest }: IngestRoutesOptions): void {
  const endOfTurn = createEndOfTurn();
  const readPixel = createPixelReader();

  /** Counts the page view. Returns the reason if it does not count. Does not await the write. */
  function track(
    query: PixelParameters,
    request: FastifyRequest,
  ): string | undefined | Promise<string | undefined> {
    if (request.method === 'HEAD') return 'head';
    const event = readPixel(request.raw.url ?? '', query, request.headers.referer);
    if ('input' in event)
      return ingest.trackWithoutWaiting(event.input, requestContext(request, ingest.now()));
    ingest.countRejected(query.site, 'invalid');
    return `invalid ${event.invalidParameter}`;
  }

  app.get(
    '/analytics/pixel.gif',
    {
      config: { quiet: true, rateLimit: ingestLimit },
      schema: {
        operationId: 'analytics.track_pixel',
        summary: 'Track a page view with an image',
        description:
          'Always returns the image, so that pages never show a broken one. ' +
          '`x-svc-reason` says why an event was not counted.',
        tags,
        querystring: PixelParameters,
        response: {
          200: {
            description: 'The image: one transparent pixel.',
            content: {
              'image/gif': {
                schema: z.any().meta({ type: 'string', format: 'binary', examples: ['GIF89a…'] }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const tracked = track(request.query, request);
      void reply.header('cache-control', 'no-store').header('content-type', 'image/gif');
      const reason = typeof tracked === 'object' ? await tracked : tracked;
      if (reason !== undefined) void reply.header('x-svc-reason', reason);
      await endOfTurn();
      return pixelGif;
    },
  );
}

function trackEvent(app: ZodApp, { ingest }: IngestRoutesOptions): void {
  app.post(
    '/analytics/track',
    {
      bodyLimit: maxEventBytes,
      serializerCompiler: plainJson,
      config: { quiet: true, rateLimit: ingestLimit },
      schema: {
        operationId: 'analytics.track_event',
        summary: 'Track an event',
        description: 'Responds once the event is on disk. Send your own `id` to make retries safe.',
        tags,
        consumes,
        body: EventInput,
        errors,
        response: { 200: IngestResult },
      },
    },
    (request) =>
      ingest.track(request.body, requestContext(request, ingest.now())).then((outcome) => {
        throwIfRejected(outcome);
        return toResult(outcome, request);
      }),
  );
}

function trackBatch(app: ZodApp, { ingest }: IngestRoutesOptions): void {
  const inQueue = createPacedQueue(batchMs);
  app.post(
    '/analytics/batch',
    {
      bodyLimit: trustedBatch.bytes,
      config: {
        quiet: true,
        rateLimit: ingestLimit,
        publicBodyLimit: publicBatch.bytes,
        jsonValues,
      },
      schema: {
        operationId: 'analytics.track_batch',
        summary: 'Track a batch of events',
        description:
          'Valid events are stored even if others are invalid. `rejected` lists the ' +
          'invalid ones with index and reason.',
        tags,
        consumes,
        body: BatchBody,
        errors: ['analytics.too_many_events', ...errors],
        response: { 200: IngestResult },
      },
    },
    async (request) => {
      const context = requestContext(request, ingest.now());
      const { events, sent_at: sentAt } = request.body;
      const { events: maxEvents } = context.isTrusted ? trustedBatch : publicBatch;
      if (events.length > maxEvents) throw analyticsErrors.too_many_events();
      return toResult(await inQueue(() => ingest.trackBatch(events, sentAt, context)), request);
    },
  );
}

/** Pixel, single events and batches. Public; trusted requests get higher limits. */
export const ingestRoutes: FastifyPluginAsyncZod<IngestRoutesOptions> = async (app, options) => {
  allowCrossOrigin(app);
  // Only scripts read these responses: headers that protect pages would just cost bytes.
  changeResponseHeaders(app, {
    'cross-origin-opener-policy': undefined,
    'permissions-policy': undefined,
    'referrer-policy': undefined,
  });
  acceptBeacons(app);
  acceptGzip(app);
  trackPixel(app, options);
  trackEvent(app, options);
  trackBatch(app, options);
};
