import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
} from 'graphql/index.js';
import { CloseCode, type Context, makeServer, type SubscribePayload } from 'graphql-ws';
import type { Logger } from 'pino';
import type { RawData } from 'ws';
import { truncateText } from '../../../lib/text/cut.ts';
import type { AppError } from '../../../platform/errors/errors.ts';
import type { Found } from '../execution/documents.ts';
import type { Engine } from '../execution/engine.ts';
import {
  type ErrorReporter,
  firstErrors,
  firstFieldErrors,
  formatFieldError,
  formatThrown,
  maxMessageLength,
} from '../execution/error-formatting.ts';
import { graphqlErrors } from '../errors.ts';
import type { SocketClient } from './socket-client.ts';

export interface ProtocolDeps {
  engine: Engine;
  logger: Logger;
}

type Extra = SocketClient & Record<PropertyKey, unknown>;
type ConnectionParams = Readonly<Record<string, unknown>> | undefined;
type Connection = Context<Record<string, unknown> | undefined, Extra>;
type Result = { [Member in 'data' | 'errors']?: ExecutionResult[Member] | undefined };
type Refuse = (error: AppError, found?: readonly Found[]) => GraphQLError[];

const maxSubscriptions = 50;
/** What the subscriptions of one socket may cost together, each time that something happens. */
const maxCost = 2000;
const connectionInitWaitTimeout = 3000;
const messageRate = { burst: 200, perSecond: 50 };
const policyViolation = 1008;

/** `graphql-ws` throws so at messages that only a server may send. */
const isUnexpectedMessage = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Unexpected message of type');

const isIterable = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** What a resolver or the bus has thrown, under the errors that graphql-js wraps around it. */
function innermost(error: GraphQLError): GraphQLError {
  let inner = error;
  while (inner.originalError instanceof GraphQLError) inner = inner.originalError;
  return inner;
}

/** The token in the first message: `{"authorization":"Bearer …"}` or `{"token":"…"}`. */
function tokenOf(params: ConnectionParams): string | undefined {
  const authorization = params?.authorization ?? params?.Authorization;
  if (typeof params?.token === 'string') return params.token;
  return typeof authorization === 'string' ? authorization.replace(/^bearer +/i, '') : undefined;
}

/** A token bucket: whether one more message may come now. */
function createMessageLimit(): () => boolean {
  let tokens = messageRate.burst;
  let at = performance.now();
  return () => {
    const now = performance.now();
    const earned = ((now - at) / 1000) * messageRate.perSecond;
    tokens = Math.min(messageRate.burst, tokens + earned) - 1;
    at = now;
    return tokens >= 0;
  };
}

/** Counts what the subscriptions of a socket cost together. Those that have ended cost nothing. */
function createBudget() {
  const costs = new WeakMap<Connection['subscriptions'], Map<string, number>>();

  /** False when one more subscription costs too much. */
  return ({ subscriptions }: Connection, id: string, cost: number): boolean => {
    const live = [...(costs.get(subscriptions) ?? [])].filter(
      ([each]) => each !== id && Object.hasOwn(subscriptions, each),
    );
    const sum = live.reduce((total, [, each]) => total + each, cost);
    const isAffordable = sum <= maxCost;
    costs.set(subscriptions, new Map(isAffordable ? [...live, [id, cost]] : live));
    return isAffordable;
  };
}

/** Errors of the catalogue as GraphQL's: one for each thing that was found in the document. */
const refusing =
  (reporter: ErrorReporter): Refuse =>
  (error, found = []) => {
    const { message, extensions = {} } = formatThrown(error, reporter);
    if (found.length === 0) return [new GraphQLError(message, { extensions })];
    return firstErrors(found).map(({ message: detail, locations }) =>
      Object.assign(new GraphQLError(truncateText(detail, maxMessageLength), { extensions }), {
        locations,
      }),
    );
  };

/** Gives what a `subscribe` message asks for, or why it is refused. */
function createSubscribe({ schema, documents }: Engine) {
  const affords = createBudget();
  return (
    connection: Connection,
    id: string,
    { query, operationName, variables }: SubscribePayload,
    refuse: Refuse,
  ): ExecutionArgs | GraphQLError[] => {
    // This one is among them already.
    if (Object.keys(connection.subscriptions).length > maxSubscriptions)
      return refuse(graphqlErrors.too_many_subscriptions());
    const { refusal, operation } = documents(query, operationName ?? undefined);
    if (refusal !== undefined) return refuse(refusal.error, refusal.found);
    const { document, cost } = operation;
    if (document === undefined) return refuse(graphqlErrors.needs_http());
    if (!affords(connection, id, cost))
      return refuse(graphqlErrors.too_costly({ extra: { limit: maxCost } }));
    return {
      schema,
      document,
      variableValues: variables ?? {},
      contextValue: connection.extra,
    };
  };
}

/** What could not begin is an `error` message of the protocol, not a result. */
async function* failing({ errors = [] }: ExecutionResult): AsyncGenerator<ExecutionResult> {
  throw errors[0] ?? new Error('a subscription ended before it began');
}

function formatResult(
  { data, errors }: Result,
  reporter: ErrorReporter,
): FormattedExecutionResult | undefined {
  if (errors === undefined) return undefined;
  const formatted = errors.map((error) => formatFieldError(error, reporter));
  return { ...(data === undefined ? {} : { data }), errors: firstFieldErrors(formatted) };
}

function createServer({ engine, logger }: ProtocolDeps) {
  const subscribe = createSubscribe(engine);
  const reporterOf = ({ requestId }: SocketClient): ErrorReporter => ({
    requestId,
    onFailure: (cause) =>
      logger.error({ err: cause, request_id: requestId }, 'a subscription failed'),
  });

  return makeServer<Record<string, unknown> | undefined, Extra>({
    schema: engine.schema,
    connectionInitWaitTimeout,
    async onConnect({ connectionParams, extra }) {
      const token = tokenOf(connectionParams);
      return token === undefined || extra.authenticate(token);
    },
    onSubscribe: (connection, id, payload) =>
      subscribe(connection, id, payload, refusing(reporterOf(connection.extra))),
    onOperation: (_connection, _id, _payload, _args, result) =>
      isIterable(result) ? undefined : failing(result as ExecutionResult),
    onNext: ({ extra }, _id, _payload, _args, result) => formatResult(result, reporterOf(extra)),
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) =>
        error.extensions.code === undefined
          ? formatFieldError(innermost(error), reporterOf(extra))
          : error.toJSON(),
      ),
  });
}

/** Hands the messages of a socket to the protocol, as long as they come at the allowed rate. */
function readMessages(
  { webSocket }: SocketClient,
  handle: (text: string) => Promise<void>,
  logger: Logger,
): void {
  const isAllowed = createMessageLimit();

  function fail(error: unknown): void {
    if (isUnexpectedMessage(error)) {
      webSocket.close(CloseCode.BadRequest, 'Invalid message received');
      return;
    }
    logger.error({ err: error }, 'a message of a socket failed');
    webSocket.close(CloseCode.InternalServerError, 'internal server error');
  }

  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    if (!isAllowed()) webSocket.close(policyViolation, 'too many messages');
    else if (isBinary || !Buffer.isBuffer(data))
      webSocket.close(CloseCode.BadRequest, 'Invalid message received');
    else handle(data.toString()).catch(fail);
  });
}

/**
 * graphql-transport-ws by `graphql-ws`: subscriptions alone, with the errors and limits that HTTP
 * has.
 */
export function createProtocol(deps: ProtocolDeps) {
  const server = createServer(deps);

  return {
    /** Lets a socket speak the protocol. */
    serve(client: SocketClient): void {
      const { webSocket } = client;
      const closed = server.opened(
        {
          protocol: webSocket.protocol,
          send: (text) =>
            new Promise((resolve) => {
              webSocket.send(text, () => resolve());
            }),
          close: (code, reason) => webSocket.close(code, reason),
          onMessage: (handle) => readMessages(client, handle, deps.logger),
        },
        client as Extra,
      );
      webSocket.once('close', (code, reason) => {
        Promise.resolve(closed(code, reason.toString())).catch(() => undefined);
      });
      webSocket.resume();
    },
  };
}

export type Protocol = ReturnType<typeof createProtocol>;
