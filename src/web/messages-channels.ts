import type { Tell } from './messages-events.ts';
import {
  backOff,
  type Command,
  type From,
  type Publication,
  type Push,
  type Reply,
  type ReplyError,
  type Subscribed,
  tokenExpired,
} from './messages-protocol.ts';

interface Channel {
  /** Who has asked for it; 0: the server made the subscription. */
  users: number;
  /** Known where missed messages can be caught up with. */
  epoch?: string | undefined;
  offset: number;
  tries: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** By channel: nothing was missed. */
type Recovered = Record<string, boolean>;

export interface ChannelsOptions {
  call: (command: Command, answered?: (reply: Reply) => void) => void;
  isConnected: () => boolean;
  tell: Tell;
  /** Called with an error that is about the connection. */
  connectionRefused: (error: ReplyError) => void;
}

const alreadySubscribed = 105;
/** Unsubscribe codes from here on: subscribe again. */
const subscribeAgain = 2500;

/**
 * The channels of a page: asks for them, catches up after a drop, tells each message once and in
 * order.
 */
export function createChannels({ call, isConnected, tell, connectionRefused }: ChannelsOptions) {
  const channels = new Map<string, Channel>();

  function entry(name: string): Channel {
    const channel = channels.get(name) ?? { users: 0, offset: 0, tries: 0 };
    channels.set(name, channel);
    return channel;
  }

  function forget(name: string): void {
    clearTimeout(channels.get(name)?.timer);
    channels.delete(name);
  }

  const from = ({ epoch, offset }: Channel): From | undefined =>
    epoch === undefined ? undefined : { recover: true, offset, epoch };

  function heard(name: string, { data, offset = 0 }: Publication): void {
    const channel = channels.get(name);
    if (!channel || !isConnected() || (offset && offset <= channel.offset)) return;
    if (offset) channel.offset = offset;
    tell('message', { channel: name, data, offset });
  }

  /**
   * Notes in `resumed`, for a channel that goes on from a position, whether all that was missed has
   * come.
   */
  function begin(
    name: string,
    { epoch = '', offset = 0, recoverable, recovered = false, publications = [] }: Subscribed,
    resumed: Recovered = {},
  ): void {
    const channel = entry(name);
    const hadPosition = channel.epoch !== undefined;
    if (hadPosition) resumed[name] = recovered;
    channel.tries = 0;
    channel.epoch = recoverable ? epoch : undefined;
    if (!recovered) {
      channel.offset = 0;
      if (hadPosition) tell('gap', { channel: name });
    }
    for (const publication of publications) heard(name, publication);
    // Not if a listener has ended the connection: what it was not told is to come again.
    if (isConnected()) channel.offset = Math.max(channel.offset, offset);
  }

  function refused(name: string, channel: Channel, error: ReplyError): void {
    if (error.code === alreadySubscribed) return;
    if (error.code === tokenExpired) {
      connectionRefused(error);
      return;
    }
    tell('error', { channel: name, ...error });
    if (error.temporary) {
      channel.timer = setTimeout(() => ask(name), backOff(channel.tries));
      channel.tries += 1;
    } else forget(name);
  }

  function ask(name: string, resumed?: Recovered, settled?: () => void): void {
    const asked = entry(name);
    clearTimeout(asked.timer);
    call({ subscribe: { channel: name, ...from(asked) } }, ({ error, subscribe = {} }) => {
      // The page may have left it in between, and even come back.
      if (channels.get(name) === asked) {
        if (error) refused(name, asked, error);
        else begin(name, subscribe, resumed);
      }
      settled?.();
    });
  }

  return {
    /** Counts one more user of the channel, and asks for it when it is the first. */
    add(name: string, users = 1): void {
      const channel = entry(name);
      const isFirst = channel.users === 0;
      channel.users += users;
      if (isFirst && isConnected()) ask(name);
    },
    /** Counts one user less; the last leaves the channel. */
    remove(name: string): void {
      const channel = channels.get(name);
      if (!channel || (channel.users -= 1) > 0) return;
      forget(name);
      if (isConnected()) call({ unsubscribe: { channel: name } });
    },
    /** Where the subscriptions go on that the server makes. */
    positions(): Record<string, From> {
      const found: Record<string, From> = {};
      for (const [name, channel] of channels) {
        const position = from(channel);
        if (!channel.users && position) found[name] = position;
      }
      return found;
    },
    /**
     * Takes up all channels on a new connection. `done` is told which of those that went on have
     * missed nothing.
     */
    resume(subs: Record<string, Subscribed>, done: (recovered: Recovered) => void): void {
      const recovered: Recovered = {};
      let waiting = 1;
      const settle = () => {
        waiting -= 1;
        if (waiting === 0) done(recovered);
      };
      for (const [name, { users }] of [...channels]) {
        if (users) {
          waiting += 1;
          ask(name, recovered, settle);
        } else if (!subs[name]) forget(name);
      }
      for (const name in subs) begin(name, subs[name] ?? {}, recovered);
      settle();
    },
    pushed({ channel: name = '', pub, subscribe, unsubscribe }: Push): void {
      if (pub) heard(name, pub);
      if (subscribe) begin(name, subscribe);
      if (!unsubscribe || !channels.has(name)) return;
      if (unsubscribe.code >= subscribeAgain) ask(name);
      else refused(name, entry(name), { code: unsubscribe.code, message: unsubscribe.reason });
    },
    /** The connection is gone: nothing is asked for until the next. */
    stop(): void {
      for (const { timer } of channels.values()) clearTimeout(timer);
    },
  };
}
