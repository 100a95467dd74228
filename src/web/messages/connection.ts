import { createChannels } from './channels.ts';
import type { Emit, MessageEvents } from './events.ts';
import { backoffMs, type Command, type Reply, type ReplyError, tokenExpired } from './protocol.ts';
import { type ConnectOptions, openSession, type Session } from './session.ts';
import type { OpenSocket } from './transport.ts';

export type State = 'closed' | 'connecting' | 'connected';

export interface Connection {
  /** Reconnects with these options; channels that were added stay. */
  connect: (options: ConnectOptions) => void;
  add: (channel: string) => void;
  remove: (channel: string) => void;
  /** Sends a command. `onReply` is not called without a connection, or if it ends before. */
  call: (command: Command, onReply?: (reply: Reply) => void) => void;
  /** Ends the connection. It reconnects after a pause, or on `wake`. */
  drop: (reason: string) => void;
  /** Connects at once if an attempt is scheduled. */
  wake: () => void;
  /** Ends the connection, without reconnecting. */
  close: () => void;
  state: () => State;
}

export interface ConnectionOptions {
  openSocket: OpenSocket;
  emit: Emit;
}

/** A connection of this length resets the backoff. */
const stableMs = 5000;
const connectionExpired = 3005;

/** Whether a close code tells the client not to reconnect. */
const isFinal = (code: number): boolean => code >= 3500 && code < 5000 && code % 1000 >= 500;

/** Schedules attempts, each after a longer pause than the one before. */
function createBackoff(attempt: () => void) {
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function schedule(): void {
    timer = setTimeout(attempt, backoffMs(attempts));
    attempts += 1;
  }
  function cancel(isReset: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    if (isReset) attempts = 0;
  }
  return [schedule, cancel, () => timer !== undefined] as const;
}

/** Makes the next attempt get another token. Returns false without `getToken`. */
function renewToken(options: ConnectOptions | undefined): boolean {
  if (!options?.getToken) return false;
  options.token = undefined;
  return true;
}

/** Keeps one connection: connects, recovers and reconnects until it is closed. */
export function createConnection({ openSocket, emit }: ConnectionOptions): Connection {
  let options: ConnectOptions | undefined;
  let session: Session | undefined;
  let isOutageReported = false;
  const [scheduleRetry, cancelRetry, isRetryPending] = createBackoff(attempt);
  const call: Connection['call'] = (command, onReply) => session?.call(command, onReply);
  const channels = createChannels(call, emit, onRefused);

  function stop(): void {
    channels.stop();
    cancelRetry((session?.close() ?? 0) > stableMs);
    session = undefined;
  }

  function attempt(): void {
    stop();
    if (options) session = openSession(options, openSocket, channels, onEvent, onRefused, onLost);
  }

  function onEvent<Type extends keyof MessageEvents>(type: Type, detail: MessageEvents[Type]) {
    if (type === 'connected') isOutageReported = false;
    emit(type, detail);
  }

  function onRefused(error: ReplyError): void {
    emit('error', error);
    const mayReconnect = !!error.temporary || (error.code === tokenExpired && renewToken(options));
    onLost(error.code, error.message, !mayReconnect);
  }

  function onLost(code: number, reason: string, isPermanent = isFinal(code)): void {
    if (code === connectionExpired) renewToken(options);
    if (isPermanent) options = undefined;
    stop();
    if (!isPermanent) scheduleRetry();
    if (isPermanent || !isOutageReported)
      emit('disconnected', { code, reason, willReconnect: !isPermanent });
    isOutageReported = true;
  }

  return {
    connect(newOptions) {
      options = { ...newOptions };
      cancelRetry(true);
      isOutageReported = false;
      for (const name of newOptions.channels ?? []) channels.add(name, Infinity);
      attempt();
    },
    add: channels.add,
    remove: channels.remove,
    call,
    drop: (reason) => options && onLost(1, reason),
    wake: () => isRetryPending() && attempt(),
    close: () => options && onLost(0, 'closed', true),
    state: () => (channels.isConnected() ? 'connected' : options ? 'connecting' : 'closed'),
  };
}
