import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';
import { startTestRedis } from './redis-server.ts';

/** Starts the run's one redis-server, with TEST_STORES=postgres also a PostgreSQL server, and stops them at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startTestRedis();
  project.provide('redisPort', redis.port);
  const postgres = process.env.TEST_STORES === 'postgres' ? await startPostgres() : undefined;
  project.provide('postgresUrl', postgres?.url ?? '');
  return async () => {
    await redis.stop();
    await postgres?.stop();
  };
}
