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
  /** The maximum number of sockets in this process, and from one address. */
  limits: { total: number; perAddress: number };
  /** Starts listening to the signals of other replicas. */
  listen: () => void;
}

/** On public endpoints, silent clients are switched to the unidirectional protocol after this. */
const uniAfterMs = 1000;
/** On other endpoints, silent clients are disconnected after this. */
const staleAfterMs = 10_000;

const ignore = () => undefined;

/** The set of open sockets, counted by address and endpoint. */
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

    /** Returns false when the client had already been removed. */
    remove(client: Client): boolean {
      if (!clients.delete(client)) return false;
      counters.connections[client.endpoint] -= 1;
      const remaining = (perAddress.get(client.address) ?? 1) - 1;
      if (remaining <= 0) perAddress.delete(client.address);
      else perAddress.set(client.address, remaining);
      return true;
    },
  };
}

/** Connects clients of the unidirectional protocol, and those that send no command in time. */
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

/** The sockets of this process, from handshake to close. */
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
    /** True when one more socket of this address would exceed the limits. */
    isFull: registry.isFull,

    /** Serves a socket until it closes. */
    accept(socket: NewSocket): void {
      const { webSocket, uniChannels } = socket;
      const client = createClient(socket, now());
      registry.add(client);
      heartbeat.add(client);
      listen();
      // The plugin's listener would retain the whole request. After an error, `ws` closes anyway.
      webSocket.removeAllListeners('error');
      webSocket.on('error', ignore);
      webSocket.on('message', (data) => queue.onMessage(client, data));
      webSocket.on('close', () => onClose(client));
      if (uniChannels === undefined) uniMode.awaitCommand(client);
      else uniMode.connect(client, uniChannels);
    },

    count: (): number => clients.size,

    /** Disconnects all clients. Resolves when all are closed, or after `timeoutMs`. */
    async closeAll(timeoutMs: number): Promise<void> {
      heartbeat.stop();
      const deadline = Date.now() + timeoutMs;
      for (const client of clients) disconnect(client, 'shutdown');
      while (clients.size > 0 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { webSocket } of clients) webSocket.terminate();
    },
  };
}
