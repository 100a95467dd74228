import type { Logger } from 'pino';
import { type Client, createClient, disconnect, isOpen, type NewSocket } from './client.ts';
import { ReplyError } from '../codes.ts';
import type { CommandHandlers } from '../commands/command-handlers.ts';
import { createCommandQueue } from '../commands/command-queue.ts';
import type { Counters } from '../counters.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Revalidation } from './revalidation.ts';

export interface ClientsDeps {
  handlers: CommandHandlers;
  heartbeat: Heartbeat;
  revalidation: Revalidation;
  counters: Counters;
  now: () => number;
  logger: Logger;
  /** Sockets of this process, and of one address. */
  limits: { total: number; perAddress: number };
  /** Starts listening to the signals of other replicas. */
  listen: () => void;
}

/** After this, silent clients get the unidirectional protocol where sockets are public. */
const uniAfterMs = 1000;
/** After this, silent clients are disconnected elsewhere. */
const staleAfterMs = 10_000;

const ignore = () => undefined;

/** The open sockets, counted by address and endpoint. */
function createRegistry({ limits, counters }: Pick<ClientsDeps, 'limits' | 'counters'>) {
  const clients = new Set<Client>();
  const perAddress = new Map<string, number>();

  return {
    clients,

    isFull: (address: string): boolean =>
      clients.size >= limits.total || (perAddress.get(address) ?? 0) >= limits.perAddress,

    add(client: Client): void {
      clients.add(client);
      counters.connections[client.endpoint] += 1;
      perAddress.set(client.address, (perAddress.get(client.address) ?? 0) + 1);
    },

    /** False when the client was removed before. */
    remove(client: Client): boolean {
      if (!clients.delete(client)) return false;
      counters.connections[client.endpoint] -= 1;
      const left = (perAddress.get(client.address) ?? 1) - 1;
      if (left <= 0) perAddress.delete(client.address);
      else perAddress.set(client.address, left);
      return true;
    },
  };
}

/** Gives clients that send no command what their endpoint has for them. */
function createUniMode({ handlers, logger }: Pick<ClientsDeps, 'handlers' | 'logger'>) {
  function connect(client: Client, channels: readonly string[]): void {
    client.work = handlers.connectUni(client, channels).catch((error: unknown) => {
      if (!(error instanceof ReplyError))
        logger.error({ err: error }, 'a socket could not be served');
      const isPermanent = error instanceof ReplyError && error.reply.temporary !== true;
      disconnect(client, isPermanent ? 'permission_denied' : 'server_error');
    });
  }

  return {
    connect,

    awaitCommand(client: Client): void {
      const isPublic = client.endpoint === '/ws/status/';
      const onSilence = () => {
        if (client.mode !== 'new' || client.work !== undefined || !isOpen(client)) return;
        if (isPublic) connect(client, ['status']);
        else disconnect(client, 'stale');
      };
      setTimeout(onSilence, isPublic ? uniAfterMs : staleAfterMs).unref();
    },
  };
}

/** All sockets of this process, from their handshake to their end. */
export function createClients(deps: ClientsDeps) {
  const { handlers, heartbeat, revalidation, now, logger, listen } = deps;
  const registry = createRegistry(deps);
  const { clients } = registry;
  const uniMode = createUniMode(deps);
  const queue = createCommandQueue({ handlers, now, logger });

  function onClose(client: Client): void {
    client.isClosed = true;
    if (!registry.remove(client)) return;
    heartbeat.remove(client);
    revalidation.forget(client);
    for (const channel of [...client.subscriptions.keys()]) handlers.unsubscribe(client, channel);
  }

  return {
    /** Whether one more socket of this address would exceed the limits. */
    isFull: registry.isFull,

    /** Serves a socket from its handshake to its end. */
    accept(socket: NewSocket): void {
      const { webSocket, uniChannels } = socket;
      const client = createClient(socket, now());
      registry.add(client);
      heartbeat.add(client);
      listen();
      // The plugin's listener would hold the whole request as long as the socket. `ws` closes it.
      webSocket.removeAllListeners('error');
      webSocket.on('error', ignore);
      webSocket.on('message', (data, isBinary) => queue.onMessage(client, data, isBinary));
      webSocket.on('close', () => onClose(client));
      if (uniChannels === undefined) uniMode.awaitCommand(client);
      else uniMode.connect(client, uniChannels);
    },

    count: (): number => clients.size,

    /** Disconnects every client, and resolves when all are closed or after `timeoutMs`. */
    async closeAll(timeoutMs: number): Promise<void> {
      heartbeat.stop();
      const end = Date.now() + timeoutMs;
      for (const client of clients) disconnect(client, 'shutdown');
      while (clients.size > 0 && Date.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { webSocket } of clients) webSocket.terminate();
    },
  };
}
