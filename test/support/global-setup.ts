import type { TestProject } from 'vitest/node';
import { startTestRedis } from './redis-server.ts';

/** Starts the run's one redis-server, and stops it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startTestRedis();
  project.provide('redisPort', redis.port);
  return redis.stop;
}
