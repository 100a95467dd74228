import { Redis } from 'ioredis';
import { databases } from './redis-server.ts';
import { sharedStore } from './shared-stores.ts';

/**
 * Returns the URL of an empty logical database, used by no other test, on the run's redis-server.
 * All logical databases share their pub/sub channels.
 */
export async function testRedisUrl(): Promise<string> {
  const server = await sharedStore('redis');
  const client = new Redis(server);
  try {
    const database = 1 + ((await client.incr('test-databases')) % (databases - 1));
    await client.select(database);
    // In a long watch run the numbers wrap around.
    await client.flushdb();
    return `${server}/${database}`;
  } finally {
    client.disconnect();
  }
}
