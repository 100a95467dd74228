import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { createPacedQueue } from '../../../lib/concurrency/paced-queue.ts';
import { createEndOfTurn } from '../../../lib/concurrency/end-of-turn.ts';
import { acceptJsonAs } from '../../../platform/http/body-parsers.ts';
import { limit } from '../../../platform/http/rate-limit.ts';
import { allowCrossOrigin } from '../../../platform/http/cross-origin.ts';
import { answerWith } from '../../../platform/http/security.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { acceptGzip } from './encoding.ts';
import { analyticsErrors } from '../errors.ts';
import type { Ingest, IngestOutcome } from './ingest.ts';
import { createPixelReader, pixelGif } from './pixel.ts';
import { requestContext } from './request-context.ts';
import { BatchBody, IngestResult, PixelParameters, TrackBody } from './schemas.ts';

const limits = {
  single: 64 * 1024,
  publicBatch: { bytes: 1024 ** 2, events: 500 },
  keyedBatch: { bytes: 10 * 1024 ** 2, events: 2000 },
};

/**
 * 50 for each event of a batch: all fields that there are, or thirty properties and the usual
 * fields.
 */
const jsonValues = { open: 25_000, keyed: 100_000 };

/** What batches may take of one turn of the event loop. */
const batchMs = 1;

const tags = ['analytics'];
// Beacons can't say that they send JSON.
const consumes = ['application/json', 'text/plain'];

// While Redis is away events go on: losing them would be worse than a flood. Programs with a key
// send for many people.
const ingestLimit = limit({ max: 1200, seconds: 60, failOpen: true, withCredential: 12_000 });

/** A single event that can't be stored is a body that fails validation. */
function refuseRejected({ rejected }: IngestOutcome): void {
  const [rejection] = rejected;
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

/** `answer` makes nothing but what the schema declares: nothing has to be checked or left out. */
const asItIs = () => (result: unknown) => JSON.stringify(result);

const answer = (
  { accepted, duplicates, rejected, dropped }: IngestOutcome,
  { id }: FastifyRequest,
): IngestResult => ({ accepted, duplicates, rejected, dropped, request_id: id });

/**
 * Pixel, single events and batches. Open to everybody; an API key that may write gets the wider
 * limits.
 */
export const ingestRoutes: FastifyPluginAsyncZod<{ ingest: Ingest }> = async (app, { ingest }) => {
  allowCrossOrigin(app);
  // Answers to beacons are read by scripts at most: what protects pages only costs bytes on every
  // page view.
  answerWith(app, {
    'cross-origin-opener-policy': undefined,
    'permissions-policy': undefined,
    'referrer-policy': undefined,
  });
  acceptJsonAs(app, ['text/plain']);
  acceptGzip(app);

  const endOfTurn = createEndOfTurn();
  const atPace = createPacedQueue(batchMs);
  const readPixel = createPixelReader();

  /** Takes the page view, and says why when it does not count. Nobody waits for the disk. */
  function pixelReason(
    query: PixelParameters,
    request: FastifyRequest,
  ): string | undefined | Promise<string | undefined> {
    if (request.method === 'HEAD') return 'head';
    const view = readPixel(request.raw.url ?? '', query, request.headers.referer);
    if ('input' in view)
      return ingest.trackWithoutWaiting(view.input, requestContext(request, ingest.now()));
    ingest.countRejected(query.site, 'invalid');
    return `invalid ${view.mistake}`;
  }

  app.get(
    '/pixel.gif',
    {
      config: { quiet: true, rateLimit: ingestLimit },
      schema: {
        operationId: 'analytics.pixel',
        summary: 'Count a page view with an image',
        description:
          'Always answers the image, so that no page shows a broken one; `x-svc-reason` says why nothing was counted.',
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
      const reason = pixelReason(request.query, request);
      void reply.header('cache-control', 'no-store').header('content-type', 'image/gif');
      const shown = typeof reason === 'object' ? await reason : reason;
      if (shown !== undefined) void reply.header('x-svc-reason', shown);
      await endOfTurn();
      return pixelGif;
    },
  );

  app.post(
    '/track',
    {
      bodyLimit: limits.single,
      serializerCompiler: asItIs,
      config: { quiet: true, rateLimit: ingestLimit },
      schema: {
        operationId: 'analytics.track',
        summary: 'Store one event',
        description:
          'The answer comes when the event is on disk. Send your own `id` and you may retry as often as you like.',
        tags,
        consumes,
        body: TrackBody,
        errors: [
          'analytics.encoding',
          'analytics.address_budget',
          'analytics.site_budget',
          'analytics.ids_loading',
          'analytics.backlog',
          'analytics.not_durable',
        ],
        response: { 200: IngestResult },
      },
    },
    (request) =>
      ingest.track(request.body, requestContext(request, ingest.now())).then((outcome) => {
        refuseRejected(outcome);
        return answer(outcome, request);
      }),
  );

  app.post(
    '/batch',
    {
      bodyLimit: limits.keyedBatch.bytes,
      config: {
        quiet: true,
        rateLimit: ingestLimit,
        publicBodyLimit: limits.publicBatch.bytes,
        jsonValues,
      },
      schema: {
        operationId: 'analytics.batch',
        summary: 'Store many events',
        description:
          'The good events are stored even when others are bad; `rejected` lists those with their index and reason.',
        tags,
        consumes,
        body: BatchBody,
        errors: [
          'analytics.encoding',
          'analytics.too_many_events',
          'analytics.address_budget',
          'analytics.site_budget',
          'analytics.ids_loading',
          'analytics.backlog',
          'analytics.not_durable',
        ],
        response: { 200: IngestResult },
      },
    },
    async (request) => {
      const context = requestContext(request, ingest.now());
      const { events, sent_at: sentAt } = request.body;
      const limit = context.isTrusted ? limits.keyedBatch : limits.publicBatch;
      if (events.length > limit.events) throw analyticsErrors.too_many_events();
      return answer(await atPace(() => ingest.trackBatch(events, sentAt, context)), request);
    },
  );
};
