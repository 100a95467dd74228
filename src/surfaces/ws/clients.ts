import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { RawData } from 'ws';
import type { Endpoint } from '../../areas/realtime/channels.ts';
import { type Client, close, type Connection, isOpen } from './client.ts';
import { ReplyError } from './codes.ts';
import { type Command, readCommands } from './commands.ts';
import type { Counters } from './counters.ts';
import type { Handling } from './handling.ts';
import type { Identity } from './identities.ts';
import type { Review } from './review.ts';
import type { Rounds } from './rounds.ts';

/** What a handshake tells. */
export interface Arrival {
  endpoint: Endpoint;
  webSocket: Connection;
  socket: Socket;
  identity: Identity;
  address: string;
  /** It asked for the unidirectional form, with these channels. */
  listensTo: readonly string[] | undefined;
}

export interface ClientsDeps {
  handling: Handling;
  rounds: Rounds;
  review: Review;
  counters: Counters;
  now: () => number;
  logger: Logger;
  /** Sockets that this process holds, and those of one address. */
  most: { all: number; ofAddress: number };
  /** Hears what other replicas signal, from the first socket on. */
  hear: () => void;
}

const burst = 300;
const perSecond = 100;
const mostErrors = 100;
/**
 * A silent client on a public path gets the unidirectional form after this; elsewhere it is closed.
 */
const silenceMs = 1000;
const staleMs = 10_000;
const backlogLimit = 128 * 1024;

const ignore = () => undefined;

/** Takes commands at the pace that one client may have. */
function isTooFast(client: Client, now: number, cost = 1): boolean {
  client.tokens = Math.min(burst, client.tokens + ((now - client.tokensAt) / 1000) * perSecond);
  client.tokensAt = now;
  client.tokens -= cost;
  return client.tokens < 0;
}

/** All sockets of this process: they are greeted, listened to, pinged and closed here. */
export function createClients({
  handling,
  rounds,
  review,
  counters,
  now,
  logger,
  most,
  hear,
}: ClientsDeps) {
  const all = new Set<Client>();
  const ofAddress = new Map<string, number>();

  function gone(client: Client): void {
    client.isClosed = true;
    if (!all.delete(client)) return;
    counters.connections[client.endpoint] -= 1;
    rounds.remove(client);
    review.forget(client);
    for (const channel of [...client.subscriptions.keys()]) handling.leave(client, channel);
    const left = (ofAddress.get(client.address) ?? 1) - 1;
    if (left <= 0) ofAddress.delete(client.address);
    else ofAddress.set(client.address, left);
  }

  function failed(client: Client, error: unknown): void {
    if (error instanceof ReplyError) {
      close(client, error.reply.temporary === true ? 'server_error' : 'permission_denied');
      return;
    }
    logger.error({ err: error }, 'a socket could not be served');
    close(client, 'server_error');
  }

  async function work(client: Client, command: Command): Promise<void> {
    if (!isOpen(client)) return;
    // The first command says who it is, and no other one does.
    if ((client.mode === 'new') !== 'connect' in command) {
      close(client, 'bad_request');
      return;
    }
    if (isTooFast(client, now())) {
      close(client, 'too_many_requests');
      return;
    }
    await handling
      .handle(client, command)
      .catch((error: unknown) => logger.error({ err: error }, 'a command failed'));
    if (client.errors >= mostErrors) close(client, 'too_many_errors');
  }

  async function workOff(
    client: Client,
    before: Promise<void> | undefined,
    commands: readonly Command[],
    bytes: number,
  ): Promise<void> {
    await before;
    if (client.mode === 'uni') beginAnew(client);
    for (const command of commands) await work(client, command);
    client.backlog -= bytes;
    if (client.backlog <= backlogLimit && client.webSocket.isPaused) client.webSocket.resume();
    if (client.backlog === 0) client.work = undefined;
  }

  /**
   * One after the other, in their order; a client that says more than can be done is not read
   * meanwhile.
   */
  function enqueue(client: Client, commands: readonly Command[], bytes: number): void {
    client.backlog += bytes;
    if (client.backlog > backlogLimit) client.webSocket.pause();
    client.work = workOff(client, client.work, commands, bytes);
  }

  /** Who spoke too late for a silent one and gets the other form now. */
  function beginAnew(client: Client): void {
    for (const channel of [...client.subscriptions.keys()]) handling.leave(client, channel);
    client.mode = 'new';
    client.isGreeted = false;
  }

  function onMessage(client: Client, data: RawData, isBinary: boolean): void {
    if (!isOpen(client)) return;
    const text = isBinary || !Buffer.isBuffer(data) ? undefined : data.toString();
    const read = text === undefined ? undefined : readCommands(text);
    if (
      text === undefined ||
      read === undefined ||
      (read.commands.length > 0 && !client.maySpeak)
    ) {
      close(client, 'bad_request');
      return;
    }
    if (read.pongs > 0) client.awaitsPong = false;
    // Commands are counted when their turn comes.
    if (read.commands.length > 0) enqueue(client, read.commands, text.length);
    if (isTooFast(client, now(), read.commands.length > 0 ? read.pongs : Math.max(1, read.pongs)))
      close(client, 'too_many_requests');
  }

  function listen(client: Client, channels: readonly string[]): void {
    client.work = handling
      .listen(client, channels)
      .catch((error: unknown) => failed(client, error));
  }

  /** What becomes of a client that says nothing. */
  function awaitFirst(client: Client): void {
    const isPublic = client.endpoint === '/ws/status/';
    setTimeout(
      () => {
        if (client.mode !== 'new' || client.work !== undefined || !isOpen(client)) return;
        if (isPublic) listen(client, ['status']);
        else close(client, 'stale');
      },
      isPublic ? silenceMs : staleMs,
    ).unref();
  }

  function enter(client: Client): void {
    all.add(client);
    counters.connections[client.endpoint] += 1;
    rounds.add(client);
    ofAddress.set(client.address, (ofAddress.get(client.address) ?? 0) + 1);
    hear();
  }

  return {
    /** Whether one more socket of this address may be opened. */
    isFull: (address: string): boolean =>
      all.size >= most.all || (ofAddress.get(address) ?? 0) >= most.ofAddress,

    /** Serves a socket from its handshake to its end. */
    accept({ endpoint, webSocket, socket, identity, address, listensTo }: Arrival): void {
      const client: Client = {
        id: randomUUID(),
        endpoint,
        webSocket,
        socket,
        address,
        maySpeak: listensTo === undefined,
        mode: 'new',
        isGreeted: false,
        identity,
        subscriptions: new Map(),
        pending: 0,
        isClosed: false,
        isCorked: false,
        awaitsPong: false,
        tokens: burst,
        tokensAt: now(),
        errors: 0,
        backlog: 0,
        work: undefined,
      };
      enter(client);
      // The one that was put there holds the whole request for as long as the socket lives. `ws`
      // closes it by itself.
      webSocket.removeAllListeners('error');
      webSocket.on('error', ignore);
      webSocket.on('message', (data, isBinary) => onMessage(client, data, isBinary));
      webSocket.on('close', () => gone(client));
      if (listensTo === undefined) awaitFirst(client);
      else listen(client, listensTo);
    },

    count: (): number => all.size,

    /**
     * Tells every client to go elsewhere, and resolves when all are gone, at most after `limitMs`.
     */
    async closeAll(limitMs: number): Promise<void> {
      rounds.stop();
      const end = Date.now() + limitMs;
      for (const client of all) close(client, 'shutdown');
      while (all.size > 0 && Date.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { webSocket } of all) webSocket.terminate();
    },
  };
}

export type Clients = ReturnType<typeof createClients>;
