import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { type AppError, requestErrors } from '../errors/errors.ts';
import { createRedis, redisReady } from '../redis/redis.ts';
import type { RedisAddress } from '../redis/redis.ts';
import type { Handler } from './types.ts';

export interface BrokerOptions {
  connection: RedisAddress;
  /** Beginning of every Redis key of the jobs. */
  prefix: string;
  logger: Logger;
}

// Bounded, so that neither success nor failure fills Redis.
const keptJobs = {
  removeOnComplete: { count: 100, age: 86_400 },
  removeOnFail: { count: 1000, age: 7 * 86_400 },
};

const unavailable = (cause: unknown): AppError =>
  requestErrors.unavailable({ headers: { 'retry-after': '1' }, cause });

async function openQueue(
  QueueClass: typeof Queue,
  { name, attempts, keepDone }: Handler,
  options: { connection: Redis; prefix: string },
): Promise<Queue> {
  const defaultJobOptions = {
    ...keptJobs,
    ...(keepDone ? {} : { removeOnComplete: true }),
    attempts,
    backoff: { type: 'exponential', delay: 1000 },
  };
  const queue = new QueueClass(name, { ...options, defaultJobOptions });
  // The connection itself logs its outages.
  queue.on('error', () => undefined);
  try {
    await queue.waitUntilReady();
    return queue;
  } catch (cause) {
    await queue.close().catch(() => undefined);
    throw unavailable(cause);
  }
}

/** The two connections to Redis and BullMQ's queues over them. Loads BullMQ. */
export async function openBroker({ connection, prefix, logger }: BrokerOptions) {
  const { Queue } = await import('bullmq');
  const requests = createRedis({ ...connection, name: 'queues', purpose: 'requests', logger });
  const jobs = createRedis({ ...connection, name: 'workers', purpose: 'jobs', logger });
  const queues = new Map<string, Promise<Queue>>();
  let waiting: Promise<void> | undefined;

  /** Waits a moment for the connection, as it may just be opening; all callers share one wait. */
  async function ready(): Promise<void> {
    waiting ??= redisReady(requests, 900).finally(() => {
      waiting = undefined;
    });
    await waiting.catch((cause: unknown) => {
      throw unavailable(cause);
    });
  }

  return {
    /** For adding and counting: commands fail fast. */
    requests,
    /** For workers: commands wait. */
    jobs,

    /** Throws `request.unavailable` when Redis can't be reached. */
    ready,

    /** The handler's queue. Throws `request.unavailable` when Redis can't be reached. */
    async queueOf(handler: Handler): Promise<Queue> {
      await ready();
      const known = queues.get(handler.name);
      if (known !== undefined) return known;
      const queue = openQueue(Queue, handler, { connection: requests, prefix });
      queues.set(handler.name, queue);
      // A queue whose first command failed stays useless: the next caller gets a new one.
      queue.catch(() => queues.delete(handler.name));
      return queue;
    },

    async close(): Promise<void> {
      await Promise.allSettled([...queues.values()].map(async (queue) => (await queue).close()));
      requests.disconnect();
      jobs.disconnect();
    },
  };
}

export type Broker = Awaited<ReturnType<typeof openBroker>>;
