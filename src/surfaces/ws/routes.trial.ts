import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Publisher } from '../../platform/bus/types.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { endpoints } from '../../areas/realtime/channels.ts';

const testChannel = 'test';

const RealtimeView = z
  .object({
    ok: z.literal(true),
    method: z.string(),
    received: z.unknown().describe('The body, as it was understood.'),
    published: z.literal(true),
    published_to: z.literal(testChannel).describe('The channel.'),
    ws: z.array(z.string()).describe('Where to listen to it.'),
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
          'Published. To see it, open one of these sockets first and subscribe to the channel.',
      },
    ],
  });

const AnyJson = z
  .unknown()
  .optional()
  .meta({ description: 'Any JSON, or nothing.', examples: [{ hello: 'world' }] });
const counted = { rateLimit: limit({ max: 120, seconds: 60, group: 'realtime-test' }) };

export interface TestChannelOptions {
  bus: Pick<Publisher, 'publish'>;
  /** Makes the document. */
  asyncApi: () => { asyncapi: string };
}

/** What tries the sockets out: each call is told to everybody who listens to `test`. */
export const testChannelRoutes: FastifyPluginAsyncZod<TestChannelOptions> = async (
  app,
  { bus, asyncApi },
) => {
  let document: { asyncapi: string } | undefined;

  async function tell(method: string, received: unknown): Promise<z.output<typeof RealtimeView>> {
    await bus
      .publish(testChannel, { type: 'test.message', data: { method, received } })
      .catch((cause: unknown) => {
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
        'Published. To see it, open one of these sockets first and subscribe to the channel, or add ?mode=uni&channels=test to its address and only listen.',
    };
  }

  for (const method of ['GET', 'PUT', 'POST'] as const) {
    app.route({
      method,
      url: '/test',
      bodyLimit: 4 * 1024,
      config: counted,
      schema: {
        operationId: `realtime.test.${method.toLowerCase()}`,
        summary: 'Test realtime',
        description:
          'Publishes what it got on the channel `test`, which everybody may hear, and says where to listen.',
        tags: ['realtime'],
        ...(method === 'GET' ? {} : { body: AnyJson }),
        response: { 200: RealtimeView },
      },
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        return tell(request.method, request.body ?? null);
      },
    });
  }

  app.get(
    '/test-public',
    {
      config: counted,
      schema: {
        operationId: 'realtime.test_public',
        summary: 'Test realtime, read-only',
        description:
          'Publishes a message without content on the channel `test`, and says where to listen.',
        tags: ['realtime'],
        response: { 200: RealtimeView },
      },
    },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      return tell(request.method, null);
    },
  );

  app.get(
    '/asyncapi.json',
    {
      schema: {
        operationId: 'realtime.asyncapi',
        summary: 'The sockets as an AsyncAPI 3 document',
        description: 'Channels, messages and how to connect, for tools and generators.',
        tags: ['realtime'],
        response: {
          200: z.looseObject({ asyncapi: z.string() }).meta({
            examples: [
              { asyncapi: '3.0.0', info: { title: 'Platform service', version: '0.1.0' } },
            ],
          }),
        },
      },
    },
    async (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=300');
      // Made with the first question: it costs more than the start should.
      document ??= asyncApi();
      return document;
    },
  );
};
