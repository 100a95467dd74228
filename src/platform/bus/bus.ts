import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { RedisPlace } from '../redis/redis.ts';
import { createChannels, type ChannelSubscription } from './channels.ts';
import type { Listener } from './feed.ts';
import { createSignals, type SignalHandler, type Signals } from './signals.ts';
import { createStreams, parseArrived, type Streams } from './streams.ts';
import { createSubscriber } from './subscriber.ts';
import type { BusEvent, ChannelHistory, Publisher } from './types.ts';

export interface BusOptions {
  /** For commands. */
  redis: Redis;
  /** Where the second connection leads, which receives. It is opened when somebody listens. */
  place: RedisPlace;
  historyOf: (channel: string) => ChannelHistory;
  clock: Clock;
  logger: Logger;
}

/** Topics are shared by all logical databases of a Redis. */
const prefixOf = (redis: Redis) => `bus${redis.options.db ?? 0}`;

/** The event as the protocol's publication. */
function publicationOf({ type, data }: BusEvent, now: number): string {
  return JSON.stringify({
    data: { type, id: uuidv7(now), time: new Date(now).toISOString(), data },
  });
}

/** The receiving side: open channels, and signals. */
function createReceiver(options: BusOptions, streams: Streams, signals: Signals) {
  const { place, logger, historyOf } = options;
  const subscriber = createSubscriber({
    place,
    logger,
    topics: () => [signals.topic, ...channels.topics()],
    onMessage(topic, text) {
      const message = topic === signals.topic ? undefined : parseArrived(text);
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
 * Tells events to whoever listens, on all replicas: history in Redis streams, new messages over
 * Redis' topics. A client that was away gets every message that it missed, or learns that it
 * can't. Signals are for the replicas themselves.
 */
export function createBus(options: BusOptions) {
  const { redis, historyOf, clock, logger } = options;
  const prefix = prefixOf(redis);
  const streams = createStreams(redis, prefix);
  const signals = createSignals({ redis, topic: `${prefix}:signals`, logger });
  const { subscriber, channels } = createReceiver(options, streams, signals);

  async function publishJson(channel: string, json: string): Promise<void> {
    const history = historyOf(channel);
    // Nothing was sent, so nobody hears it twice.
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
        logger.warn({ err, type: event.type }, 'an event could not be told to other replicas'),
      );
    },

    /** Publishes a client's own data: `json` is the publication, `{"data":…,"info":…}`. */
    publishJson,

    /** Tells the listeners of a channel who joined or left. */
    publishPresence: (channel: string, kind: 'join' | 'leave', json: string): Promise<unknown> =>
      streams.broadcast(channel, kind, json),

    /**
     * Listens to a channel from now on. Rejects when Redis can't be reached. The feed is live when
     * this resolves; the caller looks at its position and adds itself in the same turn.
     */
    subscribe: (channel: string, listener: Listener): Promise<ChannelSubscription> =>
      channels.subscribe(channel, listener),

    /** How many replicas listen to each of the channels. */
    listeners: (names: readonly string[]): Promise<number[]> => streams.listeners(names),

    /** Tells this replica at once and the others over Redis. */
    signal: (name: string, subject: string): void => signals.send(name, subject),
    onSignal: (name: string, handler: SignalHandler): void => signals.on(name, handler),
    /** Receives signals from now on. */
    listen: (): void => void subscriber.open(),

    close(): void {
      channels.close();
      subscriber.close();
    },
  };
}

export type Bus = ReturnType<typeof createBus>;
