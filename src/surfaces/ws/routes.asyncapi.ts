import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type AsyncApiOptions, createAsyncApi } from './asyncapi.ts';

/** Serves the AsyncAPI document. It is created on the first request, so as not to delay startup. */
export const asyncApiRoute: FastifyPluginAsyncZod<AsyncApiOptions> = async (app, options) => {
  let document: { asyncapi: string } | undefined;

  app.get(
    '/realtime/asyncapi.json',
    {
      schema: {
        operationId: 'realtime.asyncapi',
        summary: 'Get the AsyncAPI document for the WebSockets',
        returns: 'The AsyncAPI 3 document.',
        description: 'Channels, messages and connection details, for tools and code generators.',
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
      return (document ??= createAsyncApi(options));
    },
  );
};
