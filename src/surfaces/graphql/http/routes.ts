import type { IncomingMessage } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientKey } from '../../../lib/net/ip.ts';
import { createEndOfTurn } from '../../../lib/concurrency/end-of-turn.ts';
import { admitJson } from '../../../platform/http/body-parsers.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { failureOf } from '../../../platform/http/error-handler.ts';
import type { Problem } from '../../../platform/errors/errors.ts';
import { requesterOf } from '../../../platform/http/requester.ts';
import { limit } from '../../../platform/http/rate-limit.ts';
import { answerWith, noStore } from '../../../platform/http/security.ts';
import { currentResponse as socketAnswerOf } from '../../../platform/http/connections/current-response.ts';
import { partUpgrades } from '../../../platform/http/connections/upgrades.ts';
import type { Handshakes } from '../../ws/guards.ts';
import type { Asked, GraphAnswer, GraphRequest } from '../execution/engine.ts';
import { graphqlErrors } from '../errors.ts';
import { type AccessDeps, createAccessOf } from './guards.ts';
import { createShake } from './request-context.ts';
import { limits } from '../execution/limits.ts';
import { type AnswerType, jsonType, negotiate, responseType, wantsPage } from './negotiation.ts';
import { toGraphError } from '../execution/error-formatting.ts';
import { isReadable, readAddress, readBody } from './request-parameters.ts';
import type { Graphql } from '../service.ts';

export interface GraphqlRoutesOptions extends AccessDeps {
  graphql: Graphql;
  handshakes: Handshakes;
  /** The page for browsers that open the address. */
  sendPage: (reply: FastifyReply) => Promise<FastifyReply>;
}

const path = '/api/graphql/';
const mostInbound = 64 * 1024;
const shutdownLimitMs = 2000;
const tags = ['graphql'];
const errorMedia = (problems: readonly Problem[]) => {
  const examples = Object.fromEntries(
    problems.map((problem) => [
      problem.code,
      { value: { errors: [toGraphError({ problem, headers: {} })] } },
    ]),
  );
  return Object.fromEntries(
    [jsonType, responseType].map((type) => [
      type,
      { schema: { $ref: '#/components/schemas/GraphqlAnswer' }, examples },
    ]),
  );
};
const config = {
  quiet: true,
  costly: true,
  errorMedia,
  rateLimit: limit({ max: 300, seconds: 60, failOpen: true, group: 'graphql' }),
};
const onlyOnSockets = new Set([
  'graphql.needs_http',
  'graphql.too_many_subscriptions',
  'graphql.messages_lost',
  'graphql.too_slow',
]);
const errors = [
  'request.unauthenticated',
  ...Object.keys(graphqlErrors)
    .map((name) => `graphql.${name}`)
    .filter((code) => !onlyOnSockets.has(code)),
];

const Answer = z
  .looseObject({
    data: z.record(z.string(), z.unknown()).nullable().optional(),
    errors: z
      .array(
        z.looseObject({
          message: z.string().meta({ examples: ['There is nothing with this id.'] }),
          extensions: z
            .looseObject({
              code: z.string().meta({ examples: ['request.not_found'] }),
              status: z.int(),
            })
            .optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'GraphqlAnswer', description: 'The answer to one operation.' });
const query = z
  .string()
  .min(1)
  .max(limits.length)
  .describe('A document of GraphQL.')
  .meta({ examples: ['{ health { status } }'] });
const operationName = z
  .string()
  .nullable()
  .optional()
  .describe('Which operation of the document is meant, where it has several.');
const Operation = z
  .object({
    query,
    operationName,
    variables: z.record(z.string(), z.unknown()).nullable().optional(),
    extensions: z.record(z.string(), z.unknown()).nullable().optional(),
  })
  .meta({ id: 'GraphqlOperation', examples: [{ query: '{ components { name status } }' }] });
const rawBody = z
  .union([Operation, z.array(Operation).min(1).max(limits.batch)])
  .meta({ examples: [{ query: '{ components { name status } }' }] });
const rawQuery = z.object({
  query: query.optional().describe('A document of GraphQL. Without it browsers get GraphiQL.'),
  operationName: z
    .string()
    .optional()
    .describe('Which operation of the document is meant, where it has several.'),
  variables: z
    .string()
    .optional()
    .describe('A JSON object.')
    .meta({ examples: ['{}'] }),
  extensions: z
    .string()
    .optional()
    .describe('A JSON object.')
    .meta({ examples: ['{}'] }),
});
const forms = {
  [jsonType]: { schema: z.union([Answer, z.array(Answer)]) },
  [responseType]: { schema: z.union([Answer, z.array(Answer)]) },
};
const response = {
  200: {
    description: 'What was asked for, or for plain JSON what is wrong with the document.',
    content: { ...forms, 'text/html': { schema: z.string() } },
  },
  '4xx': { description: 'The request was refused.', content: forms },
  '5xx': { description: 'The service could not answer.', content: forms },
};

const isHandshake = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  /^websocket$/i.test(headers.upgrade ?? '') &&
  `${url.split('?', 1).join('').replace(/\/$/, '')}/` === path;

const typeHeaders = {
  [jsonType]: `${jsonType}; charset=utf-8`,
  [responseType]: `${responseType}; charset=utf-8`,
} as const;

const send = (
  reply: FastifyReply,
  status: number,
  result: unknown,
  type: AnswerType,
): FastifyReply =>
  reply.code(status).header('content-type', typeHeaders[type]).send(JSON.stringify(result));

/** What failed before there was an operation: as plain JSON when the client takes none, so that it can read why. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error, request);
  return send(
    reply.headers(failure.headers),
    failure.problem.status,
    { errors: [toGraphError(failure)] },
    negotiate(request.headers.accept) ?? jsonType,
  );
}

/** Clients that take `application/json` alone look at the body, not at the status (GraphQL over HTTP §6.4.1). */
const statusOf = ({ status }: GraphAnswer, type: AnswerType): number =>
  type === jsonType && status === 400 ? 200 : status;

/** Makes what answers requests, however they come. */
function createAnswering(options: GraphqlRoutesOptions) {
  const { graphql, guards } = options;
  const accessOf = createAccessOf(options);
  const readAuthorization = guards.optional();
  const turn = createEndOfTurn();

  /** Of one operation: what is loaded once, and asked of guards once, is so for it alone. */
  const contextOf = (request: FastifyRequest, reply: FastifyReply) =>
    graphql.contextOf(
      () => accessOf(request, reply),
      () => ({ address: request.ip, requestId: request.id }),
      () => requesterOf(request, reply),
    );

  function askedBy(request: FastifyRequest, reply: FastifyReply): Asked {
    return {
      context: contextOf(request, reply),
      isSafe: request.method !== 'POST',
      budget: { left: limits.cost },
      witness: {
        requestId: request.id,
        failed: (cause) =>
          request.server.log.error({ err: cause, request_id: request.id }, 'a field failed'),
        headers: (headers) => passOn(headers, reply),
      },
    };
  }

  /** One line for each request, as of all others: made here, for a logger of each request's own costs more than a small answer. */
  function note(request: FastifyRequest, reply: FastifyReply, operations: number): void {
    const { method } = request;
    request.server.log.info(
      {
        operationId: method === 'POST' ? 'graphql.post' : 'graphql.get',
        method,
        status: reply.statusCode,
        operations,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        request_id: request.id,
      },
      'request completed',
    );
  }

  return async (
    read: GraphRequest | GraphRequest[],
    type: AnswerType,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const engine = graphql.ready() ?? (await graphql.engine());
    // A token that is not valid refuses everything, as elsewhere.
    if (request.headers.authorization !== undefined) await readAuthorization(request);
    const asked = askedBy(request, reply);
    if (!Array.isArray(read)) {
      const answer = await engine.answer(read, asked);
      await turn();
      void send(reply, statusOf(answer, type), answer.result, type);
    } else {
      const results: unknown[] = [];
      for (const each of read) {
        results.push(
          (await engine.answer(each, { ...asked, context: contextOf(request, reply) })).result,
        );
        // The others who ask are not to wait for all of them.
        await turn();
      }
      void send(reply, 200, results, type);
    }
    note(request, reply, Array.isArray(read) ? read.length : 1);
    return reply;
  };
}

/** The form that the client takes. Throws `graphql.not_acceptable`. */
function typeFor({ headers: { accept } }: FastifyRequest): AnswerType {
  const type = negotiate(accept);
  if (type === undefined) throw graphqlErrors.not_acceptable();
  return type;
}

const socketRoute: FastifyPluginAsync<GraphqlRoutesOptions> = async (app, options) => {
  const { graphql, handshakes, sendPage } = options;
  const answer = createAnswering(options);
  await app.register(fastifyWebsocket, {
    options: {
      server: partUpgrades(app.server, isHandshake),
      maxPayload: mostInbound,
      perMessageDeflate: false,
      clientTracking: false,
      handleProtocols: (offered) =>
        offered.has('graphql-transport-ws') ? 'graphql-transport-ws' : false,
    },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      setImmediate(() => void graphql.sockets.closeAll(shutdownLimitMs));
      done();
    },
  });
  app.websocketServer.on('headers', handshakes.addCookie);

  app.route({
    method: 'GET',
    url: path,
    config,
    onRequest: createShake(handshakes, graphql.sockets),
    schema: {
      operationId: 'graphql.get',
      summary: 'A GraphQL query, GraphiQL, or a WebSocket',
      tags,
      errors,
      rawQuery,
      response,
      description:
        'With `query` in the address: the answer, as for POST; mutations are refused. Browsers that open the address get GraphiQL. A handshake opens a WebSocket for subscriptions (graphql-transport-ws).',
    },
    handler: async (request, reply) => {
      const hasQuery = /[?&]query=/.test(request.url);
      if (!hasQuery && wantsPage(request.headers.accept)) return sendPage(reply);
      const type = typeFor(request);
      return answer(readAddress(request.url), type, request, reply);
    },
    wsHandler: (webSocket, request) => {
      const identity = handshakes.identityOf(request.raw);
      // Tied to the socket it would keep the whole request for as long as the socket lives.
      socketAnswerOf(request.raw.socket)?.detachSocket(request.raw.socket);
      graphql.sockets.accept(webSocket, identity, {
        address: clientKey(request.ip),
        requestId: request.id,
      });
    },
  });
};

/** What JSON is refused for in general, nested too deeply for instance, is in GraphQL's form a body that cannot be read. */
function refusalOfBody(request: FastifyRequest, body: string): Error | undefined {
  try {
    admitJson(request, body);
    return undefined;
  } catch (error) {
    if (error instanceof RequestValidationError) return graphqlErrors.body_invalid();
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** GraphQL over HTTP, and its subscriptions over WebSocket, on one path. */
export async function graphqlRoutes(
  app: FastifyInstance,
  options: GraphqlRoutesOptions,
): Promise<void> {
  const answer = createAnswering(options);
  noStore(app);
  // The headers that only mean something to a document go: small answers are made thousands of times a second.
  answerWith(app, {
    vary: 'accept, cookie, authorization',
    pragma: undefined,
    'cross-origin-opener-policy': undefined,
    'permissions-policy': undefined,
    'referrer-policy': undefined,
  });
  // Whatever it is called: what it may be called is looked at here, and said in GraphQL's form.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('preValidation', (request, _reply, done) => {
    done(typeof request.body === 'string' ? refusalOfBody(request, request.body) : undefined);
  });
  app.setErrorHandler(sendFailure);
  // In a scope of its own: its hooks are not to be paid for by the POSTs.
  await app.register(socketRoute, options);

  app.post(
    path,
    {
      config,
      schema: {
        operationId: 'graphql.post',
        summary: 'GraphQL queries and mutations',
        tags,
        errors,
        rawBody,
        response,
        description:
          'A JSON object `{"query":"…","variables":{…},"operationName":"…"}`, or a list of at most ten of them. ' +
          'The schema, with a description of everything, is at `/api/graphql/voyager/`.',
      },
    },
    (request, reply) => {
      if (!isReadable(request.headers['content-type'])) throw graphqlErrors.content_type();
      const type = typeFor(request);
      return answer(readBody(request.body, limits.batch), type, request, reply);
    },
  );
}

/** Of an error's headers those that a client needs for its next try. */
function passOn(headers: Readonly<Record<string, string | string[]>>, reply: FastifyReply): void {
  for (const name of ['allow', 'dpop-nonce', 'retry-after', 'set-cookie', 'www-authenticate']) {
    const value = headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
}
