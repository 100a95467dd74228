import type { Logger } from 'pino';
import { oneAtATime } from '../../../lib/concurrency/one-at-a-time.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { identitySignal } from '../../../platform/bus/signals.ts';
import type { Identities, Identity } from '../../ws/clients/identities.ts';
import type { Engine } from '../execution/engine.ts';
import type { Protocol } from './protocol.ts';
import {
  closeSocket,
  type Connection,
  createSocketClient,
  type Handshake,
  type SocketClient,
} from './socket-client.ts';
import { createSubscriptionIterators } from './subscription-iterator.ts';

export interface SocketsDeps {
  engine: () => Promise<Engine>;
  bus: Pick<Bus, 'onSignal' | 'listen' | 'subscribe'>;
  identities: Pick<Identities, 'fromToken'>;
  logger: Logger;
  now: () => number;
  /** The maximum number of sockets in this process, and from one address. */
  limits: { total: number; perAddress: number };
}

type Clients = ReadonlySet<SocketClient>;

const pingMs = 25_000;
const ignore = () => undefined;

/** Reviews clients when their identity may have changed. Never rejects. */
function createReviewer(clients: Clients, { bus, logger }: Pick<SocketsDeps, 'bus' | 'logger'>) {
  // One review per client at a time: when two overlap, the older result could win.
  const review = oneAtATime((client: SocketClient) => client.review());

  function reviewSoon(client: SocketClient): void {
    review(client).catch((error: unknown) =>
      logger.warn({ err: error }, 'it could not be looked at who a socket belongs to'),
    );
  }

  bus.onSignal(identitySignal, (id) => {
    for (const client of clients) {
      const { principal } = client.identity();
      if (principal !== undefined && (id === undefined || principal.id === id)) reviewSoon(client);
    }
  });
  return reviewSoon;
}

/** Pings and reviews every client, and terminates those that missed the previous ping. */
function ping(clients: Clients, reviewSoon: (client: SocketClient) => void): void {
  for (const client of clients) {
    if (client.isAwaitingPong) {
      client.webSocket.terminate();
      continue;
    }
    client.isAwaitingPong = true;
    client.webSocket.ping();
    reviewSoon(client);
  }
}

/** Closes all sockets; resolves when all are closed, or after `limitMs`. */
async function closeAll(clients: Clients, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (const { webSocket } of clients) closeSocket(webSocket, 'shutdown');
  while (clients.size > 0 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  for (const { webSocket } of clients) webSocket.terminate();
}

/** Loads the protocol for the first socket, and again after a failure. */
function createProtocolLoader({ engine, logger }: Pick<SocketsDeps, 'engine' | 'logger'>) {
  let protocol: Promise<Protocol> | undefined;
  const load = async () =>
    (await import('./protocol.ts')).createProtocol({ engine: await engine(), logger });
  return () =>
    (protocol ??= load().catch((error: unknown) => {
      protocol = undefined;
      throw error;
    }));
}

/** The sockets of GraphQL, from handshake to close. */
export function createSockets(deps: SocketsDeps) {
  const { bus, identities, logger, now, limits } = deps;
  const clients = new Set<SocketClient>();
  const reviewSoon = createReviewer(clients, deps);
  const protocol = createProtocolLoader(deps);
  const openSubscription = createSubscriptionIterators(bus);
  const clientDeps = { identities, openSubscription, now, onAuthenticated: reviewSoon };
  let pinging: NodeJS.Timeout | undefined;

  function serve(client: SocketClient): void {
    protocol().then(
      (loaded) => loaded.serve(client),
      (error: unknown) => {
        logger.error({ err: error }, 'a socket could not be served');
        closeSocket(client.webSocket, 'failed');
      },
    );
  }

  return {
    /** True when no more sockets of this address may be opened. */
    isFull: (address: string): boolean =>
      clients.size >= limits.total ||
      [...clients].filter((client) => client.address === address).length >= limits.perAddress,

    count: (): number => clients.size,

    /** Serves a socket until it closes. */
    accept(webSocket: Connection, handshake: Handshake & { identity: Identity }): void {
      const client = createSocketClient(webSocket, handshake, clientDeps);
      clients.add(client);
      webSocket.once('close', () => clients.delete(client));
      // The listener of the plugin would retain the whole request until the socket closes.
      webSocket.removeAllListeners('error');
      webSocket.on('error', ignore);
      webSocket.on('pong', () => {
        client.isAwaitingPong = false;
      });
      // Messages that arrive while the protocol loads stay in the buffer.
      webSocket.pause();
      // Its identity may have changed since the handshake.
      reviewSoon(client);
      bus.listen();
      pinging ??= setInterval(() => ping(clients, reviewSoon), pingMs).unref();
      serve(client);
    },

    async closeAll(limitMs: number): Promise<void> {
      clearInterval(pinging);
      await closeAll(clients, limitMs);
    },
  };
}

export type Sockets = ReturnType<typeof createSockets>;
