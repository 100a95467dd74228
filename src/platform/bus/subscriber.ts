import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { createRedis, type RedisPlace } from '../redis/redis.ts';

/** Topics of one SUBSCRIBE command. */
const topicsPerCommand = 500;

export interface SubscriberOptions {
  place: RedisPlace;
  logger: Logger;
  /** The topics that are to be subscribed whenever the connection opens. */
  topics: () => string[];
  onMessage: (topic: string, text: string) => void;
  /** Messages may be missed from now on. */
  onClose: () => void;
  /** All topics are subscribed. Unless `isFirst`, messages may have been missed. */
  onSubscribed: (isFirst: boolean) => void;
}

/**
 * The connection that receives messages, opened by the first `open`. It subscribes again by itself
 * after a loss: channels may be read only after that.
 */
export function createSubscriber({
  place,
  logger,
  topics,
  onMessage,
  onClose,
  onSubscribed,
}: SubscriberOptions) {
  let connection: Redis | undefined;
  let isFirst = true;

  async function subscribe(opened: Redis): Promise<void> {
    const wanted = topics();
    try {
      for (let at = 0; at < wanted.length; at += topicsPerCommand)
        await opened.subscribe(...wanted.slice(at, at + topicsPerCommand));
    } catch {
      // The next connection tries again; one that is still open did not answer in time.
      if (opened.status === 'ready') opened.disconnect(true);
      return;
    }
    // In the same turn as the last answer: a channel that is being opened is read only after this.
    onSubscribed(isFirst);
    isFirst = false;
  }

  function connect(): Redis {
    const opened = createRedis({ ...place, name: 'bus', purpose: 'listening', logger });
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
