import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type App, buildApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createConnections } from '../../src/platform/http/connections/connections.ts';
import { createLogger } from '../../src/platform/process/logger.ts';
import { copyEmbedded } from './database-template.ts';
import { testDatabaseUrl } from './database-url.ts';
import { testRedisUrl } from './redis.ts';
import { sharedStore } from './shared-stores.ts';

/** The admin key of test apps. */
export const adminKey = 'test-admin-key-9f2c61e07b3d84aa5c1f';
export const asAdmin = { authorization: `Bearer ${adminKey}` };

/** A browser, for events that are to be counted. */
export const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, ' +
  'like Gecko) Chrome/130.0.0.0 Safari/537.36';

/** The built worker: the run's global setup builds it. */
const workerScript = pathToFileURL(join(import.meta.dirname, '../../dist/worker.js'));
const newWorker = () => new Worker(workerScript);

/** The built scripts of pages. */
export const webFolder = pathToFileURL(join(import.meta.dirname, '../../dist/web/'));

export interface TestApp extends App {
  dataDir: string;
  /** Where the records are; undefined on PGlite. */
  databaseUrl: string | undefined;
  /** Everything that was logged. */
  log: () => string;
  /** Resolves when the event store has every event that was answered. */
  applied: () => Promise<void>;
  /** Closes the app and removes its folder. */
  close: () => Promise<void>;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** An existing data folder: it gets a database if it has none, and is kept at close. */
  dataDir?: string;
  /** The database to go on with, where the run is on PostgreSQL. */
  databaseUrl?: string | undefined;
  /** A folder in place of the project's `public/`. */
  publicFolder?: URL | undefined;
}

/**
 * The whole service over real stores: its own folder, an own logical Redis database, and PGlite, or
 * a database of the run's PostgreSQL server.
 */
export async function buildTestApp({
  env = {},
  clock,
  dataDir,
  databaseUrl,
  publicFolder,
}: TestAppOptions = {}): Promise<TestApp> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'test-app-')));
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  const database = databaseUrl ?? (await testDatabaseUrl({ hasTables: true }));
  if (database === undefined && !existsSync(join(folder, 'postgres')))
    await copyEmbedded(await sharedStore('embeddedTemplate'), folder);
  const config = parseConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    REDIS_URL: await testRedisUrl(),
    DATABASE_URL: database,
    ADMIN_API_KEY: adminKey,
    RATE_LIMIT: 'off',
    ...env,
  });
  const app = await buildApp(config, {
    logger,
    newWorker,
    webFolder,
    keepsMessages: config.NODE_ENV !== 'production',
    ...(clock === undefined ? {} : { clock }),
    publicFolder: publicFolder ?? pathToFileURL(join(import.meta.dirname, '../../public/')),
  });
  const connections = createConnections(app.http.server);
  return {
    ...app,
    dataDir: folder,
    databaseUrl: database,
    log: () => lines.join(''),
    async applied() {
      const { journal, thread } = app.stores.pipeline;
      await journal.sync();
      await thread.drain(journal.position());
    },
    async close() {
      // As server.ts: what was kept alive by an answer under way, and what was opened ahead (undici
      // does) and never asked anything.
      const idle = setInterval(() => app.http.server.closeIdleConnections(), 100);
      const unused = setTimeout(() => {
        connections.dropUnused();
      }, 1000);
      await app.http.close().finally(() => {
        clearInterval(idle);
        clearTimeout(unused);
      });
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
