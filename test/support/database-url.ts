import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase, templateDatabase } from './server-database.ts';
import { isOnPostgres, sharedStore } from './shared-stores.ts';

/** Creates a database on the run's PostgreSQL server, empty or with all tables. */
export async function newServerDatabase({ hasTables = false } = {}) {
  const server = await sharedStore('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = hasTables ? templateDatabase : undefined;
  const url = await createDatabase(server, name, template);
  return { url, remove: () => dropDatabase(server, name) };
}

/** Creates a database for a test and returns its URL; undefined when the run is on PGlite. */
export async function testDatabaseUrl({ hasTables = false } = {}): Promise<string | undefined> {
  return isOnPostgres ? (await newServerDatabase({ hasTables })).url : undefined;
}
