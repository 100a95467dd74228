import type { WebSocket } from 'ws';
import type { AppError } from '../../../platform/errors/errors.ts';
import type { Identities, Identity } from '../../ws/clients/identities.ts';
import type { SocketContext } from './subscribers.ts';
import type { OpenSubscription, SubscriptionIterator } from './subscription-iterator.ts';

/** What is needed of a WebSocket of `ws`. */
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

/** Where a socket was opened from. */
export interface Handshake {
  address: string;
  requestId: string;
}

/** One socket, and who it belongs to. */
export interface SocketClient extends SocketContext, Handshake {
  readonly webSocket: Connection;
  /** Takes the token of its first message. False when nobody holds it. */
  authenticate: (token: string) => Promise<boolean>;
  /** Looks up again who it belongs to, and ends what they may not read any more. */
  review: () => Promise<void>;
  isAwaitingPong: boolean;
}

export interface SocketClientDeps {
  identities: Pick<Identities, 'fromToken'>;
  openSubscription: OpenSubscription;
  now: () => number;
  /** Called when a token has told who it belongs to. */
  onAuthenticated: (client: SocketClient) => void;
}

const open = 1;

/** Why a socket is closed: `graphql-ws` reconnects after 4403, and not after 4401. */
const closings = {
  ended: [4401, 'session ended'],
  expired: [4403, 'token expired'],
  failed: [4500, 'internal server error'],
  shutdown: [1001, 'shutdown'],
} as const;

export function closeSocket(webSocket: Connection, why: keyof typeof closings): void {
  const [code, reason] = closings[why];
  webSocket.resume();
  webSocket.close(code, reason);
}

/** The subscriptions of a socket, each with what may refuse it later. */
function createSubscriptions(identity: () => Identity, openSubscription: OpenSubscription) {
  const refusals = new Map<SubscriptionIterator, (identity: Identity) => AppError | undefined>();

  function dropRefused(): void {
    for (const [iterator, refusalOf] of [...refusals]) {
      const refusal = refusalOf(identity());
      if (refusal !== undefined) iterator.fail(refusal);
    }
  }

  const subscribe: SocketContext['subscribe'] = async (channel, isWanted, refusalOf) => {
    const refusal = refusalOf(identity());
    if (refusal !== undefined) throw refusal;
    const iterator = await openSubscription(channel, isWanted, (each) => refusals.delete(each));
    refusals.set(iterator, refusalOf);
    // The identity may have changed while Redis was asked.
    dropRefused();
    return iterator;
  };

  return { subscribe, dropRefused };
}

/** Makes the client of a socket whose handshake has proved `identity`. */
export function createSocketClient(
  webSocket: Connection,
  { identity, ...handshake }: Handshake & { identity: Identity },
  { identities, openSubscription, now, onAuthenticated }: SocketClientDeps,
): SocketClient {
  let current = identity;
  const { subscribe, dropRefused } = createSubscriptions(() => current, openSubscription);

  const client: SocketClient = {
    ...handshake,
    webSocket,
    isAwaitingPong: false,
    identity: () => current,
    subscribe,

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
      if (expiresAt !== undefined && now() > expiresAt) {
        closeSocket(webSocket, 'expired');
        return;
      }
      const renewed = await revalidate();
      if (renewed === undefined) {
        closeSocket(webSocket, 'ended');
        return;
      }
      // A token may have told of somebody else meanwhile.
      if (current.revalidate === revalidate) current = { ...renewed, expiresAt };
      dropRefused();
    },
  };
  return client;
}
