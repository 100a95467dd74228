import { pino } from 'pino';
import { startEmbeddedRedis } from '../../src/platform/redis/embedded/embedded-redis.ts';

// Run as its own process by the embedded Redis' tests: starts it, prints its process id, and runs
// until it is killed.
const redis = await startEmbeddedRedis({
  dir: process.argv[2] ?? '',
  logger: pino({ level: 'silent' }),
});
console.log(String(redis.pid));
setInterval(() => undefined, 1000);
