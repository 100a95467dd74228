import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createFeed, type Feed, type Listener } from './feed.ts';
import { createStreams, parseArrived } from './streams.ts';
import type { BusEvent, ChannelKeeping, Publication, Publisher } from './types.ts';
import { createSignals, type SignalHandler } from './signals.ts';
import { createRedis, type RedisPlace, redisReady } from '../redis/redis.ts';

export interface BusOptions {
  /** For commands. */
  redis: Redis;
  /** Where a second connection leads, which listens. It is opened when somebody does. */
  place: RedisPlace;
  keepingOf: (channel: string) => ChannelKeeping;
  clock: Clock;
  logger: Logger;
}

/** Listening to a channel, until `close`. */
export interface Listening {
  feed: Feed;
  close: () => void;
}

interface OpenFeed {
  feed: Feed;
  opening: Promise<void>;
  lingering?: NodeJS.Timeout;
}

const lingerMs = 30_000;
const retryMs = 200;
const openLimitMs = 3000;

/** Topics are shared by all logical databases of a Redis. */
const prefixOf = (redis: Redis) => `bus${redis.options.db ?? 0}`;

/** The event as the protocol's publication. */
function publicationOf({ type, data }: BusEvent, now: number): string {
  return JSON.stringify({
    data: { type, id: uuidv7(now), time: new Date(now).toISOString(), data },
  });
}

/**
 * Tells things to whoever listens, on all replicas: history in Redis streams, new messages over
 * Redis' topics. Who was away gets every message that was missed, or is told that it can't. Signals
 * are for the replicas themselves.
 */
export function createBus({ redis, place, keepingOf, clock, logger }: BusOptions) {
  const prefix = prefixOf(redis);
  const streams = createStreams(redis, prefix);
  const signals = createSignals({ redis, topic: `${prefix}:signals`, logger });
  const feeds = new Map<string, OpenFeed>();
  const channelOf = new Map<string, string>();
  let ear: Redis | undefined;
  let hasListened = false;
  let isClosed = false;

  function heard(topic: string, text: string): void {
    if (topic === signals.topic) {
      signals.heard(text);
      return;
    }
    const channel = channelOf.get(topic);
    const arrived = parseArrived(text);
    if (channel !== undefined && arrived !== undefined) feeds.get(channel)?.feed.take(arrived);
  }

  /** Reads a channel until that works, or nobody wants it any more. */
  async function resync(channel: string): Promise<void> {
    for (;;) {
      const open = feeds.get(channel);
      if (open === undefined || isClosed || open.feed.isLive()) return;
      try {
        await open.feed.sync();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      }
    }
  }

  /** Whenever the connection stands: what was said before is read. */
  async function listenAgain(connection: Redis): Promise<void> {
    const topics = [signals.topic, ...channelOf.keys()];
    try {
      for (let at = 0; at < topics.length; at += 500)
        await connection.subscribe(...topics.slice(at, at + 500));
    } catch {
      // It is tried with the next connection; one that is still there did not answer in time, and
      // is given up.
      if (connection.status === 'ready') connection.disconnect(true);
      return;
    }
    if (hasListened) signals.missed();
    hasListened = true;
    feeds.forEach(({ feed }) => feed.interrupt());
    await Promise.all([...feeds.keys()].map(resync));
  }

  /**
   * The listening connection; topics are subscribed to anew by hand, since channels may be read
   * only after that.
   */
  function listen(): Redis {
    if (ear !== undefined) return ear;
    const connection = createRedis({ ...place, name: 'bus', purpose: 'listening', logger });
    connection.on('message', heard);
    connection.on('close', () => feeds.forEach(({ feed }) => feed.interrupt()));
    connection.on('ready', () => void listenAgain(connection));
    ear = connection;
    return connection;
  }

  async function start(channel: string, feed: Feed): Promise<void> {
    const topic = streams.topicOf(channel);
    const connection = listen();
    await redisReady(connection, openLimitMs);
    channelOf.set(topic, channel);
    // Messages that come while the channel is read wait in the feed: none falls in between.
    await connection.subscribe(topic);
    await feed.sync();
  }

  function forget(channel: string): void {
    feeds.delete(channel);
    channelOf.delete(streams.topicOf(channel));
    ear?.unsubscribe(streams.topicOf(channel)).catch(() => undefined);
  }

  function feedOf(channel: string): OpenFeed {
    const before = feeds.get(channel);
    if (before !== undefined) return before;
    const feed = createFeed({
      size: keepingOf(channel).size,
      read: () => streams.read(channel),
      onGap: () => void resync(channel),
    });
    const opening = start(channel, feed);
    opening.catch(() => {
      if (feeds.get(channel)?.feed === feed) forget(channel);
    });
    const open: OpenFeed = { feed, opening };
    feeds.set(channel, open);
    return open;
  }

  function release(channel: string, listener: Listener): void {
    const open = feeds.get(channel);
    open?.feed.remove(listener);
    if (open?.feed.isUnused() !== true) return;
    clearTimeout(open.lingering);
    // After a drop the same clients come back: they find the channel as it was.
    open.lingering = setTimeout(() => {
      if (open.feed.isUnused()) forget(channel);
    }, lingerMs).unref();
  }

  async function send(channel: string, json: string): Promise<void> {
    const keeping = keepingOf(channel);
    if (redis.status !== 'ready') {
      // Nothing was sent, so nobody hears it twice.
      feeds.get(channel)?.feed.tellLocally({ kind: 'pub', json, offset: 0, previous: 0 });
    }
    await (keeping.size === 0
      ? streams.pass(channel, 'pub', json)
      : streams.publish(channel, json, keeping));
  }

  const publish: Publisher['publish'] = (channel, event) =>
    send(channel, publicationOf(event, clock.now()));

  return {
    publish,

    tell(channel: string, event: BusEvent): void {
      publish(channel, event).catch((error: unknown) =>
        logger.warn(
          { err: error, type: event.type },
          'an event could not be told to other replicas',
        ),
      );
    },

    /** Publishes a client's own data: `json` is the publication, `{"data":…,"info":…}`. */
    publishJson: send,

    /** Tells who came or went. */
    pass: (channel: string, kind: Publication['kind'], json: string): Promise<unknown> =>
      streams.pass(channel, kind, json),

    /**
     * Listens to a channel from now on. Rejects when Redis can't be reached. The feed is live when
     * this resolves; the caller looks at its position and adds itself in the same turn.
     */
    async open(channel: string, listener: Listener): Promise<Listening> {
      const open = feedOf(channel);
      open.feed.add(listener);
      clearTimeout(open.lingering);
      const close = () => release(channel, listener);
      try {
        await open.opening;
        if (!open.feed.isLive()) await open.feed.sync();
      } catch (error) {
        close();
        throw error;
      }
      return { feed: open.feed, close };
    },

    /** How many replicas listen to each of the channels. */
    listeners: (channels: readonly string[]): Promise<number[]> => streams.listeners(channels),

    /** Tells this replica at once and the others over Redis. */
    signal: (name: string, subject: string): void => signals.send(name, subject),
    onSignal: (name: string, handler: SignalHandler): void => signals.on(name, handler),
    /** Hears signals from now on. */
    hear: (): void => void listen(),

    close(): void {
      isClosed = true;
      for (const { lingering } of feeds.values()) clearTimeout(lingering);
      ear?.disconnect();
    },
  };
}

export type Bus = ReturnType<typeof createBus>;
