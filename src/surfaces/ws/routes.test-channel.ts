import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { endpoints } from '../../areas/realtime/channels.ts';
import type { Publisher } from '../../platform/bus/types.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';

const testChannel = 'test';

const PublishedView = z
  .object({
    ok: z.literal(true),
    method: z.string(),
    received: z.unknown().describe('The parsed body.'),
    published: z.literal(true),
    published_to: z.literal(testChannel).describe('The channel.'),
    ws: z.array(z.string()).describe('Paths of the WebSockets on which to receive the message.'),
    detail: z.string(),
  })
  .meta({
    examples: [
      {
        ok: true,
        method: 'POST',
        received: { hello: 'world' },
        published: true,
        published_to: testChannel,
        ws: ['/ws/svc/', '/ws/analytics/', '/ws/status/'],
        detail:
          'Published. To receive messages, connect to one of these sockets and subscribe ' +
          'to the channel before you publish.',
      },
    ],
  });

const AnyJson = z
  .unknown()
  .optional()
  .meta({ description: 'Any JSON value. Optional.', examples: [{ hello: 'world' }] });
const config = { rateLimit: limit({ max: 120, seconds: 60, group: 'realtime-test' }) };
const tags = ['realtime'];

type Bus = Pick<Publisher, 'publish'>;

async function publish(
  bus: Bus,
  method: string,
  received: unknown,
): Promise<z.output<typeof PublishedView>> {
  const event = { type: 'test.message', data: { method, received } };
  await bus.publish(testChannel, event).catch((cause: unknown) => {
    throw requestErrors.unavailable({ cause });
  });
  return {
    ok: true,
    method,
    received,
    published: true,
    published_to: testChannel,
    ws: [...endpoints],
    detail:
      'Published. To receive messages, first open one of these sockets and subscribe to ' +
      'the channel, or add ?mode=uni&channels=test to its URL for a receive-only ' +
      'connection.',
  };
}

/** Routes to test the sockets: each request is published on the channel `test`. */
export const testChannelRoutes: FastifyPluginAsyncZod<{ bus: Bus }> = async (app, { bus }) => {
  for (const method of ['GET', 'PUT', 'POST'] as const) {
    app.route({
      method,
      url: '/realtime/test',
      bodyLimit: 4 * 1024,
      config,
      schema: {
        operationId: `realtime.test.${method.toLowerCase()}`,
        summary: 'Test realtime',
        returns: 'The message was published to the channel `test`.',
        description: 'Publishes the body to the public channel `test` and returns where to listen.',
        tags,
        ...(method === 'GET' ? {} : { body: AnyJson }),
        response: { 200: PublishedView },
      },
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        return publish(bus, request.method, request.body ?? null);
      },
    });
  }

  const publicTest = {
    operationId: 'realtime.test_public',
    summary: 'Test realtime, read-only',
    returns: 'The message was published to the channel `test`.',
    description:
      'Publishes an empty message to the channel `test` and returns the WebSocket ' +
      'endpoints to listen on.',
    tags,
    response: { 200: PublishedView },
  };
  app.get('/realtime/test-public', { config, schema: publicTest }, async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    return publish(bus, request.method, null);
  });
};
