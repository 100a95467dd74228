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
import type { DocumentIssue } from '../execution/documents.ts';
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

type Extra = SocketClient & Record<PropertyKey, unknown>;
type ConnectionParams = Readonly<Record<string, unknown>> | undefined;
type Connection = Context<Record<string, unknown> | undefined, Extra>;
type Result = { [Member in 'data' | 'errors']?: ExecutionResult[Member] | undefined };

const maxSubscriptions = 50;
/** The maximum total cost of the subscriptions of one socket, per event. */
const maxCost = 2000;
const connectionInitWaitTimeout = 3000;
const messageRate = { burst: 200, perSecond: 50 };
const policyViolation = 1008;

/** Matches the error of `graphql-ws` for messages that only servers may send. */
const isUnexpectedMessage = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Unexpected message of type');

const isIterable = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** Unwraps the error that a resolver or the bus threw from the errors of graphql-js around it. */
function innermost(error: GraphQLError): GraphQLError {
  let inner = error;
  while (inner.originalError instanceof GraphQLError) inner = inner.originalError;
  return inner;
}

/** The token in `connection_init`: `{"authorization":"Bearer …"}` or `{"token":"…"}`. */
function tokenOf(params: ConnectionParams): string | undefined {
  const authorization = params?.authorization ?? params?.Authorization;
  if (typeof params?.token === 'string') return params.token;
  return typeof authorization === 'string' ? authorization.replace(/^bearer +/i, '') : undefined;
}

/** Creates a token bucket: the function takes a token and returns false when none is left. */
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

/** Converts an error of the catalogue to GraphQL errors: one for each issue in the document. */
function toErrors(
  error: AppError,
  reporter: ErrorReporter,
  issues: readonly DocumentIssue[] = [],
): GraphQLError[] {
  const { message, extensions = {} } = formatThrown(error, reporter);
  if (issues.length === 0) return [new GraphQLError(message, { extensions })];
  return firstErrors(issues).map(({ message: detail, locations }) =>
    Object.assign(new GraphQLError(truncateText(detail, maxMessageLength), { extensions }), {
      locations,
    }),
  );
}

/** Throws, so that a subscription that cannot start ends with an `error` message, not a result. */
async function* throwFirstError({ errors = [] }: ExecutionResult): AsyncGenerator<ExecutionResult> {
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

/**
 * The protocol graphql-transport-ws, through `graphql-ws`: subscriptions only, with the same errors
 * and limits as over HTTP.
 */
export function createProtocol({ schema, documents }: Engine, logger: Logger) {
  /** The costs of the active subscriptions of each socket. */
  const costs = new WeakMap<Connection['subscriptions'], Map<string, number>>();
  const server = makeServer<Record<string, unknown> | undefined, Extra>({
    schema,
    connectionInitWaitTimeout,
    async onConnect({ connectionParams, extra }) {
      const token = tokenOf(connectionParams);
      return token === undefined || extra.authenticate(token);
    },
    onSubscribe,
    onOperation: (_connection, _id, _payload, _args, result) =>
      isIterable(result) ? undefined : throwFirstError(result as ExecutionResult),
    onNext: ({ extra }, _id, _payload, _args, result) => formatResult(result, reporterOf(extra)),
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) =>
        error.extensions.code === undefined
          ? formatFieldError(innermost(error), reporterOf(extra))
          : error.toJSON(),
      ),
  });

  return {
    /** Serves the protocol on a socket until it closes. */
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
          onMessage: (handle) => readMessages(client, handle),
        },
        client as Extra,
      );
      webSocket.once('close', (code, reason) => {
        Promise.resolve(closed(code, reason.toString())).catch(() => undefined);
      });
      webSocket.resume();
    },
  };

  function reporterOf({ requestId }: SocketClient): ErrorReporter {
    return {
      requestId,
      onFailure: (cause) =>
        logger.error({ err: cause, request_id: requestId }, 'a subscription failed'),
    };
  }

  /** Adds a subscription; returns false when it would exceed the maximum. */
  function addToBudget({ subscriptions }: Connection, id: string, cost: number): boolean {
    const live = [...(costs.get(subscriptions) ?? [])].filter(
      ([each]) => each !== id && Object.hasOwn(subscriptions, each),
    );
    const sum = live.reduce((total, [, each]) => total + each, cost);
    const isAffordable = sum <= maxCost;
    costs.set(subscriptions, new Map(isAffordable ? [...live, [id, cost]] : live));
    return isAffordable;
  }

  /** Checks a `subscribe` message. Returns execution arguments, or errors. */
  function onSubscribe(
    connection: Connection,
    id: string,
    { query, operationName, variables }: SubscribePayload,
  ): ExecutionArgs | GraphQLError[] {
    const reporter = reporterOf(connection.extra);
    // `subscriptions` already includes the new one.
    if (Object.keys(connection.subscriptions).length > maxSubscriptions)
      return toErrors(graphqlErrors.too_many_subscriptions(), reporter);
    const { refusal, operation } = documents(query, operationName ?? undefined);
    if (refusal !== undefined) return toErrors(refusal.error, reporter, refusal.issues);
    const { document, cost } = operation;
    if (document === undefined) return toErrors(graphqlErrors.needs_http(), reporter);
    if (!addToBudget(connection, id, cost))
      return toErrors(graphqlErrors.too_costly({ extra: { limit: maxCost } }), reporter);
    return {
      schema,
      document,
      variableValues: variables ?? {},
      contextValue: connection.extra,
    };
  }

  /** Passes the messages of a socket to `handle`. Closes the socket when they exceed the rate. */
  function readMessages(
    { webSocket }: SocketClient,
    handle: (text: string) => Promise<void>,
  ): void {
    const isAllowed = createMessageLimit();
    webSocket.on('message', (data: RawData, isBinary: boolean) => {
      if (!isAllowed()) webSocket.close(policyViolation, 'too many messages');
      else if (isBinary || !Buffer.isBuffer(data))
        webSocket.close(CloseCode.BadRequest, 'Invalid message received');
      else handle(data.toString()).catch((error: unknown) => fail(webSocket, error));
    });
  }

  function fail(webSocket: SocketClient['webSocket'], error: unknown): void {
    if (isUnexpectedMessage(error)) {
      webSocket.close(CloseCode.BadRequest, 'Invalid message received');
      return;
    }
    logger.error({ err: error }, 'a message of a socket failed');
    webSocket.close(CloseCode.InternalServerError, 'internal server error');
  }
}

export type Protocol = ReturnType<typeof createProtocol>;
