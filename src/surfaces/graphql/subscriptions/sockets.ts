import { oneAtATime } from '../../../lib/concurrency/one-at-a-time.ts';
import { identitySignal } from '../../../platform/bus/signals.ts';
import type { Identity } from '../../ws/clients/identities.ts';
import type { GraphqlServices } from '../context.ts';
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

const socketsPerAddress = 100;
const pingMs = 25_000;
const ignore = () => undefined;

/** The sockets of GraphQL, from handshake to close. */
export function createSockets(engine: () => Promise<Engine>, services: GraphqlServices) {
  const { bus, config, logger } = services;
  const perAddress = config.RATE_LIMIT ? socketsPerAddress : Infinity;
  const clients = new Set<SocketClient>();
  const openSubscription = createSubscriptionIterators(bus);
  const clientParts = { ...services, openSubscription, onAuthenticated: reviewSoon };
  // One review per client at a time: when two overlap, the older result could win.
  const review = oneAtATime((client: SocketClient) => client.review());
  let protocol: Promise<Protocol> | undefined;
  let pinging: NodeJS.Timeout | undefined;

  bus.onSignal(identitySignal, (id) => {
    for (const client of clients) {
      const { principal } = client.identity();
      if (principal !== undefined && (id === undefined || principal.id === id)) reviewSoon(client);
    }
  });

  return {
    /** True when no more sockets of this address may be opened. */
    isFull: (address: string): boolean =>
      clients.size >= config.WS_CONNECTION_LIMIT ||
      [...clients].filter((client) => client.address === address).length >= perAddress,

    count: (): number => clients.size,

    /** Serves a socket until it closes. */
    accept(webSocket: Connection, handshake: Handshake & { identity: Identity }): void {
      const client = createSocketClient(webSocket, handshake, clientParts);
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
      pinging ??= setInterval(ping, pingMs).unref();
      serve(client);
    },

    /** Closes all sockets; resolves when all are closed, or after `limitMs`. */
    async closeAll(limitMs: number): Promise<void> {
      clearInterval(pinging);
      const deadline = Date.now() + limitMs;
      for (const { webSocket } of clients) closeSocket(webSocket, 'shutdown');
      while (clients.size > 0 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { webSocket } of clients) webSocket.terminate();
    },
  };

  /** Looks again at who a client is. */
  function reviewSoon(client: SocketClient): void {
    review(client).catch((error: unknown) =>
      logger.warn({ err: error }, 'it could not be looked at who a socket belongs to'),
    );
  }

  /** Pings and reviews every client, and terminates those that missed the previous ping. */
  function ping(): void {
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

  /** Loads the protocol for the first socket, and again after a failure. */
  async function loadProtocol(): Promise<Protocol> {
    try {
      const { createProtocol } = await import('./protocol.ts');
      return createProtocol(await engine(), logger);
    } catch (error) {
      protocol = undefined;
      throw error;
    }
  }

  function serve(client: SocketClient): void {
    protocol ??= loadProtocol();
    protocol.then(
      (loaded) => loaded.serve(client),
      (error: unknown) => {
        logger.error({ err: error }, 'a socket could not be served');
        closeSocket(client.webSocket, 'failed');
      },
    );
  }
}

export type Sockets = ReturnType<typeof createSockets>;
