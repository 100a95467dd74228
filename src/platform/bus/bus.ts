import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { RedisAddress } from '../redis/redis.ts';
import { createChannels } from './channels.ts';
import { createSignals } from './signals.ts';
import { createStreams, parseMessage } from './streams.ts';
import { createSubscriber } from './subscriber.ts';
import type { BusEvent, ChannelHistory } from './types.ts';

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

/**
 * Delivers events to the subscribers on all replicas: history in Redis streams, new messages over
 * Redis pub/sub. A client that reconnects gets every message that it missed, or is told that they
 * cannot be recovered. Signals are for the replicas themselves.
 */
export function createBus({ redis, address, historyOf, clock, logger }: BusOptions) {
  const prefix = prefixOf(redis);
  const streams = createStreams(redis, prefix);
  const signals = createSignals({ redis, topic: `${prefix}:signals`, logger });
  const subscriber = createSubscriber({
    address,
    logger,
    topics: () => [signals.topic, ...channels.topics()],
    onMessage,
    onClose: () => channels.interrupt(),
    onSubscribed,
  });
  const channels = createChannels({ streams, historyOf, subscriber });
  return {
    publish,
    publishInBackground,
    publishJson,
    publishPresence: streams.broadcast,
    subscribe: channels.subscribe,
    listeners: streams.listeners,
    signal: signals.send,
    onSignal: signals.on,
    /** Starts receiving signals. */
    listen: (): void => void subscriber.open(),
    close,
  };

  function publish(channel: string, event: BusEvent): Promise<void> {
    return publishJson(channel, publicationOf(event, clock.now()));
  }

  function publishInBackground(channel: string, event: BusEvent): void {
    publish(channel, event).catch((err: unknown) =>
      logger.warn({ err, type: event.type }, 'an event could not be sent to other replicas'),
    );
  }

  /** Publishes client data. `json` is the whole publication: `{"data":…,"info":…}`. */
  async function publishJson(channel: string, json: string): Promise<void> {
    const history = historyOf(channel);
    // Redis did not get the message, so no local listener can receive it twice.
    if (redis.status !== 'ready') channels.feedOf(channel)?.deliverLocally(json);
    await (history.size === 0
      ? streams.broadcast(channel, 'pub', json)
      : streams.publish(channel, json, history));
  }

  function onMessage(topic: string, text: string): void {
    const message = topic === signals.topic ? undefined : parseMessage(text);
    if (topic === signals.topic) signals.receive(text);
    else if (message !== undefined) channels.receive(topic, message);
  }

  function onSubscribed(isFirst: boolean): void {
    if (!isFirst) signals.reportGap();
    channels.interrupt();
    void channels.resync();
  }

  function close(): void {
    channels.close();
    subscriber.close();
  }
}

export type Bus = ReturnType<typeof createBus>;
