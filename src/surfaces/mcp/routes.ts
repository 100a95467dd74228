import { PassThrough, pipeline, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptsType } from '../../lib/net/accept.ts';
import { sendError } from '../../platform/http/error-handler.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import { mcpErrors } from './errors.ts';
import { callerOf, requireScope, withMetadata } from './guards.ts';
import { calledTool, opensStream, readMessage } from './message.ts';
import { mcpPath } from './metadata.ts';
import { JsonRpcMessage, JsonRpcResponse, protocolErrors } from './schemas.ts';
import type { Mcp } from './service.ts';
import type { Streams } from './sessions/streams.ts';

export interface McpRoutesOptions {
  mcp: Mcp;
  streams: Streams;
  baseUrl: string;
}

const config = {
  longLived: true,
  rateLimit: limit({ max: 600, seconds: 60, group: 'mcp', failOpen: true }),
};
const shared = {
  tags: ['mcp'],
  // Cookies are ignored.
  security: [{ bearerAuth: [] }, { dpopAuth: [] }],
  errors: [
    'request.unauthenticated',
    'mcp.bad_origin',
    'mcp.bad_host',
    'mcp.too_many_streams',
    'blackops.invalid_dpop_proof',
    'blackops.use_dpop_nonce',
  ],
};

/** Parses bodies. Invalid ones become `undefined`, for which the protocol has its own error. */
function parseMessages(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      request.server.chargeBody(request, bytes.length);
      return readMessage(bytes, request.headers['content-type']);
    },
  );
}

const responseTypes = ['application/json', 'text/event-stream'];

/** The types that a client accepts, by name: the SDK looks for them in the text of the header. */
const acceptedTypes = (accept: string | undefined): string =>
  responseTypes.filter((type) => acceptsType(accept, type)).join(', ');

/**
 * Converts a request for the SDK: method, URL and headers without credentials. The parsed body is
 * passed separately. Its signal aborts when the client disconnects before the response is complete.
 */
function toWebRequest(
  { raw, headers: incoming, method }: FastifyRequest,
  reply: FastifyReply,
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming)) {
    if (value !== undefined && name !== 'cookie' && name !== 'authorization')
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  headers.set('accept', acceptedTypes(incoming.accept));
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return new Request(`http://mcp.internal${raw.url ?? '/'}`, {
    method,
    headers,
    signal: controller.signal,
  });
}

/** Starts the event stream with a comment, because headers are only sent with the first data. */
function toEventStream(body: NonNullable<Response['body']>): PassThrough {
  const events = new PassThrough();
  events.write(': stream\n\n');
  pipeline(Readable.fromWeb(body), events, () => undefined);
  return events;
}

async function sendResponse(
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
  const events = toEventStream(response.body);
  onStream(events);
  return reply.send(events);
}

const createHandler =
  ({ mcp, streams }: McpRoutesOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = callerOf(request);
    // Fastify's body is null when it is missing.
    const message = request.body ?? undefined;
    const tool = calledTool(message);
    if (tool !== undefined) requireScope(mcp.scopeOf(tool), caller);
    const isStream = opensStream(request.method, message);
    if (isStream && streams.isFull(caller)) throw mcpErrors.too_many_streams();
    const response = await mcp.answer(toWebRequest(request, reply), message, caller);
    return sendResponse(reply, response, (events) => {
      if (isStream) streams.add(caller, events);
    });
  };

/** The endpoint of the Model Context Protocol (Streamable HTTP). */
export const mcpRoutes: FastifyPluginAsyncZod<McpRoutesOptions> = async (app, options) => {
  const { mcp, baseUrl } = options;
  noStore(app);
  parseMessages(app);
  app.setErrorHandler((error, request, reply) =>
    sendError(withMetadata(error, request, baseUrl), request, reply),
  );
  app.addHook('preClose', () => mcp.close());
  const handler = createHandler(options);

  const post = {
    ...shared,
    operationId: 'mcp.message',
    summary: 'Send an MCP message',
    description:
      'Streamable HTTP transport of the Model Context Protocol, revisions 2026-07-28 (no ' +
      'sessions) and 2025-11-25 and earlier. Only tools that the credential may use are ' +
      'listed; calling any other tool returns 403 `insufficient_scope`. See the guide.',
    body: JsonRpcMessage,
    response: {
      200: JsonRpcResponse,
      202: z.undefined().describe('The notification was accepted.'),
      ...protocolErrors,
    },
  };
  app.post(mcpPath, { config, schema: post }, handler);

  const get = {
    ...shared,
    operationId: 'mcp.stream',
    summary: 'Open the event stream of an MCP session',
    description:
      'Messages from the server. Only for protocol revisions before 2026-07-28. Returns ' +
      '405 without a session.',
    response: { 200: JsonRpcResponse, ...protocolErrors },
  };
  app.get(mcpPath, { config, exposeHeadRoute: false, schema: get }, handler);

  const end = {
    ...shared,
    operationId: 'mcp.end',
    summary: 'End an MCP session',
    description: 'Only for protocol revisions before 2026-07-28.',
    response: { 200: z.undefined().describe('The session has ended.'), ...protocolErrors },
  };
  app.delete(mcpPath, { config, schema: end }, handler);
};
