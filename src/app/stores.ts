import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { openPipeline, type Pipeline } from '../areas/analytics/pipeline.ts';
import type { WorkerFactory } from '../areas/analytics/worker/worker-factory.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { hourMs } from '../lib/durations.ts';
import { type DataDir, openDataDir } from '../platform/files/data-dir.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { startEmbeddedRedis } from '../platform/redis/embedded/embedded-redis.ts';
import { createRedis, type RedisAddress, redisReady } from '../platform/redis/redis.ts';
import { migrations } from './migrations.ts';
import { openWithRetry } from '../platform/process/open-with-retry.ts';

/** The stores, which are opened at the start and closed at the end, outermost first. */
export interface Stores {
  dataDir: DataDir;
  redisAddress: RedisAddress;
  redis: Redis;
  db: Database;
  pipeline: Pipeline;
  /** Milliseconds that each store took to open. */
  timings: Record<string, number>;
  close: () => Promise<void>;
  /** Stops what must not be running when the process exits, and leaves the rest as a kill would. */
  halt: () => Promise<void>;
}

export interface StoreOptions {
  config: Config;
  clock: Clock;
  logger: Logger;
  newWorker: WorkerFactory;
}

function createStopwatch() {
  const timings: Record<string, number> = {};
  async function time<T>(name: string, work: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await work;
    timings[name] = Math.round(performance.now() - startedAt);
    return result;
  }
  return { timings, time };
}

interface OpenRedis {
  address: RedisAddress;
  client: Redis;
  close: () => Promise<void>;
}

async function openRedis({ config, logger }: StoreOptions, dataDir: string): Promise<OpenRedis> {
  const embedded =
    config.REDIS_URL === undefined
      ? await startEmbeddedRedis({ dir: join(dataDir, 'redis'), logger })
      : undefined;
  const address =
    embedded === undefined ? { url: config.REDIS_URL ?? '' } : { socketPath: embedded.path };
  const client = createRedis({ ...address, name: 'requests', purpose: 'requests', logger });
  async function close(): Promise<void> {
    client.disconnect();
    await embedded?.stop();
  }
  try {
    // Also for a server of its own: a busy machine reads a response too late.
    await openWithRetry(() => redisReady(client, 3000), {
      name: 'Redis',
      limitMs: config.STORE_WAIT_SECONDS * 1000,
      logger,
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { address, client, close };
}

async function openRecordStore(
  { config, logger }: StoreOptions,
  dataDir: string,
): Promise<Database> {
  const { DATABASE_URL: url } = config;
  if (url === undefined)
    return openDatabase({ dataDir: join(dataDir, 'postgres'), logger, migrations });
  const server = { url, poolSize: config.DATABASE_POOL_SIZE, logger, migrations };
  return openWithRetry(() => openDatabase(server), {
    name: 'PostgreSQL',
    limitMs: config.STORE_WAIT_SECONDS * 1000,
    logger,
  });
}

/** Memory for event ids, about 30 bytes each: enough for about nine million. */
const dedupeMemoryLimit = 256 * 1024 ** 2;

async function openEventPipeline(
  { config, clock, logger, newWorker }: StoreOptions,
  dataDir: string,
): Promise<Pipeline> {
  return openPipeline({
    dataDir,
    eventsPath: config.EVENTS_URL?.replace(/^duckdb:/, '') ?? join(dataDir, 'events.duckdb'),
    newWorker,
    segmentSize: config.JOURNAL_SEGMENT_SIZE,
    backlogLimit: config.JOURNAL_BACKLOG_LIMIT,
    dedupeWindowMs: config.DEDUPE_WINDOW_HOURS * hourMs,
    dedupeMemoryLimit,
    clock,
    logger,
  });
}

/** Returns the fulfilled value or undefined, to close the stores that did open. */
const fulfilledValue = <T>(result: PromiseSettledResult<T>): T | undefined =>
  result.status === 'fulfilled' ? result.value : undefined;

/**
 * Logs which entries of the data folder were accessible to other users. They are private by now.
 */
async function logPrivacy({ path: folder, privacy }: DataDir, logger: Logger): Promise<void> {
  const { wasOpen, tightened, foreign } = await privacy;
  if (wasOpen)
    logger.warn(
      { folder, entries: tightened },
      'the data folder was open to other users of this machine; now it is closed to them',
    );
  if (foreign > 0)
    logger.warn(
      { folder, entries: foreign },
      'files in the data folder belong to another user, who can read and change them; chown them',
    );
}

/** Opens all stores in parallel. When one fails, closes the others and throws its error. */
export async function openStores(options: StoreOptions): Promise<Stores> {
  const { config, logger } = options;
  const dataDir = await openDataDir(config.DATA_DIR);
  void logPrivacy(dataDir, logger);
  const { timings, time } = createStopwatch();
  const results = await Promise.allSettled([
    time('redis', openRedis(options, dataDir.path)),
    time('database', openRecordStore(options, dataDir.path)),
    time('events', openEventPipeline(options, dataDir.path)),
  ]);
  const [redis, db, pipeline] = [
    fulfilledValue(results[0]),
    fulfilledValue(results[1]),
    fulfilledValue(results[2]),
  ];
  if (redis === undefined || db === undefined || pipeline === undefined) {
    await Promise.allSettled([pipeline?.close(), db?.destroy(), redis?.close()]);
    await dataDir.close();
    throw results.find((result) => result.status === 'rejected')?.reason;
  }
  return {
    dataDir,
    redisAddress: redis.address,
    redis: redis.client,
    db,
    pipeline,
    timings,
    async close() {
      await pipeline.close();
      await db.destroy();
      await redis.close();
      await dataDir.close();
    },
    halt: () => pipeline.halt(),
  };
}
