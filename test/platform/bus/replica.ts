import type { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { type Bus, createBus } from '../../../src/platform/bus/bus.ts';
import type { Feed } from '../../../src/platform/bus/feed.ts';
import type { ChannelHistory } from '../../../src/platform/bus/types.ts';
import { createLogger } from '../../../src/platform/process/logger.ts';
import { createRedis, redisReady } from '../../../src/platform/redis/redis.ts';

export interface Replica {
  bus: Bus;
  redis: Redis;
  log: string[];
  /** Subscribes. `heard` collects the data of received messages, and `lost` for a loss. */
  open: (channel: string) => Promise<{ feed: Feed; heard: unknown[]; close: () => void }>;
  /** Publishes numbers one after another. */
  publish: (channel: string, ...data: unknown[]) => Promise<void>;
}

/** The bus of a replica, closed at the end of the test. */
export async function replica(
  url: string,
  historyOf: (channel: string) => ChannelHistory = () => ({ size: 100, ttlMs: 60_000 }),
): Promise<Replica> {
  const log: string[] = [];
  const logger = createLogger({ level: 'info', destination: { write: (line) => log.push(line) } });
  const redis = createRedis({ url, name: 'requests', purpose: 'requests', logger });
  await redisReady(redis, 5000);
  const bus = createBus({
    redis,
    address: { url },
    historyOf,
    clock: { now: () => Date.now() },
    logger,
  });
  onTestFinished(() => {
    bus.close();
    redis.disconnect();
  });
  return {
    bus,
    redis,
    log,
    async open(channel) {
      const heard: unknown[] = [];
      const { feed, close } = await bus.subscribe(channel, {
        onPublication: ({ json, kind }) => {
          heard.push(
            kind === 'pub' ? (JSON.parse(json) as { data: { data: unknown } }).data.data : kind,
          );
        },
        onLost: () => {
          heard.push('lost');
        },
      });
      return { feed, heard, close };
    },
    async publish(channel, ...data) {
      for (const each of data) await bus.publish(channel, { type: 'tried', data: each });
    },
  };
}

export const dataOf = (publications: readonly { json: string }[]): unknown[] =>
  publications.map(({ json }) => (JSON.parse(json) as { data: { data: unknown } }).data.data);
export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
