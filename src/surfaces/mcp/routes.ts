import { PassThrough, pipeline, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendError } from '../../platform/http/error-handler.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { allowCrossOrigin } from '../../platform/http/cross-origin.ts';
import { noStore } from '../../platform/http/security.ts';
import type { Authorization } from './guards.ts';
import { opensStream, readMessage, toCallOf } from './message.ts';
import { hasSlash, mcpPath, metadataPath, protectedResource } from './metadata.ts';
import type { Mcp } from './service.ts';
import { toWebRequest } from './request-context.ts';
import type { Streams } from './streams.ts';
import { mcpErrors } from './errors.ts';

const tags = ['mcp'];
// Cookies are not looked at.
const security = [{ bearerAuth: [] }, { dpopAuth: [] }];
const errors = [
  'request.unauthenticated',
  'mcp.bad_origin',
  'mcp.bad_host',
  'mcp.too_many_streams',
  'blackops.invalid_dpop_proof',
  'blackops.use_dpop_nonce',
];
const example = { jsonrpc: '2.0', id: 1 };
const JsonRpc = z.unknown().meta({
  description: 'A message of JSON-RPC 2.0.',
  examples: [
    {
      ...example,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  ],
});
const answers = {
  200: z.unknown().meta({
    description: 'The answer, or a stream of messages that ends with it.',
    examples: [{ ...example, result: { resultType: 'complete', tools: [] } }],
  }),
  202: z.undefined().describe('A notification was taken.'),
};

const Refusal = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullable(),
    error: z.looseObject({ code: z.int(), message: z.string() }),
  })
  .meta({
    id: 'JsonRpcError',
    description: 'A refusal of the protocol (JSON-RPC 2.0 §5.1).',
    examples: [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } }],
  });
/** What the protocol refuses in its own form; everything else that goes wrong is a problem document. */
const refusals: Record<number, object> = Object.fromEntries(
  Object.entries({
    400: 'The message is none of the protocol, or of a revision that is not spoken here.',
    404: 'There is no such session, or method.',
    405: 'There is no stream without a session.',
    406: 'The client has to accept `application/json` and `text/event-stream`.',
    415: 'Messages are `application/json`.',
  }).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: Refusal } } },
  ]),
);

/** What is no JSON, or too deep to be looked at, is none: the protocol has its own answer to that. */
function readMessages(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      request.server.chargeBody(request, Buffer.byteLength(text));
      return readMessage(text);
    },
  );
}

/** The stream of events, which begins at once: with a comment, since headers are held back until there is something behind them. */
function opened(body: NonNullable<Response['body']>): PassThrough {
  const events = new PassThrough();
  events.write(': stream\n\n');
  pipeline(Readable.fromWeb(body), events, () => undefined);
  return events;
}

async function send(
  reply: FastifyReply,
  response: Response,
  onStream: (events: PassThrough) => void,
): Promise<FastifyReply> {
  void reply.code(response.status);
  response.headers.forEach((value, name) => {
    if (name !== 'connection') void reply.header(name, value);
  });
  if (response.body === null) return reply.send();
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return reply.send(await response.text());
  const events = opened(response.body);
  onStream(events);
  return reply.send(events);
}

/** The endpoint of the Model Context Protocol (Streamable HTTP). */
export const mcpRoutes: FastifyPluginAsyncZod<{
  mcp: Mcp;
  streams: Streams;
  authorization: Authorization;
}> = async (app, { mcp, streams, authorization }) => {
  noStore(app);
  readMessages(app);
  app.setErrorHandler((error, request, reply) =>
    sendError(authorization.withMetadata(error, request), request, reply),
  );
  app.addHook('preClose', () => mcp.close());
  const config = {
    longLived: true,
    rateLimit: limit({ max: 600, seconds: 60, group: 'mcp', failOpen: true }),
  };

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = authorization.callerOf(request);
    // Fastify says null where there is none.
    const message = request.body ?? undefined;
    const name = toCallOf(message);
    if (name !== undefined) authorization.requireScope(mcp.scopeOf(name), caller);
    const isStream = opensStream(request.method, message);
    if (isStream && streams.isFull(caller)) throw mcpErrors.too_many_streams();
    return send(
      reply,
      await mcp.answer(toWebRequest(request, reply), message, caller),
      (events) => {
        if (isStream) streams.hold(caller, events);
      },
    );
  }

  app.post(
    mcpPath,
    {
      config,
      schema: {
        operationId: 'mcp.message',
        summary: 'A message of the Model Context Protocol',
        tags,
        security,
        errors,
        body: JsonRpc,
        response: { ...answers, ...refusals },
        description:
          'Streamable HTTP of the revisions 2026-07-28 (no sessions) and 2025-11-25 and before. Tools that the credential may not use are not listed; calling one is 403 `insufficient_scope`. See the guide.',
      },
    },
    answer,
  );

  app.get(
    mcpPath,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'mcp.stream',
        summary: 'The stream of a session',
        description:
          'Revisions before 2026-07-28 only: what the server tells by itself. 405 without a session.',
        tags,
        security,
        errors,
        response: { 200: answers[200], ...refusals },
      },
    },
    answer,
  );

  app.delete(
    mcpPath,
    {
      config,
      schema: {
        operationId: 'mcp.end',
        summary: 'Ends a session',
        description: 'Revisions before 2026-07-28 only.',
        tags,
        security,
        errors,
        response: { 200: z.undefined().describe('It has ended.'), ...refusals },
      },
    },
    answer,
  );
};

const Metadata = z
  .object({
    resource: z.string(),
    resource_name: z.string(),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_documentation: z.string(),
  })
  .meta({ id: 'ProtectedResourceMetadata' });

/** What clients of the Model Context Protocol read before they come in (RFC 9728). */
export const mcpMetadataRoutes: FastifyPluginAsyncZod<{
  baseUrl: string;
  appName: string;
}> = async (app, { baseUrl, appName }) => {
  allowCrossOrigin(app);
  for (const [path, operationId] of [
    [metadataPath, 'mcp.metadata'],
    [`${metadataPath}${mcpPath}`, 'mcp.own_metadata'],
  ] as const) {
    app.get(
      path,
      {
        schema: {
          operationId,
          summary: 'Metadata of the protected resource',
          description: 'RFC 9728. `resource` has a slash at its end where the address has one.',
          tags,
          response: { 200: Metadata },
        },
      },
      async ({ url }, reply) => {
        void reply.header('cache-control', 'public, max-age=3600');
        return protectedResource(baseUrl, appName, path !== metadataPath && hasSlash(url));
      },
    );
  }
};
