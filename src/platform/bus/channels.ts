import { setTimeout as delay } from 'node:timers/promises';
import { redisReady } from '../redis/redis.ts';
import { createFeed, type Feed, type Listener } from './feed.ts';
import type { ReceivedMessage, Streams } from './streams.ts';
import type { Subscriber } from './subscriber.ts';
import type { ChannelHistory } from './types.ts';

/** A subscription to a channel. It ends with `close`. */
export interface ChannelSubscription {
  feed: Feed;
  close: () => void;
}

export interface ChannelsDeps {
  streams: Streams;
  historyOf: (channel: string) => ChannelHistory;
  subscriber: Subscriber;
}

interface OpenChannel {
  feed: Feed;
  opening: Promise<void>;
  closeTimer?: NodeJS.Timeout;
}

interface Channels extends ChannelsDeps {
  open: Map<string, OpenChannel>;
  /** Names of the open channels by their Redis pub/sub topic. */
  byTopic: Map<string, string>;
  isClosed: boolean;
}

/**
 * How long a channel without listeners stays open. After a dropped connection, clients reconnect.
 */
const lingerMs = 30_000;
const retryMs = 200;
const openTimeoutMs = 3000;

/** Reads a channel, with retries, until that succeeds or the channel is closed. */
async function resync(channels: Channels, name: string): Promise<void> {
  for (;;) {
    const channel = channels.open.get(name);
    if (channel === undefined || channels.isClosed || channel.feed.isLive()) return;
    try {
      await channel.feed.sync();
    } catch {
      await delay(retryMs, undefined, { ref: false });
    }
  }
}

async function start(channels: Channels, name: string, feed: Feed): Promise<void> {
  const topic = channels.streams.topicOf(name);
  const connection = channels.subscriber.open();
  await redisReady(connection, openTimeoutMs);
  channels.byTopic.set(topic, name);
  // Subscribe before reading: the feed queues messages that arrive during the read, so none is
  // lost.
  await connection.subscribe(topic);
  await feed.sync();
}

function closeChannel(channels: Channels, name: string): void {
  const topic = channels.streams.topicOf(name);
  channels.open.delete(name);
  channels.byTopic.delete(topic);
  channels.subscriber.unsubscribe(topic);
}

function openChannel(channels: Channels, name: string): OpenChannel {
  const existing = channels.open.get(name);
  if (existing !== undefined) return existing;
  const feed = createFeed({
    size: channels.historyOf(name).size,
    read: () => channels.streams.read(name),
    onGap: () => void resync(channels, name),
  });
  const opening = start(channels, name, feed);
  opening.catch(() => {
    if (channels.open.get(name)?.feed === feed) closeChannel(channels, name);
  });
  const channel: OpenChannel = { feed, opening };
  channels.open.set(name, channel);
  return channel;
}

function release(channels: Channels, name: string, listener: Listener): void {
  const channel = channels.open.get(name);
  channel?.feed.remove(listener);
  if (channel?.feed.isUnused() !== true) return;
  clearTimeout(channel.closeTimer);
  channel.closeTimer = setTimeout(() => {
    if (channel.feed.isUnused()) closeChannel(channels, name);
  }, lingerMs).unref();
}

async function subscribe(
  channels: Channels,
  name: string,
  listener: Listener,
): Promise<ChannelSubscription> {
  const { feed, opening, closeTimer } = openChannel(channels, name);
  feed.add(listener);
  clearTimeout(closeTimer);
  const close = () => release(channels, name, listener);
  try {
    await opening;
    if (!feed.isLive()) await feed.sync();
  } catch (error) {
    close();
    throw error;
  }
  return { feed, close };
}

/** The channels with subscribers on this replica, each with its feed. */
export function createChannels(deps: ChannelsDeps) {
  const channels: Channels = { ...deps, open: new Map(), byTopic: new Map(), isClosed: false };
  return {
    topics: (): Iterable<string> => channels.byTopic.keys(),

    /** Rejects when Redis can't be reached. The feed is live when this resolves. */
    subscribe: (name: string, listener: Listener): Promise<ChannelSubscription> =>
      subscribe(channels, name, listener),

    receive(topic: string, message: ReceivedMessage): void {
      channels.open.get(channels.byTopic.get(topic) ?? '')?.feed.receive(message);
    },

    feedOf: (name: string): Feed | undefined => channels.open.get(name)?.feed,

    /** Marks every feed as interrupted: messages may be lost from now on. */
    interrupt: (): void => channels.open.forEach(({ feed }) => feed.interrupt()),

    /** Reads every open channel again. */
    async resync(): Promise<void> {
      await Promise.all([...channels.open.keys()].map((name) => resync(channels, name)));
    },

    close(): void {
      channels.isClosed = true;
      for (const { closeTimer } of channels.open.values()) clearTimeout(closeTimer);
    },
  };
}
