import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { oneAtATime } from '../../../lib/concurrency/one-at-a-time.ts';
import type { AppError } from '../../../platform/errors/errors.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { identitySignal } from '../../../platform/bus/signals.ts';
import type { Identities, Identity } from '../../ws/identities.ts';
import type { Engine } from '../execution/engine.ts';
import type { Hearing } from './subscription-iterator.ts';
import type { Protocol } from './protocol.ts';
import type { SocketContext } from './subscribers.ts';

/** What we need of a WebSocket of `ws`. */
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

/** One socket, and who it belongs to. */
export interface Client extends SocketContext {
  readonly webSocket: Connection;
  readonly address: string;
  /** Of its handshake. */
  readonly requestId: string;
  /** Takes the token of its first message. False when nobody holds it. */
  introduce: (token: string) => Promise<boolean>;
}

export interface SocketsDeps {
  engine: () => Promise<Engine>;
  bus: Pick<Bus, 'onSignal' | 'hear'>;
  identities: Pick<Identities, 'ofToken'>;
  logger: Logger;
  now: () => number;
  most: { all: number; ofAddress: number };
}

interface Held extends Client {
  look: () => Promise<void>;
  awaitsPong: boolean;
}

const beatMs = 25_000;
const open = 1;
const ignore = () => undefined;

/** Why a socket is closed: `graphql-ws` comes back after 4403, and not after 4401. */
const closings = {
  ended: [4401, 'session ended'],
  expired: [4403, 'token expired'],
  failed: [4500, 'internal server error'],
  shutdown: [1001, 'shutdown'],
} as const;

function close({ webSocket }: Pick<Held, 'webSocket'>, why: keyof typeof closings): void {
  const [code, reason] = closings[why];
  webSocket.resume();
  webSocket.close(code, reason);
}

/** Who a socket belongs to, looked at again and again, and what it hears meanwhile. */
function createClient(
  webSocket: Connection,
  first: Identity,
  {
    address,
    requestId,
    now,
    identities,
    changed,
  }: Pick<Client, 'address' | 'requestId'> &
    Pick<SocketsDeps, 'now' | 'identities'> & { changed: (client: Held) => void },
): Held {
  const heard = new Map<Hearing, () => AppError | undefined>();
  let identity = first;

  function dropForbidden(): void {
    for (const [hearing, refusal] of [...heard]) {
      const refused = refusal();
      if (refused === undefined) continue;
      heard.delete(hearing);
      hearing.end(refused);
    }
  }

  const client: Held = {
    webSocket,
    address,
    requestId,
    awaitsPong: false,
    identity: () => identity,

    watch(hearing, refusal) {
      const before = hearing.return;
      heard.set(hearing, refusal);
      hearing.return = async () => {
        heard.delete(hearing);
        return before();
      };
      dropForbidden();
    },

    async introduce(token) {
      const found = await identities.ofToken(token);
      if (found === undefined) return false;
      identity = found;
      changed(client);
      return true;
    },

    async look() {
      const { again, expiresAt } = identity;
      if (webSocket.readyState !== open || again === undefined) return;
      if (expiresAt !== undefined && now() > expiresAt) {
        close(client, 'expired');
        return;
      }
      const looked = await again();
      if (looked === undefined) {
        close(client, 'ended');
        return;
      }
      // Its first message may have put another one in its place meanwhile.
      if (identity.again === again) identity = { ...looked, expiresAt };
      dropForbidden();
    },
  };
  return client;
}

/** The sockets of GraphQL: they are greeted, looked at and closed here; what they say is the protocol's. */
export function createSockets({ engine, bus, identities, logger, now, most }: SocketsDeps) {
  const all = new Set<Held>();
  let protocol: Promise<Protocol> | undefined;
  let beat: NodeJS.Timeout | undefined;

  const makeProtocol = async (): Promise<Protocol> =>
    (await import('./protocol.ts')).createProtocol({ engine: await engine(), logger });

  // One at a time: of two that cross, the one that read first could be the one that is kept.
  const look = oneAtATime((client: Held) => client.look());

  function lookSoon(client: Held): void {
    look(client).catch((error: unknown) =>
      logger.warn({ err: error }, 'it could not be looked at who a socket belongs to'),
    );
  }

  bus.onSignal(identitySignal, (id) => {
    for (const client of all) {
      const { principal } = client.identity();
      if (principal !== undefined && (id === undefined || principal.id === id)) lookSoon(client);
    }
  });

  function pulse(): void {
    for (const client of all) {
      if (client.awaitsPong) {
        client.webSocket.terminate();
        continue;
      }
      client.awaitsPong = true;
      client.webSocket.ping();
      lookSoon(client);
    }
  }

  function enter(client: Held): void {
    all.add(client);
    // Something may have changed since its handshake.
    lookSoon(client);
    bus.hear();
    beat ??= setInterval(pulse, beatMs).unref();
  }

  return {
    /** Whether one more socket of this address may be opened. */
    isFull: (address: string): boolean =>
      all.size >= most.all ||
      [...all].filter((client) => client.address === address).length >= most.ofAddress,

    count: (): number => all.size,

    /** Serves a socket from its handshake to its end. */
    accept(
      webSocket: Connection,
      identity: Identity,
      { address, requestId }: Pick<Client, 'address' | 'requestId'>,
    ): void {
      const client = createClient(webSocket, identity, {
        address,
        requestId,
        now,
        identities,
        changed: lookSoon,
      });
      enter(client);
      // The one that was put there holds the whole request for as long as the socket lives. `ws` closes it by itself.
      webSocket.removeAllListeners('error');
      webSocket.on('error', ignore);
      webSocket.on('pong', () => {
        client.awaitsPong = false;
      });
      webSocket.once('close', () => all.delete(client));
      // Nothing that it says is lost while the protocol is read.
      webSocket.pause();
      protocol ??= makeProtocol().catch((error: unknown) => {
        protocol = undefined;
        throw error;
      });
      protocol.then(
        (made) => made.serve(client),
        (error: unknown) => {
          logger.error({ err: error }, 'a socket could not be served');
          close(client, 'failed');
        },
      );
    },

    /** Tells every client to go elsewhere, and resolves when all are gone, at most after `limitMs`. */
    async closeAll(limitMs: number): Promise<void> {
      clearInterval(beat);
      const end = Date.now() + limitMs;
      for (const client of all) close(client, 'shutdown');
      while (all.size > 0 && Date.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { webSocket } of all) webSocket.terminate();
    },
  };
}

export type Sockets = ReturnType<typeof createSockets>;
