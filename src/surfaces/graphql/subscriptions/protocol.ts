import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
} from 'graphql/index.js';
import { CloseCode, type Context, makeServer, type SubscribePayload } from 'graphql-ws';
import type { Logger } from 'pino';
import type { RawData } from 'ws';
import { cutText } from '../../../lib/text/cut.ts';
import type { AppError } from '../../../platform/errors/errors.ts';
import type { Found } from '../execution/documents.ts';
import type { Engine } from '../execution/engine.ts';
import { graphqlErrors } from '../errors.ts';
import {
  firstErrors,
  firstFieldErrors,
  messageLength,
  presentFieldError,
  presentThrown,
  type Witness,
} from '../execution/error-formatting.ts';
import type { Client } from './sockets.ts';

const mostSubscriptions = 50;
/** What the subscriptions of one socket may cost together, each time that something happens. */
const mostCost = 2000;
const initWaitMs = 3000;
const pace = { burst: 200, perSecond: 50 };
const policyViolation = 1008;

type Extra = Client & Record<PropertyKey, unknown>;
type Talk = Context<Record<string, unknown> | undefined, Extra>;

/** The package throws so at messages that only a server may send. */
const isNoClients = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Unexpected message of type');

function isIterable(result: unknown): boolean {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

/** What a resolver or the bus has thrown, under the errors that are put around it on its way. */
function innermost(error: GraphQLError): GraphQLError {
  let inner = error;
  while (inner.originalError instanceof GraphQLError) inner = inner.originalError;
  return inner;
}

/** The token in the first message: `{"authorization":"Bearer …"}` or `{"token":"…"}`; undefined when it has none. */
function tokenIn(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { authorization, token } = {
    authorization: params?.authorization ?? params?.Authorization,
    token: params?.token,
  };
  if (typeof token === 'string') return token;
  return typeof authorization === 'string' ? authorization.replace(/^bearer +/i, '') : undefined;
}

/** Lets messages pass at the pace that one client may have. */
function createPace(): () => boolean {
  let tokens = pace.burst;
  let at = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(pace.burst, tokens + ((now - at) / 1000) * pace.perSecond) - 1;
    at = now;
    return tokens >= 0;
  };
}

/** graphql-transport-ws by `graphql-ws`: subscriptions alone, with the errors and limits that HTTP has. */
export async function createProtocol({ engine, logger }: { engine: Engine; logger: Logger }) {
  const { schema, documents } = engine;
  const witnessOf = ({ requestId }: Client): Witness => ({
    requestId,
    failed: (cause) => logger.error({ err: cause, request_id: requestId }, 'a subscription failed'),
  });

  function asErrors(error: AppError, found: readonly Found[], client: Client): GraphQLError[] {
    const { message, extensions = {} } = presentThrown(error, witnessOf(client));
    if (found.length === 0) return [new GraphQLError(message, { extensions })];
    return firstErrors(found).map(({ message: detail, locations }) =>
      Object.assign(new GraphQLError(cutText(detail, messageLength), { extensions }), {
        locations,
      }),
    );
  }

  /** Of each socket, by the ids of its subscriptions; those that are over are left there, and not counted. */
  const costs = new WeakMap<Talk['subscriptions'], Map<string, number>>();

  /** Counts a subscription in; false when it is too much. */
  function afford({ subscriptions }: Talk, id: string, cost: number): boolean {
    const live = [...(costs.get(subscriptions) ?? [])].filter(
      ([each]) => each !== id && Object.hasOwn(subscriptions, each),
    );
    const sum = live.reduce((total, [, each]) => total + each, cost);
    costs.set(subscriptions, new Map([...live, ...(sum > mostCost ? [] : [[id, cost] as const])]));
    return sum <= mostCost;
  }

  function begin(
    talk: Talk,
    id: string,
    { query, operationName, variables }: SubscribePayload,
  ): ExecutionArgs | GraphQLError[] {
    const client = talk.extra;
    // This one is among them already.
    if (Object.keys(talk.subscriptions).length > mostSubscriptions)
      return asErrors(graphqlErrors.too_many_subscriptions(), [], client);
    const prepared = documents(query, operationName ?? undefined);
    if (prepared.refused !== undefined)
      return asErrors(prepared.refused.error, prepared.refused.found, client);
    const { document, cost } = prepared.operation;
    if (document === undefined) return asErrors(graphqlErrors.needs_http(), [], client);
    if (!afford(talk, id, cost))
      return asErrors(graphqlErrors.too_costly({ extra: { limit: mostCost } }), [], client);
    return { schema, document, variableValues: variables ?? {}, contextValue: client };
  }

  /** What could not begin is an `error` of the protocol, not a result. */
  async function* failing({ errors = [] }: ExecutionResult): AsyncGenerator<ExecutionResult> {
    throw errors[0] ?? new Error('a subscription ended before it began');
  }

  function presented(
    {
      data,
      errors,
    }: { data?: ExecutionResult['data'] | undefined; errors?: readonly GraphQLError[] | undefined },
    client: Client,
  ): FormattedExecutionResult | undefined {
    return errors === undefined
      ? undefined
      : {
          ...(data === undefined ? {} : { data }),
          errors: firstFieldErrors(
            errors.map((error) => presentFieldError(error, witnessOf(client))),
          ),
        };
  }

  const present = (error: GraphQLError, client: Client): GraphQLFormattedError =>
    error.extensions.code === undefined
      ? presentFieldError(innermost(error), witnessOf(client))
      : error.toJSON();

  const server = makeServer<Record<string, unknown> | undefined, Extra>({
    schema,
    connectionInitWaitTimeout: initWaitMs,
    async onConnect({ connectionParams, extra }) {
      const token = tokenIn(connectionParams);
      return token === undefined || extra.introduce(token);
    },
    onSubscribe: (talk, id, payload) => begin(talk, id, payload),
    onOperation: (_talk, _id, _payload, _args, result) =>
      isIterable(result) ? undefined : failing(result as ExecutionResult),
    onNext: ({ extra }, _id, _payload, _args, result) => presented(result, extra),
    onError: ({ extra }, _id, _payload, errors) => errors.map((error) => present(error, extra)),
  });

  return {
    /** Lets a socket speak the protocol. */
    serve(client: Client): void {
      const { webSocket } = client;
      const isInTime = createPace();
      let hear: (text: string) => Promise<void> = async () => undefined;

      const ended = server.opened(
        {
          protocol: webSocket.protocol,
          send: (text) =>
            new Promise((resolve) => {
              webSocket.send(text, () => resolve());
            }),
          close: (code, reason) => webSocket.close(code, reason),
          onMessage: (callback) => {
            hear = callback;
          },
        },
        client as Extra,
      );

      function onMessage(data: RawData, isBinary: boolean): void {
        if (!isInTime()) {
          webSocket.close(policyViolation, 'too many messages');
          return;
        }
        const text = isBinary || !Buffer.isBuffer(data) ? undefined : data.toString();
        if (text === undefined) {
          webSocket.close(CloseCode.BadRequest, 'Invalid message received');
          return;
        }
        hear(text).catch((error: unknown) => {
          const isInvalid = isNoClients(error);
          if (!isInvalid) logger.error({ err: error }, 'a message of a socket failed');
          webSocket.close(
            isInvalid ? CloseCode.BadRequest : CloseCode.InternalServerError,
            isInvalid ? 'Invalid message received' : 'internal server error',
          );
        });
      }

      webSocket.on('message', onMessage);
      webSocket.once(
        'close',
        (code, reason) =>
          void Promise.resolve(ended(code, reason.toString())).catch(() => undefined),
      );
      webSocket.resume();
    },
  };
}

export type Protocol = Awaited<ReturnType<typeof createProtocol>>;
