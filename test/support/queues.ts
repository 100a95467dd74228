import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/platform/process/logger.ts';
import { createQueues, type Queues } from '../../src/platform/queues/queues.ts';
import { testRedisUrl } from './redis.ts';

/** Queues over a Redis database of their own, without the app. They are closed after the test. */
export async function openQueues(clock: Clock): Promise<Queues> {
  const queues = createQueues({
    connection: { url: await testRedisUrl() },
    prefix: 'jobs',
    logger: createLogger({ level: 'silent' }),
    clock,
  });
  onTestFinished(() => queues.close());
  return queues;
}
