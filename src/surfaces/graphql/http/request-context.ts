import type { FastifyReply, FastifyRequest } from 'fastify';
import { createEndOfTurn } from '../../../lib/concurrency/end-of-turn.ts';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import type { GraphqlResponse, GraphqlRequest, OperationContext } from '../execution/engine.ts';
import { limits } from '../execution/limits.ts';
import type { RouteContext } from '../route-context.ts';
import { createAccess } from './guards.ts';
import { type ResponseType, jsonType, responseType } from './negotiation.ts';

const typeHeaders = {
  [jsonType]: `${jsonType}; charset=utf-8`,
  [responseType]: `${responseType}; charset=utf-8`,
} as const;

/** The headers of errors that a client needs to try again. */
const forwardedHeaders = [
  'allow',
  'dpop-nonce',
  'retry-after',
  'set-cookie',
  'www-authenticate',
] as const;

export const send = (
  reply: FastifyReply,
  status: number,
  result: unknown,
  type: ResponseType,
): FastifyReply =>
  reply.code(status).header('content-type', typeHeaders[type]).send(JSON.stringify(result));

/** For `application/json`, refused documents are 200 too (GraphQL over HTTP §6.4.1). */
const statusOf = ({ status }: GraphqlResponse, type: ResponseType): number =>
  type === jsonType && status === 400 ? 200 : status;

function forwardHeaders(
  headers: Readonly<Record<string, string | string[]>>,
  reply: FastifyReply,
): void {
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
}

/** Logs one line per request. A child logger would cost more than a small query. */
function logRequest(request: FastifyRequest, reply: FastifyReply, operations: number): void {
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

/** The context that all operations of a request share. */
const requestContext = (
  request: FastifyRequest,
  reply: FastifyReply,
): Omit<OperationContext, 'context'> => ({
  isSafe: request.method !== 'POST',
  budget: { left: limits.cost },
  reporter: {
    requestId: request.id,
    onFailure: (cause) =>
      request.server.log.error({ err: cause, request_id: request.id }, 'a field failed'),
    onHeaders: (headers) => forwardHeaders(headers, reply),
  },
});

/** Returns a function that executes the operations of a request and sends the response. */
export function createResponder(routeContext: RouteContext) {
  const { graphql, guards } = routeContext;
  const accessOf = createAccess(routeContext);
  const readAuthorization = guards.optional();
  const endOfTurn = createEndOfTurn();

  // One context per operation: loaded objects and results of guards are not shared in a batch.
  const createContext = (request: FastifyRequest, reply: FastifyReply) =>
    graphql.createContext({
      access: () => accessOf(request, reply),
      requestSource: () => ({ address: request.ip, requestId: request.id }),
      requester: () => requesterOf(request, reply),
    });

  return async (
    operations: GraphqlRequest | GraphqlRequest[],
    type: ResponseType,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const engine = graphql.loadedEngine() ?? (await graphql.engine());
    // As in the REST API, an invalid token fails the whole request, public fields included.
    if (request.headers.authorization !== undefined) await readAuthorization(request);
    const shared = requestContext(request, reply);
    const answer = async (operation: GraphqlRequest): Promise<GraphqlResponse> => {
      const context = createContext(request, reply);
      const result = await engine.answer(operation, { ...shared, context });
      // Lets other requests in between the operations of a batch.
      await endOfTurn();
      return result;
    };
    if (Array.isArray(operations)) {
      const results: unknown[] = [];
      for (const operation of operations) results.push((await answer(operation)).result);
      void send(reply, 200, results, type);
    } else {
      const result = await answer(operations);
      void send(reply, statusOf(result, type), result.result, type);
    }
    logRequest(request, reply, Array.isArray(operations) ? operations.length : 1);
    return reply;
  };
}
