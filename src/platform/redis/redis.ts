import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';

/** Where Redis is: a URL, or the unix socket of a server on this machine. */
export type RedisPlace = { url: string } | { socketPath: string };

export type RedisClientOptions = RedisPlace & {
  /** Shown by CLIENT LIST and in the log. */
  name: string;
  logger: Logger;
  /**
   * `requests`: a command fails at once while there is no connection, and after a second without an
   * answer. `jobs`: commands wait for the connection, as the blocking reads of job workers need it.
   * `listening`: as `requests`; after a loss its owner subscribes again.
   */
  purpose: 'requests' | 'jobs' | 'listening';
};

const behaviour = {
  // 0 retries: a command that was under way when the connection broke may have run, and is never
  // sent twice.
  requests: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1000 },
  jobs: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  listening: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1000,
    autoResubscribe: false,
  },
} satisfies Record<string, RedisOptions>;

/** Reconnects for ever: after 50 ms first, at most a second apart. */
const retryStrategy = (times: number) => Math.min(25 * 2 ** Math.min(times, 6), 1000);

function logOutages(redis: Redis, name: string, logger: Logger): void {
  let isAway = false;
  const onLoss = (error?: Error) => {
    logger[isAway ? 'debug' : 'warn']({ err: error, connection: name }, 'redis connection lost');
    isAway = true;
  };
  redis.on('error', onLoss);
  redis.on('reconnecting', () => onLoss());
  redis.on('ready', () => {
    if (isAway) logger.info({ connection: name }, 'redis connection is back');
    isAway = false;
  });
}

/** Connects to Redis at once and reconnects by itself. Close it with `quit` or `disconnect`. */
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
  logOutages(redis, options.name, options.logger);
  return redis;
}

/** Resolves when the connection can be used; rejects with a one-line error after `timeoutMs`. */
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
 * Asks Redis to take a small write, waiting up to 900 ms for a connection that is just opening, and
 * gives the milliseconds it took. A write, and no PING: a replica, or a server that is out of
 * memory or disk, answers those all the same.
 */
export async function pingRedis(redis: Redis): Promise<number> {
  const start = performance.now();
  await redisReady(redis, 900);
  await redis.set('health:probe', '1', 'PX', 60_000);
  return performance.now() - start;
}

export interface RedisMemory {
  usedBytes: number;
  /** 0: without a limit. */
  limitBytes: number;
  /** What is thrown away at the limit; undefined where the server does not tell. */
  policy: string | undefined;
}

/** Redis' memory use and policy, by INFO: providers may forbid CONFIG. */
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

/** Milliseconds this clock is ahead of Redis' (negative: behind), at half the round trip. */
export async function clockAhead(redis: Pick<Redis, 'time'>, { now }: Clock): Promise<number> {
  const asked = now();
  const [seconds, microseconds] = await redis.time();
  return Math.round((asked + now()) / 2 - (Number(seconds) * 1000 + Number(microseconds) / 1000));
}
