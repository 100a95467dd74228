import { Redis } from 'ioredis';
import { databases } from './redis-server.ts';
import { sharedStore } from './shared-stores.ts';

/**
 * The URL of an empty logical database that no other test has, on the run's one redis-server.
 * Channels are shared by all logical databases.
 */
export async function testRedisUrl(): Promise<string> {
  const server = await sharedStore('redis');
  const client = new Redis(server);
  try {
    const database = 1 + ((await client.incr('test-databases')) % (databases - 1));
    await client.select(database);
    // The numbers begin again in a long watch.
    await client.flushdb();
    return `${server}/${database}`;
  } finally {
    client.disconnect();
  }
}
