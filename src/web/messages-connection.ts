import { createChannels } from './messages-channels.ts';
import type { Tell } from './messages-events.ts';
import { type Link, openLink, type OpenSocket } from './messages-link.ts';
import {
  backOff,
  type Command,
  type Reply,
  type ReplyError,
  tokenExpired,
} from './messages-protocol.ts';

export type Awaitable<T> = T | Promise<T>;

export interface ConnectOptions {
  /** An address, or a path on the page's own origin. */
  url: string;
  channels?: string[];
  token?: string | undefined;
  /** Asked for a token when there is none, and when one has expired. */
  getToken?: (() => Awaitable<string>) | undefined;
}

export interface ConnectionOptions {
  openSocket: OpenSocket;
  tell: Tell;
}

export type State = 'closed' | 'connecting' | 'connected';

export interface Connection {
  /** Begins anew with these options; channels asked for before stay. */
  connect: (options: ConnectOptions) => void;
  add: (channel: string) => void;
  remove: (channel: string) => void;
  /**
   * Sends a command. It is never answered when there is no connection, or when that ends before.
   */
  call: (command: Command, answered: (reply: Reply) => void) => void;
  /** Ends the connection, to come back after a while or by `wake`. */
  drop: (reason: string) => void;
  /** Connects at once if it waits for the next try. */
  wake: () => void;
  /** Ends the connection for good. */
  close: () => void;
  state: () => State;
}

/** A connection of this length was a good one: after it the back off begins anew. */
const lastingMs = 5000;
const expired = 3005;

/** Close codes by range: those that say not to come back. */
const isFinal = (code: number): boolean => code >= 3500 && code < 5000 && code % 1000 >= 500;

/**
 * Keeps one connection: connects, catches up and comes back until it is told to close, or by the
 * server not to come back.
 */
export function createConnection({ openSocket, tell }: ConnectionOptions): Connection {
  let options: ConnectOptions | undefined;
  let state: State = 'closed';
  let link: Link | undefined;
  let token: string | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let connectedAt = Infinity;
  let isOutageTold = false;
  /** No attempt is under way: it waits for its time, or to be woken. */
  let isWaiting = false;
  /** Tells what was begun before the last stop from what goes on. */
  let round = 0;

  const channels = createChannels({
    call: (command, answered) => link?.call(command, answered),
    isConnected: () => state === 'connected',
    tell,
    connectionRefused: refused,
  });

  function stop(): void {
    round += 1;
    clearTimeout(retry);
    isWaiting = options !== undefined;
    channels.stop();
    link?.close();
    link = undefined;
    if (Date.now() - connectedAt > lastingMs) tries = 0;
    connectedAt = Infinity;
    state = options ? 'connecting' : 'closed';
  }

  function tellLost(code: number, reason: string): void {
    const willReconnect = options !== undefined;
    if (isOutageTold && willReconnect) return;
    isOutageTold = true;
    tell('disconnected', { code, reason, willReconnect });
  }

  function end(code: number, reason: string): void {
    options = undefined;
    stop();
    tellLost(code, reason);
  }

  function lost(code: number, reason: string): void {
    if (isFinal(code)) {
      end(code, reason);
      return;
    }
    if (code === expired) renew();
    stop();
    retry = setTimeout(() => void attempt(), backOff(tries));
    tries += 1;
    tellLost(code, reason);
  }

  /** Lets the next attempt ask for another token. False when there is nobody to ask. */
  function renew(): boolean {
    if (!options?.getToken) return false;
    token = undefined;
    return true;
  }

  function refused(error: ReplyError): void {
    tell('error', error);
    if (error.temporary || (error.code === tokenExpired && renew()))
      lost(error.code, error.message);
    else end(error.code, error.message);
  }

  function connected({ error, connect = { client: '' } }: Reply): void {
    if (error) {
      refused(error);
      return;
    }
    const { client, ping, pong, subs = {} } = connect;
    link?.expectPings(ping, pong);
    connectedAt = Date.now();
    state = 'connected';
    channels.resume(subs, (recovered) => {
      // A listener may have ended it by now.
      if (state !== 'connected') return;
      isOutageTold = false;
      tell('connected', { client, recovered });
    });
  }

  function open(url: string): void {
    const opened = () =>
      link?.call(
        { connect: { name: 'svc-messages', ...(token && { token }), subs: channels.positions() } },
        connected,
      );
    try {
      link = openLink({ openSocket, url, opened, pushed: (push) => channels.pushed(push), lost });
    } catch (error) {
      // An address that no WebSocket can have.
      tell('error', { code: 0, message: String(error) });
      end(1, 'bad address');
    }
  }

  async function attempt(): Promise<void> {
    stop();
    if (!options) return;
    isWaiting = false;
    const { url, getToken } = options;
    const mine = round;
    try {
      const found = token ?? (await getToken?.());
      if (mine !== round) return;
      token = found;
    } catch (error) {
      if (mine !== round) return;
      // Whoever can't give a token is asked again later.
      tell('error', { code: 0, message: String(error), temporary: true });
      lost(1, 'no token');
      return;
    }
    open(url);
  }

  return {
    connect(given) {
      options = given;
      token = given.token;
      tries = 0;
      isOutageTold = false;
      for (const name of given.channels ?? []) channels.add(name, Infinity);
      void attempt();
    },
    add: (channel) => channels.add(channel),
    remove: (channel) => channels.remove(channel),
    call: (command, answered) => link?.call(command, answered),
    drop(reason) {
      if (options) lost(1, reason);
    },
    wake() {
      if (isWaiting) void attempt();
    },
    close() {
      if (options) end(0, 'closed');
    },
    state: () => state,
  };
}
