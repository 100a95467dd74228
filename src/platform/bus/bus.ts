import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { RedisAddress } from '../redis/redis.ts';
import { createChannels, type ChannelSubscription } from './channels.ts';
import type { Listener } from './feed.ts';
import { createSignals, type SignalHandler, type Signals } from './signals.ts';
import { createStreams, parseMessage, type Streams } from './streams.ts';
import { createSubscriber } from './subscriber.ts';
import type { BusEvent, ChannelHistory, Publisher } from './types.ts';

export interface BusOptions {
  /** The connection for commands. */
  redis: Redis;
  /** Where to connect the subscriber. It connects with the first subscription. */
  address: RedisAddress;
  historyOf: (channel: string) => ChannelHistory;
  clock: Clock;
  logger: Logger;
}

/** Redis pub/sub ignores logical databases, so the prefix names ours. */
const prefixOf = (redis: Redis) => `bus${redis.options.db ?? 0}`;

/** Serializes an event as a publication of Centrifugo's protocol. */
function publicationOf({ type, data }: BusEvent, now: number): string {
  return JSON.stringify({
    data: { type, id: uuidv7(now), time: new Date(now).toISOString(), data },
  });
}

/** The receiving side of the bus: the subscriber connection, with the open channels and signals. */
function createReceiver(options: BusOptions, streams: Streams, signals: Signals) {
  const { address, logger, historyOf } = options;
  const subscriber = createSubscriber({
    address,
    logger,
    topics: () => [signals.topic, ...channels.topics()],
    onMessage(topic, text) {
      const message = topic === signals.topic ? undefined : parseMessage(text);
      if (topic === signals.topic) signals.receive(text);
      else if (message !== undefined) channels.receive(topic, message);
    },
    onClose: () => channels.interrupt(),
    onSubscribed(isFirst) {
      if (!isFirst) signals.reportGap();
      channels.interrupt();
      void channels.resync();
    },
  });
  const channels = createChannels({ streams, historyOf, subscriber });
  return { subscriber, channels };
}

/**
 * Delivers events to the subscribers on all replicas: history in Redis streams, new messages over
 * Redis pub/sub. A client that reconnects gets every message that it missed, or is told that they
 * cannot be recovered. Signals are for the replicas themselves.
 */
export function createBus(options: BusOptions) {
  const { redis, historyOf, clock, logger } = options;
  const prefix = prefixOf(redis);
  const streams = createStreams(redis, prefix);
  const signals = createSignals({ redis, topic: `${prefix}:signals`, logger });
  const { subscriber, channels } = createReceiver(options, streams, signals);

  async function publishJson(channel: string, json: string): Promise<void> {
    const history = historyOf(channel);
    // Redis did not get the message, so no local listener can receive it twice.
    if (redis.status !== 'ready') channels.feedOf(channel)?.deliverLocally(json);
    await (history.size === 0
      ? streams.broadcast(channel, 'pub', json)
      : streams.publish(channel, json, history));
  }

  const publish: Publisher['publish'] = (channel, event) =>
    publishJson(channel, publicationOf(event, clock.now()));

  return {
    publish,

    publishInBackground(channel: string, event: BusEvent): void {
      publish(channel, event).catch((err: unknown) =>
        logger.warn({ err, type: event.type }, 'an event could not be sent to other replicas'),
      );
    },

    /** Publishes client data. `json` is the whole publication: `{"data":…,"info":…}`. */
    publishJson,

    /** Publishes that a client joined or left a channel. */
    publishPresence: (channel: string, kind: 'join' | 'leave', json: string): Promise<unknown> =>
      streams.broadcast(channel, kind, json),

    /**
     * Subscribes to a channel. Rejects when Redis can't be reached. The feed is live when this
     * resolves; the caller must read its position in the same turn of the event loop.
     */
    subscribe: (channel: string, listener: Listener): Promise<ChannelSubscription> =>
      channels.subscribe(channel, listener),

    /** Returns the number of subscribed replicas for each channel, in the order of `names`. */
    listeners: (names: readonly string[]): Promise<number[]> => streams.listeners(names),

    /** Sends a signal to this replica at once and to the others over Redis. */
    signal: (name: string, subject: string): void => signals.send(name, subject),
    onSignal: (name: string, handler: SignalHandler): void => signals.on(name, handler),
    /** Starts receiving signals. */
    listen: (): void => void subscriber.open(),

    close(): void {
      channels.close();
      subscriber.close();
    },
  };
}

export type Bus = ReturnType<typeof createBus>;
