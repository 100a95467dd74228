import pg from 'pg';

/** The database with all tables, to be copied, on the run's PostgreSQL server. */
export const templateDatabase = 'test_template';

async function command(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a database on a PostgreSQL server, empty or a copy of `template`. Returns its URL. */
export async function createDatabase(
  serverUrl: string,
  name: string,
  template = 'template1',
): Promise<string> {
  await command(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database, even while clients are connected to it. */
export const dropDatabase = (serverUrl: string, name: string): Promise<void> =>
  command(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
