import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL server; empty when the run is on PGlite. */
    postgresUrl: string;
    /** The name of a database on it that has all tables. */
    postgresTemplate: string;
    /** The folder of an embedded database that has all tables; empty when the run is on PostgreSQL. */
    embeddedTemplate: string;
  }
}

/** The URL of a database of the run's PostgreSQL server, empty or with all tables; undefined when the run is on PGlite. */
export async function testDatabaseUrl({ hasTables = false }: { hasTables?: boolean } = {}): Promise<
  string | undefined
> {
  const server = inject('postgresUrl');
  // Not provided when vitest runs without our configuration.
  if (!server) return undefined;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(
    `CREATE DATABASE ${name}${hasTables ? ` TEMPLATE ${inject('postgresTemplate')}` : ''}`,
  );
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
