import { Redis } from 'ioredis';
import { afterAll, inject } from 'vitest';
import { databases, startTestRedis } from './redis-server.ts';
import type { TestRedis } from './redis-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    redisPort: number;
  }
}

/**
 * The URL of an empty logical database that no other test has had, on the run's one redis-server (a server of the
 * file's own when vitest runs without test/vitest.config.ts). Channels are shared by all logical databases.
 */
export async function testRedisUrl(): Promise<string> {
  const port = sharedPort() ?? (await ownServer()).port;
  const counter = new Redis({ port, host: '127.0.0.1' });
  try {
    const number = await counter.incr('test-databases');
    return `redis://127.0.0.1:${port}/${1 + (number % (databases - 1))}`;
  } finally {
    counter.disconnect();
  }
}

function sharedPort(): number | undefined {
  // Not provided when vitest runs without our configuration.
  const port: number | undefined = inject('redisPort');
  return port;
}

let own: Promise<TestRedis> | undefined;

function ownServer(): Promise<TestRedis> {
  own ??= startTestRedis();
  return own;
}

afterAll(async () => {
  await (await own)?.stop();
  own = undefined;
});
