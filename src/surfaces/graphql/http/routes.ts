import type { IncomingMessage } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from '../../../lib/net/ip.ts';
import { failureOf } from '../../../platform/http/error-handler.ts';
import { checkJsonLimits } from '../../../platform/http/body-parsers.ts';
import { bodyText } from '../../../platform/http/requests/body-text.ts';
import { currentResponse } from '../../../platform/http/connections/current-response.ts';
import { separateUpgrades } from '../../../platform/http/connections/upgrades.ts';
import { changeResponseHeaders, noStore } from '../../../platform/http/security.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { graphqlErrors } from '../errors.ts';
import { toGraphqlError } from '../execution/error-formatting.ts';
import { limits } from '../execution/limits.ts';
import type { RouteContext } from '../route-context.ts';
import { createHandshakeGuard } from './guards.ts';
import { type ResponseType, jsonType, negotiate, prefersPage } from './negotiation.ts';
import { createResponder, send } from './request-context.ts';
import { isReadable, parseBody, parseUrl } from './request-parameters.ts';
import { config, errors, rawBody, rawQuery, response, tags } from './schemas.ts';

interface RoutesOptions extends RouteContext {
  /** Sends GraphiQL. */
  sendPage: (reply: FastifyReply) => Promise<FastifyReply>;
}

const path = '/api/graphql/';
const maxMessageBytes = 64 * 1024;
const shutdownLimitMs = 2000;
const protocol = 'graphql-transport-ws';

const isHandshake = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  /^websocket$/i.test(headers.upgrade ?? '') &&
  `${url.split('?', 1).join('').replace(/\/$/, '')}/` === path;

/** The media type that the client accepts. Throws `graphql.not_acceptable`. */
function acceptedType({ headers: { accept } }: FastifyRequest): ResponseType {
  const type = negotiate(accept);
  if (type === undefined) throw graphqlErrors.not_acceptable();
  return type;
}

/** The protocol of hashes has its errors in responses of 200: some clients read no others. */
const statusOf = ({ code, status }: { code: string; status: number }): number =>
  code === 'graphql.persisted_query_not_supported' ? 200 : status;

/** Sends an error from before the execution; as JSON even when the client does not accept it. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error, request);
  return send(
    reply.headers(failure.headers),
    statusOf(failure.problem),
    { errors: [toGraphqlError(failure)] },
    negotiate(request.headers.accept) ?? jsonType,
  );
}

/** The error of a body that the service admits nowhere, such as JSON nested too deeply. */
function refusalOfBody(request: FastifyRequest, body: string): Error | undefined {
  try {
    checkJsonLimits(request, body);
    return undefined;
  } catch (error) {
    if (error instanceof RequestValidationError) return graphqlErrors.body_invalid();
    return error instanceof Error ? error : new Error(String(error));
  }
}

function toText(bytes: Buffer, contentType: string | undefined): string {
  try {
    return bodyText(bytes, contentType);
  } catch {
    throw graphqlErrors.body_invalid({ detail: 'The body is not UTF-8.' });
  }
}

/** Reads bodies of every type as text, so that their errors can be sent as GraphQL errors. */
function readBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const read = async ({ headers }: FastifyRequest, body: Buffer): Promise<string> => {
    const { 'content-type': type } = headers;
    return isReadable(type) ? toText(body, type) : body.toString();
  };
  app.addContentTypeParser('*', { parseAs: 'buffer' }, read);
  app.addHook('preValidation', (request, _reply, done) => {
    done(typeof request.body === 'string' ? refusalOfBody(request, request.body) : undefined);
  });
}

function registerWebSockets(
  app: FastifyInstance,
  { graphql: { sockets } }: RoutesOptions,
): PromiseLike<unknown> {
  return app.register(fastifyWebsocket, {
    options: {
      server: separateUpgrades(app.server, isHandshake),
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      clientTracking: false,
      handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
    },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      setImmediate(() => void sockets.closeAll(shutdownLimitMs));
      done();
    },
  });
}

type Answer = ReturnType<typeof createResponder>;

function getRoute(
  app: FastifyInstance,
  answer: Answer,
  { graphql: { sockets }, handshakes, sendPage }: RoutesOptions,
): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    onRequest: createHandshakeGuard(handshakes, sockets),
    schema: {
      operationId: 'graphql.get',
      summary: 'Run a GraphQL query, open GraphiQL or connect a WebSocket',
      tags,
      errors,
      rawQuery,
      response,
      description:
        'With `query`, returns the result as for POST; mutations are rejected. ' +
        'Browsers get GraphiQL. A WebSocket handshake opens a connection for ' +
        'subscriptions (graphql-transport-ws).',
    },
    handler: async (request, reply) => {
      const hasQuery = /[?&]query=/.test(request.url);
      if (!hasQuery && prefersPage(request.headers.accept)) return sendPage(reply);
      const type = acceptedType(request);
      return answer(parseUrl(request.url), type, request, reply);
    },
    wsHandler: (webSocket, request) => {
      const identity = handshakes.identityOf(request.raw);
      // An attached response would retain the whole request until the socket closes.
      currentResponse(request.raw.socket)?.detachSocket(request.raw.socket);
      const address = clientKey(request.ip);
      sockets.accept(webSocket, { identity, address, requestId: request.id });
    },
  });
}

function postRoute(app: FastifyInstance, answer: Answer): void {
  app.post(
    path,
    {
      config,
      schema: {
        operationId: 'graphql.post',
        summary: 'Run GraphQL queries and mutations',
        tags,
        errors,
        rawBody,
        response,
        description:
          'A JSON object `{"query":"…","variables":{…},"operationName":"…"}`, or a ' +
          'list of at most ten. The schema is documented at `/api/graphql/voyager/`.',
      },
    },
    (request, reply) => {
      if (!isReadable(request.headers['content-type'])) throw graphqlErrors.content_type();
      const type = acceptedType(request);
      return answer(parseBody(request.body, limits.batch), type, request, reply);
    },
  );
}

const getRoutes: FastifyPluginAsync<RoutesOptions & { answer: Answer }> = async (
  app,
  { answer, ...options },
) => {
  await registerWebSockets(app, options);
  app.websocketServer.on('headers', options.handshakes.addCookies);
  getRoute(app, answer, options);
};

/** GraphQL over HTTP and its subscriptions over WebSocket, on the same path. */
export async function graphqlRoutes(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  const answer = createResponder(options);
  noStore(app);
  // Drops headers that only matter for pages: they would slow down small responses.
  changeResponseHeaders(app, {
    vary: 'accept, cookie, authorization',
    pragma: undefined,
    'cross-origin-opener-policy': undefined,
    'permissions-policy': undefined,
    'referrer-policy': undefined,
  });
  readBodiesAsText(app);
  app.setErrorHandler(sendFailure);
  // A separate plugin, so that its hooks do not run for POST requests.
  await app.register(getRoutes, { ...options, answer });
  postRoute(app, answer);
}
