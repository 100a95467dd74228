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

interface OpenChannel {
  feed: Feed;
  opening: Promise<void>;
  closeTimer?: NodeJS.Timeout;
}

/**
 * How long a channel without listeners stays open. After a dropped connection, clients reconnect.
 */
const lingerMs = 30_000;
const retryMs = 200;
const openTimeoutMs = 3000;

/** The channels with subscribers on this replica, each with its feed. */
export function createChannels({
  streams,
  historyOf,
  subscriber,
}: {
  streams: Streams;
  historyOf: (channel: string) => ChannelHistory;
  subscriber: Subscriber;
}) {
  const open = new Map<string, OpenChannel>();
  /** Names of the open channels by their Redis pub/sub topic. */
  const byTopic = new Map<string, string>();
  let isClosed = false;
  return {
    topics: (): Iterable<string> => byTopic.keys(),
    subscribe,
    receive,
    feedOf: (name: string): Feed | undefined => open.get(name)?.feed,
    interrupt,
    resync,
    close,
  };

  /**
   * Subscribes to a channel. Rejects when Redis can't be reached. The feed is live when this
   * resolves; the caller must read its position in the same turn of the event loop.
   */
  async function subscribe(name: string, listener: Listener): Promise<ChannelSubscription> {
    const { feed, opening, closeTimer } = openChannel(name);
    feed.add(listener);
    clearTimeout(closeTimer);
    const unsubscribe = () => release(name, listener);
    try {
      await opening;
      if (!feed.isLive()) await feed.sync();
    } catch (error) {
      unsubscribe();
      throw error;
    }
    return { feed, close: unsubscribe };
  }

  function receive(topic: string, message: ReceivedMessage): void {
    open.get(byTopic.get(topic) ?? '')?.feed.receive(message);
  }

  /** Marks every feed as interrupted: messages may be lost from now on. */
  function interrupt(): void {
    open.forEach(({ feed }) => feed.interrupt());
  }

  /** Reads every open channel again. */
  async function resync(): Promise<void> {
    await Promise.all([...open.keys()].map(readAgain));
  }

  function close(): void {
    isClosed = true;
    for (const { closeTimer } of open.values()) clearTimeout(closeTimer);
  }

  function openChannel(name: string): OpenChannel {
    const existing = open.get(name);
    if (existing !== undefined) return existing;
    const feed = createFeed({
      size: historyOf(name).size,
      read: () => streams.read(name),
      onGap: () => void readAgain(name),
    });
    const opening = start(name, feed);
    opening.catch(() => {
      if (open.get(name)?.feed === feed) closeChannel(name);
    });
    const channel: OpenChannel = { feed, opening };
    open.set(name, channel);
    return channel;
  }

  async function start(name: string, feed: Feed): Promise<void> {
    const topic = streams.topicOf(name);
    const connection = subscriber.open();
    await redisReady(connection, openTimeoutMs);
    byTopic.set(topic, name);
    // Subscribe before reading: the feed queues messages that arrive during the read, so none is
    // lost.
    await connection.subscribe(topic);
    await feed.sync();
  }

  /** Reads a channel, with retries, until that succeeds or the channel is closed. */
  async function readAgain(name: string): Promise<void> {
    for (;;) {
      const channel = open.get(name);
      if (channel === undefined || isClosed || channel.feed.isLive()) return;
      try {
        await channel.feed.sync();
      } catch {
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }

  function release(name: string, listener: Listener): void {
    const channel = open.get(name);
    channel?.feed.remove(listener);
    if (channel?.feed.isUnused() !== true) return;
    clearTimeout(channel.closeTimer);
    channel.closeTimer = setTimeout(() => {
      if (channel.feed.isUnused()) closeChannel(name);
    }, lingerMs).unref();
  }

  function closeChannel(name: string): void {
    const topic = streams.topicOf(name);
    open.delete(name);
    byTopic.delete(topic);
    subscriber.unsubscribe(topic);
  }
}
