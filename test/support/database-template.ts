import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrations } from '../../src/app/migrations.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/process/logger.ts';

const logger = createLogger({ level: 'error' });
const name = 'test_template';

/** Makes an embedded database with all tables, to be copied: a new one takes three seconds of CPU, a copy a few tenths. Gives its folder. */
export async function makeEmbeddedTemplate(): Promise<{
  folder: string;
  remove: () => Promise<void>;
}> {
  const root = await mkdtemp(join(tmpdir(), 'test-template-'));
  const folder = join(root, 'postgres');
  const db = await openDatabase({ migrations, logger, dataDir: folder });
  await db.destroy();
  return { folder, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Puts a copy of the template where an app looks for its embedded database. */
export const copyEmbedded = (template: string, dataDir: string): Promise<void> =>
  cp(template, join(dataDir, 'postgres'), { recursive: true });

/** Makes a database with all tables on a PostgreSQL server, to be copied. Gives its name. */
export async function makeServerTemplate(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = await openDatabase({ migrations, logger, url: url.href });
  await db.destroy();
  return name;
}
