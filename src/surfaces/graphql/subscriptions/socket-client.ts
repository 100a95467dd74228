import type { WebSocket } from 'ws';
import type { AppError } from '../../../platform/errors/errors.ts';
import type { Identity } from '../../ws/clients/identities.ts';
import type { GraphqlServices } from '../context.ts';
import type { SocketContext } from './subscribers.ts';
import type { OpenSubscription, SubscriptionIterator } from './subscription-iterator.ts';

/** The members of a WebSocket of `ws` that are used. */
export type Connection = Pick<
  WebSocket,
  | 'on'
  | 'once'
  | 'removeAllListeners'
  | 'readyState'
  | 'protocol'
  | 'send'
  | 'ping'
  | 'close'
  | 'terminate'
  | 'pause'
  | 'resume'
>;

/** The client address and request id of the handshake. */
export interface Handshake {
  address: string;
  requestId: string;
}

/** One socket with the identity of its client. */
export interface SocketClient extends SocketContext, Handshake {
  readonly webSocket: Connection;
  /** Authenticates with the token of the first message. Resolves to false when it is invalid. */
  authenticate: (token: string) => Promise<boolean>;
  /** Looks up the identity again, and ends subscriptions that are no longer allowed. */
  review: () => Promise<void>;
  isAwaitingPong: boolean;
}

interface SocketClientParts extends Pick<GraphqlServices, 'clock' | 'identities'> {
  openSubscription: OpenSubscription;
  /** Called after a token has set the identity. */
  onAuthenticated: (client: SocketClient) => void;
}

const open = 1;

/** Close codes and reasons. Clients of `graphql-ws` reconnect after 4403, but not after 4401. */
const closeReasons = {
  ended: [4401, 'session ended'],
  expired: [4403, 'token expired'],
  failed: [4500, 'internal server error'],
  shutdown: [1001, 'shutdown'],
} as const;

export function closeSocket(webSocket: Connection, why: keyof typeof closeReasons): void {
  const [code, reason] = closeReasons[why];
  webSocket.resume();
  webSocket.close(code, reason);
}

/** Creates the client of a socket. `identity` is the one that its handshake has proved. */
export function createSocketClient(
  webSocket: Connection,
  { identity, ...handshake }: Handshake & { identity: Identity },
  { clock, identities, openSubscription, onAuthenticated }: SocketClientParts,
): SocketClient {
  let current = identity;
  /** The subscriptions, each with its check for when the identity changes. */
  const refusals = new Map<SubscriptionIterator, (identity: Identity) => AppError | undefined>();

  const client: SocketClient = {
    ...handshake,
    webSocket,
    isAwaitingPong: false,
    identity: () => current,

    async subscribe(channel, isWanted, refusalOf) {
      const refusal = refusalOf(current);
      if (refusal !== undefined) throw refusal;
      const iterator = await openSubscription(channel, isWanted, (each) => refusals.delete(each));
      refusals.set(iterator, refusalOf);
      // The identity may have changed while subscribing in Redis.
      dropRefused();
      return iterator;
    },

    async authenticate(token) {
      const found = await identities.fromToken(token);
      if (found === undefined) return false;
      current = found;
      onAuthenticated(client);
      return true;
    },

    async review() {
      const { revalidate, expiresAt } = current;
      if (webSocket.readyState !== open || revalidate === undefined) return;
      if (expiresAt !== undefined && clock.now() > expiresAt) {
        closeSocket(webSocket, 'expired');
        return;
      }
      const renewed = await revalidate();
      if (renewed === undefined) {
        closeSocket(webSocket, 'ended');
        return;
      }
      // A token may have replaced the identity meanwhile.
      if (current.revalidate === revalidate) current = { ...renewed, expiresAt };
      dropRefused();
    },
  };
  return client;

  function dropRefused(): void {
    for (const [iterator, refusalOf] of [...refusals]) {
      const refusal = refusalOf(current);
      if (refusal !== undefined) iterator.fail(refusal);
    }
  }
}
