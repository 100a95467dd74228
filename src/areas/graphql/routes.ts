import type { IncomingMessage } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientKey } from '../../lib/ip.ts';
import { failureOf } from '../../platform/error-handler.ts';
import { limit } from '../../platform/rate-limit.ts';
import { answerWith, noStore } from '../../platform/security.ts';
import { answerOf as socketAnswerOf } from '../../platform/socket-answer.ts';
import { partUpgrades } from '../../platform/upgrades.ts';
import type { GraphAnswer, GraphRequest } from './engine.ts';
import { graphqlErrors } from './errors.ts';
import { createAccessOf } from './guards.ts';
import { createHandshakes, type HandshakeDeps } from './request-context.ts';
import { limits } from './most.ts';
import { type AnswerType, jsonType, negotiate, responseType, wantsPage } from './negotiation.ts';
import { toGraphError } from './presenting.ts';
import { isReadable, readAddress, readBody } from './reading.ts';
import type { Graphql } from './service.ts';

export interface GraphqlRoutesOptions extends HandshakeDeps {
  graphql: Graphql;
  /** The page for browsers that open the address. */
  sendPage: (reply: FastifyReply) => Promise<FastifyReply>;
}

const path = '/api/graphql/';
const mostInbound = 64 * 1024;
const shutdownLimitMs = 2000;
const tags = ['graphql'];
const config = { rateLimit: limit({ max: 300, seconds: 60, failOpen: true, group: 'graphql' }) };

const Answer = z.looseObject({
  data: z.record(z.string(), z.unknown()).nullable().optional(),
  errors: z.array(z.looseObject({ message: z.string(), extensions: z.looseObject({ code: z.string(), status: z.int() }).optional() })).optional(),
}).meta({ id: 'GraphqlAnswer', description: 'The answer to one operation.' });
const forms = { [jsonType]: { schema: z.union([Answer, z.array(Answer)]) }, [responseType]: { schema: z.union([Answer, z.array(Answer)]) } };
const response = {
  200: { description: 'What was asked for, or for plain JSON what is wrong with the document.', content: { ...forms, 'text/html': { schema: z.string() } } },
  '4xx': { description: 'The request was refused.', content: forms },
  '5xx': { description: 'The service could not answer.', content: forms },
};

const isHandshake = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '') && `${url.split('?', 1).join('').replace(/\/$/, '')}/` === path;

/** In the form that the client takes; plain JSON when it takes none, so that it can read why. */
function send(request: FastifyRequest, reply: FastifyReply, status: number, result: unknown, type: AnswerType | undefined = negotiate(request.headers.accept)): FastifyReply {
  return reply.code(status).type(`${type ?? jsonType}; charset=utf-8`).send(JSON.stringify(result));
}

/** What failed before there was an operation. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error, request);
  return send(request, reply.headers(failure.headers), failure.problem.status, { errors: [toGraphError(failure)] });
}

/** Clients that take `application/json` alone look at the body, not at the status (GraphQL over HTTP §6.4.1). */
const statusOf = ({ status }: GraphAnswer, type: AnswerType): number => (type === jsonType && status === 400 ? 200 : status);

/** GraphQL over HTTP, and its subscriptions over WebSocket, on one path. */
export async function graphqlRoutes(app: FastifyInstance, options: GraphqlRoutesOptions): Promise<void> {
  const { graphql, sendPage, guards } = options;
  const accessOf = createAccessOf(options);
  const handshakes = createHandshakes(options, graphql.sockets);
  const readAuthorization = guards.optional();

  noStore(app);
  answerWith(app, { vary: 'accept, cookie, authorization' });
  // Whatever it is called: what it may be called is looked at here, and said in GraphQL's form.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler(sendFailure);
  await app.register(fastifyWebsocket, {
    options: {
      server: partUpgrades(app.server, isHandshake), maxPayload: mostInbound, perMessageDeflate: false, clientTracking: false,
      handleProtocols: (offered) => (offered.has('graphql-transport-ws') ? 'graphql-transport-ws' : false),
    },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      setImmediate(() => void graphql.sockets.closeAll(shutdownLimitMs));
      done();
    },
  });

  async function answerAll(read: GraphRequest | GraphRequest[], request: FastifyRequest, reply: FastifyReply): Promise<GraphAnswer | GraphAnswer[]> {
    const engine = await graphql.engine();
    const { headers: given } = request;
    // A token that is not valid refuses everything, as elsewhere.
    if (given.authorization !== undefined) await readAuthorization(request);
    const witness = {
      requestId: request.id, failed: (cause: unknown) => request.server.log.error({ err: cause, request_id: request.id }, 'a field failed'),
      headers: (headers: Readonly<Record<string, string>>) => passOn(headers, reply),
    };
    const asked = {
      context: graphql.contextOf(accessOf(request, reply), { address: request.ip, requestId: request.id }), witness, isSafe: request.method !== 'POST', budget: { left: limits.cost },
    };
    if (!Array.isArray(read)) return engine.answer(read, asked);
    const answers: GraphAnswer[] = [];
    for (const each of read) answers.push(await engine.answer(each, asked));
    return answers;
  }

  async function answer(read: () => GraphRequest | GraphRequest[], request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const type = negotiate(request.headers.accept);
    if (type === undefined) throw graphqlErrors.not_acceptable();
    const answered = await answerAll(read(), request, reply);
    if (Array.isArray(answered)) return send(request, reply, 200, answered.map(({ result }) => result), type);
    return send(request, reply, statusOf(answered, type), answered.result, type);
  }

  app.route({
    method: 'GET', url: path, config, onRequest: handshakes.shake,
    schema: {
      operationId: 'graphql.get', summary: 'A GraphQL query, GraphiQL, or a WebSocket', tags, response,
      description: 'With `query` in the address: the answer, as for POST; mutations are refused. Browsers that open the address get GraphiQL. A handshake opens a WebSocket for subscriptions (graphql-transport-ws).',
    },
    handler: async (request, reply) => {
      const hasQuery = /[?&]query=/.test(request.url);
      if (!hasQuery && wantsPage(request.headers.accept)) return sendPage(reply);
      return answer(() => readAddress(request.url), request, reply);
    },
    wsHandler: (webSocket, request) => {
      const identity = handshakes.identityOf(request.raw);
      // Tied to the socket it would keep the whole request for as long as the socket lives.
      socketAnswerOf(request.raw.socket)?.detachSocket(request.raw.socket);
      graphql.sockets.accept(webSocket, identity, { address: clientKey(request.ip), requestId: request.id });
    },
  });
  app.websocketServer.on('headers', handshakes.addCookie);

  app.post(path, {
    config,
    schema: {
      operationId: 'graphql.post', summary: 'GraphQL queries and mutations', tags, response,
      description: 'A JSON object `{"query":"…","variables":{…},"operationName":"…"}`, or a list of at most ten of them. '
        + 'The schema, with a description of everything, is at `/api/graphql/voyager/`.',
    },
  }, async (request, reply) => {
    if (!isReadable(request.headers['content-type'])) throw graphqlErrors.content_type();
    return answer(() => readBody(request.body, limits.batch), request, reply);
  });
}

/** Of an error's headers those that a client needs for its next try. */
function passOn(headers: Readonly<Record<string, string>>, reply: FastifyReply): void {
  for (const name of ['allow', 'dpop-nonce', 'retry-after', 'set-cookie', 'www-authenticate']) {
    const value = headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
}
