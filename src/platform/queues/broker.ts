import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { type AppError, requestErrors } from '../errors/errors.ts';
import { createRedis, redisReady } from '../redis/redis.ts';
import type { RedisAddress } from '../redis/redis.ts';
import type { Handler } from './types.ts';

export interface BrokerOptions {
  connection: RedisAddress;
  /** Prefix of every Redis key of the jobs. */
  prefix: string;
  logger: Logger;
}

// Bounded, so that finished jobs cannot fill Redis.
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
  // The connection logs its own outages.
  queue.on('error', () => undefined);
  try {
    await queue.waitUntilReady();
    return queue;
  } catch (cause) {
    await queue.close().catch(() => undefined);
    throw unavailable(cause);
  }
}

/** Opens the two connections to Redis, with BullMQ's queues over them. Loads BullMQ. */
export async function openBroker({ connection, prefix, logger }: BrokerOptions) {
  const { Queue } = await import('bullmq');
  const requests = createRedis({ ...connection, name: 'queues', purpose: 'requests', logger });
  const jobs = createRedis({ ...connection, name: 'workers', purpose: 'jobs', logger });
  const queues = new Map<string, Promise<Queue>>();
  let waiting: Promise<void> | undefined;

  /** Waits up to 900 ms for a connection that is still opening. All callers share one wait. */
  async function ready(): Promise<void> {
    waiting ??= redisReady(requests, 900).finally(() => {
      waiting = undefined;
    });
    await waiting.catch((cause: unknown) => {
      throw unavailable(cause);
    });
  }

  return {
    /** The connection for adding and counting jobs. Its commands fail fast. */
    requests,
    /** The connection for workers. Its commands wait. */
    jobs,

    /** Throws `request.unavailable` when Redis can't be reached. */
    ready,

    /** Returns the handler's queue. Throws `request.unavailable` when Redis can't be reached. */
    async queueOf(handler: Handler): Promise<Queue> {
      await ready();
      const existing = queues.get(handler.name);
      if (existing !== undefined) return existing;
      const queue = openQueue(Queue, handler, { connection: requests, prefix });
      queues.set(handler.name, queue);
      // A queue whose first command failed is unusable: the next caller opens a new one.
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
