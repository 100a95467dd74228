import type { Emit } from './events.ts';
import {
  backoffMs,
  type Command,
  type Publication,
  type Push,
  type Recovery,
  type Reply,
  type ReplyError,
  type SubscribeResult,
  tokenExpired,
} from './protocol.ts';

interface Channel {
  /** How many parts of the page use it; 0: the server made the subscription. */
  users: number;
  /** Set if missed messages can be recovered. */
  epoch?: string | undefined;
  offset: number;
  attempts: number;
  timer?: ReturnType<typeof setTimeout>;
}

type ChannelMap = Map<string, Channel>;
/** By channel: true if nothing was missed. */
type Recovered = Record<string, boolean>;

type OnError = (error: ReplyError) => void;
type Call = (command: Command, onReply?: (reply: Reply) => void) => void;

const alreadySubscribed = 105;
/** Unsubscribe codes from this one up ask the client to subscribe again. */
const resubscribeCodes = 2500;

const recoveryOf = ({ epoch, offset }: Channel): Recovery | undefined =>
  epoch === undefined ? undefined : { recover: true, offset, epoch };

/** The positions from which subscriptions made by the server are recovered. */
function serverPositions(channels: ChannelMap): Record<string, Recovery> {
  const positions: Record<string, Recovery> = {};
  for (const [name, channel] of channels) {
    const position = recoveryOf(channel);
    if (!channel.users && position) positions[name] = position;
  }
  return positions;
}

function getOrAddChannel(channels: ChannelMap, name: string): Channel {
  const channel = channels.get(name) ?? { users: 0, offset: 0, attempts: 0 };
  channels.set(name, channel);
  return channel;
}

function forget(channels: ChannelMap, name: string): void {
  clearTimeout(channels.get(name)?.timer);
  channels.delete(name);
}

/** Emits each message of a channel once and in order, and a gap where some were lost. */
function createDelivery(channels: ChannelMap, isConnected: () => boolean, emit: Emit) {
  function deliver(name: string, { data, offset = 0 }: Publication): void {
    const channel = channels.get(name);
    if (!channel || !isConnected() || (offset && offset <= channel.offset)) return;
    if (offset) channel.offset = offset;
    emit('message', { channel: name, data, offset });
  }

  /** Begins a subscription. Sets in `resumed` whether a channel with a position missed nothing. */
  function begin(
    name: string,
    { epoch = '', offset = 0, recoverable, recovered = false, publications = [] }: SubscribeResult,
    resumed: Recovered = {},
  ): void {
    const channel = getOrAddChannel(channels, name);
    const hadPosition = channel.epoch !== undefined;
    if (hadPosition) resumed[name] = recovered;
    channel.attempts = 0;
    channel.epoch = recoverable ? epoch : undefined;
    if (!recovered) {
      channel.offset = 0;
      if (hadPosition) emit('gap', { channel: name });
    }
    for (const publication of publications) deliver(name, publication);
    // Not if a listener has ended the session: what was not delivered has to be recovered later.
    if (isConnected()) channel.offset = Math.max(channel.offset, offset);
  }

  return [deliver, begin] as const;
}

/** Subscribes to channels, and retries after temporary errors. */
function createSubscriber(
  channels: ChannelMap,
  call: Call,
  emit: Emit,
  fail: OnError,
  begin: ReturnType<typeof createDelivery>[1],
) {
  function refuse(name: string, channel: Channel, error: ReplyError): void {
    if (error.code === alreadySubscribed) return;
    if (error.code === tokenExpired) {
      fail(error);
      return;
    }
    emit('error', { channel: name, ...error });
    if (error.temporary) {
      channel.timer = setTimeout(() => subscribe(name), backoffMs(channel.attempts));
      channel.attempts += 1;
    } else forget(channels, name);
  }

  function subscribe(name: string, resumed?: Recovered, onSettled?: () => void): void {
    const channel = getOrAddChannel(channels, name);
    clearTimeout(channel.timer);
    call(
      { subscribe: { channel: name, ...recoveryOf(channel) } },
      ({ error, subscribe: result = {} }) => {
        // The page may have left the channel meanwhile, and even come back.
        if (channels.get(name) === channel) {
          if (error) refuse(name, channel, error);
          else begin(name, result, resumed);
        }
        onSettled?.();
      },
    );
  }

  return [subscribe, refuse] as const;
}

/**
 * Subscribes to a page's channels, and recovers them. `fail` gets errors that end the connection.
 */
export function createChannels(call: Call, emit: Emit, fail: OnError) {
  const channels: ChannelMap = new Map();
  let isConnected = false;
  const [deliver, begin] = createDelivery(channels, () => isConnected, emit);
  const [subscribe, refuse] = createSubscriber(channels, call, emit, fail, begin);

  return {
    /** Adds a user of the channel, and subscribes for the first one. */
    add: (name: string, users = 1): void => {
      const channel = getOrAddChannel(channels, name);
      const isFirst = channel.users === 0;
      channel.users += users;
      if (isFirst && isConnected) subscribe(name);
    },
    /** Removes a user of the channel, and unsubscribes after the last one. */
    remove: (name: string): void => {
      const channel = channels.get(name);
      if (!channel || (channel.users -= 1) > 0) return;
      forget(channels, name);
      if (isConnected) call({ unsubscribe: { channel: name } });
    },
    isConnected: () => isConnected,
    positions: () => serverPositions(channels),
    /** Resumes all channels on a new connection. Calls `onDone` after all, if still connected. */
    resume(subs: Record<string, SubscribeResult>, onDone: (recovered: Recovered) => void): void {
      const recovered: Recovered = {};
      let pending = 1;
      isConnected = true;
      const settle = () => {
        if ((pending -= 1) === 0 && isConnected) onDone(recovered);
      };
      for (const [name, { users }] of [...channels]) {
        if (users) {
          pending += 1;
          subscribe(name, recovered, settle);
        } else if (!subs[name]) forget(channels, name);
      }
      for (const name in subs) begin(name, subs[name] ?? {}, recovered);
      settle();
    },
    onPush: ({ channel: name = '', pub, subscribe: result, unsubscribe }: Push): void => {
      if (pub) deliver(name, pub);
      if (result) begin(name, result);
      const channel = channels.get(name);
      if (!unsubscribe || !channel) return;
      const { code, reason } = unsubscribe;
      if (code >= resubscribeCodes) subscribe(name);
      else refuse(name, channel, { code, message: reason });
    },
    /** Stops subscribing until the next connection resumes. */
    stop(): void {
      isConnected = false;
      channels.forEach(({ timer }) => clearTimeout(timer));
    },
  };
}

export type Channels = ReturnType<typeof createChannels>;
