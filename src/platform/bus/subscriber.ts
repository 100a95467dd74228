import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { createRedis, type RedisAddress } from '../redis/redis.ts';

/** Number of topics in one SUBSCRIBE command. */
const topicsPerCommand = 500;

export interface SubscriberOptions {
  address: RedisAddress;
  logger: Logger;
  /** Returns the topics to subscribe to whenever the connection opens. */
  topics: () => string[];
  onMessage: (topic: string, text: string) => void;
  /** The connection is lost: messages may be missed from now on. */
  onClose: () => void;
  /** All topics are subscribed. Unless `isFirst`, messages may have been lost before. */
  onSubscribed: (isFirst: boolean) => void;
}

/**
 * The connection that receives messages, opened by the first call of `open`. After a lost
 * connection it resubscribes automatically; channels may be read again only after that.
 */
export function createSubscriber({
  address,
  logger,
  topics,
  onMessage,
  onClose,
  onSubscribed,
}: SubscriberOptions) {
  let connection: Redis | undefined;
  let isFirst = true;

  async function subscribe(opened: Redis): Promise<void> {
    const currentTopics = topics();
    try {
      for (let at = 0; at < currentTopics.length; at += topicsPerCommand)
        await opened.subscribe(...currentTopics.slice(at, at + topicsPerCommand));
    } catch {
      // The next connection retries. A connection that is still open has timed out: close it.
      if (opened.status === 'ready') opened.disconnect(true);
      return;
    }
    // Runs in the same turn of the event loop as the last reply, before any channel that is just
    // being opened is read.
    onSubscribed(isFirst);
    isFirst = false;
  }

  function connect(): Redis {
    const opened = createRedis({ ...address, name: 'bus', purpose: 'listening', logger });
    opened.on('message', onMessage);
    opened.on('close', onClose);
    opened.on('ready', () => void subscribe(opened));
    return opened;
  }

  return {
    open: (): Redis => (connection ??= connect()),
    unsubscribe: (topic: string): void => {
      connection?.unsubscribe(topic).catch(() => undefined);
    },
    close: (): void => connection?.disconnect(),
  };
}

export type Subscriber = ReturnType<typeof createSubscriber>;
