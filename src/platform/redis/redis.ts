import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { writeByTurn } from './turn-writes.ts';

/** The address of a Redis server: a URL, or a unix socket on this machine. */
export type RedisAddress = { url: string } | { socketPath: string };

export type RedisClientOptions = RedisAddress & {
  /** The connection's name in CLIENT LIST and in the log. */
  name: string;
  logger: Logger;
  /**
   * `requests`: a command fails at once without a connection, and after a second of silence.
   * `jobs`: commands wait for the connection, which the blocking reads of job workers require.
   * `listening`: like `requests`; the owner resubscribes after a lost connection.
   */
  purpose: 'requests' | 'jobs' | 'listening';
};

const behaviour = {
  // No retries: a command may have run before the connection broke and must not be sent twice.
  requests: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1000 },
  jobs: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  listening: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1000,
    autoResubscribe: false,
  },
} satisfies Record<string, RedisOptions>;

/** Reconnects indefinitely: first after 50 ms, then with pauses of up to a second. */
const retryStrategy = (times: number) => Math.min(25 * 2 ** Math.min(times, 6), 1000);

function logOutages(redis: Redis, name: string, logger: Logger): void {
  let isLost = false;
  const onLoss = (error?: Error) => {
    logger[isLost ? 'debug' : 'warn']({ err: error, connection: name }, 'redis connection lost');
    isLost = true;
  };
  redis.on('error', onLoss);
  redis.on('reconnecting', () => onLoss());
  redis.on('ready', () => {
    if (isLost) logger.info({ connection: name }, 'redis connection is back');
    isLost = false;
  });
}

/** Connects to Redis at once and reconnects automatically. Close it with `quit` or `disconnect`. */
export function createRedis(options: RedisClientOptions): Redis {
  const settings = {
    ...behaviour[options.purpose],
    connectionName: options.name,
    connectTimeout: 2000,
    keepAlive: 10_000,
    retryStrategy,
  } satisfies RedisOptions;
  const redis =
    'url' in options
      ? new Redis(options.url, settings)
      : new Redis({ ...settings, path: options.socketPath });
  writeByTurn(redis);
  logOutages(redis, options.name, options.logger);
  return redis;
}

/** Resolves when the connection is ready; rejects with a one-line error after `timeoutMs`. */
export function redisReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    let last: Error | undefined;
    const onError = (error: Error) => {
      last = error;
    };
    const onReady = () => {
      settle();
      resolve();
    };
    const timer = setTimeout(() => {
      settle();
      reject(
        new Error(`Redis cannot be reached: ${last?.message ?? 'no answer'}`, { cause: last }),
      );
    }, timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      redis.off('error', onError);
      redis.off('ready', onReady);
    };
    redis.on('error', onError);
    redis.on('ready', onReady);
  });
}

/**
 * Makes a small write to Redis and returns the milliseconds it took. Waits up to 900 ms for a
 * connection that is still opening. A write instead of PING: a read-only replica, or a server
 * without memory or disk space, still answers a PING.
 */
export async function pingRedis(redis: Redis): Promise<number> {
  const start = performance.now();
  await redisReady(redis, 900);
  await redis.set('health:probe', '1', 'PX', 60_000);
  return performance.now() - start;
}

export interface RedisMemory {
  usedBytes: number;
  /** 0 for no limit. */
  limitBytes: number;
  /** The eviction policy; undefined when the server does not report it. */
  policy: string | undefined;
}

/** Reads Redis' memory use and eviction policy from INFO, because providers may forbid CONFIG. */
export async function redisMemory(redis: Redis): Promise<RedisMemory> {
  const facts = new Map(
    (await redis.info('memory')).split(/\r?\n/).map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );
  const bytes = (name: string): number => Number(facts.get(name) ?? 0);
  return {
    usedBytes: bytes('used_memory'),
    limitBytes: bytes('maxmemory'),
    policy: facts.get('maxmemory_policy'),
  };
}

/**
 * Returns the milliseconds that this clock is ahead of Redis' clock (negative: behind), compared at
 * half the round trip.
 */
export async function clockOffsetMs(redis: Pick<Redis, 'time'>, { now }: Clock): Promise<number> {
  const sentAt = now();
  const [seconds, microseconds] = await redis.time();
  return Math.round((sentAt + now()) / 2 - (Number(seconds) * 1000 + Number(microseconds) / 1000));
}
