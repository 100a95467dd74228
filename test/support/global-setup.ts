import type { TestProject } from 'vitest/node';
import { makeEmbeddedTemplate, makeServerTemplate } from './database-template.ts';
import { startPostgres } from './postgres.ts';
import { startTestRedis } from './redis-server.ts';

/** Starts the run's one redis-server, with TEST_STORES=postgres also a PostgreSQL server, makes the database that apps get copies of, and removes all at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startTestRedis();
  project.provide('redisPort', redis.port);
  const postgres = process.env.TEST_STORES === 'postgres' ? await startPostgres() : undefined;
  project.provide('postgresUrl', postgres?.url ?? '');
  project.provide(
    'postgresTemplate',
    postgres === undefined ? '' : await makeServerTemplate(postgres.url),
  );
  const embedded = postgres === undefined ? await makeEmbeddedTemplate() : undefined;
  project.provide('embeddedTemplate', embedded?.folder ?? '');
  return async () => {
    await redis.stop();
    await embedded?.remove();
    await postgres?.stop();
  };
}
