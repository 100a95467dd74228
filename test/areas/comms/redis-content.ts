import type { Redis } from 'ioredis';

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, '0', '-1');
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return undefined;
  }
}

/** Every key and value of a logical database, as one text. */
export async function redisContent(redis: Redis): Promise<string> {
  const keys = await redis.keys('*');
  return JSON.stringify(
    await Promise.all(keys.map(async (key) => [key, await valueOf(redis, key)])),
  );
}
