import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, vi } from 'vitest';
import { type App, buildApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createConnections } from '../../src/platform/http/connections/connections.ts';
import type { ExtendMcp } from '../../src/surfaces/mcp/service.ts';
import { createLogger } from '../../src/platform/process/logger.ts';
import { copyEmbedded } from './database-template.ts';
import { testDatabaseUrl } from './database-url.ts';
import { closeAfterFile } from './open-apps.ts';
import { testRedisUrl } from './redis.ts';
import { loadAssets } from '../../src/platform/ui/assets.ts';
import { sharedStore } from './shared-stores.ts';

/** The admin key of test apps. */
export const adminKey = 'test-admin-key-9f2c61e07b3d84aa5c1f';
export const asAdmin = { authorization: `Bearer ${adminKey}` };

/** The User-Agent of a browser: events of programs are not counted. */
export const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, ' +
  'like Gecko) Chrome/130.0.0.0 Safari/537.36';

/** The built worker. */
const workerScript = pathToFileURL(join(import.meta.dirname, '../../dist/worker.js'));
export const newWorker = () => new Worker(workerScript);

/** The built scripts of pages. */
export const webFolder = pathToFileURL(join(import.meta.dirname, '../../dist/web/'));

/** The built files of pages. */
export const testAssets = () => loadAssets(new URL('assets/', webFolder));

export interface TestApp extends App {
  dataDir: string;
  /** The PostgreSQL database; undefined on PGlite. */
  databaseUrl: string | undefined;
  clock: Clock;
  /** The log so far. */
  log: () => string;
  /** Resolves when the event store has every acknowledged event. */
  applied: () => Promise<void>;
  /** Resolves when no job is queued or running and the audit log is written. */
  settled: () => Promise<void>;
}

/** An app of one test file. It is closed after the file. */
export interface FreshApp extends TestApp {
  /** Forgets the log and the messages so far. */
  forget: () => void;
  /** Closes the app and removes its folder. */
  close: () => Promise<void>;
}

export interface FreshAppOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** An existing data folder. It gets a database if it has none, and `close` does not remove it. */
  dataDir?: string;
  /** An existing database, when the run is on PostgreSQL. */
  databaseUrl?: string | undefined;
  /** Uses PGlite even when the run is on PostgreSQL. */
  isEmbedded?: boolean;
  extendMcp?: ExtendMcp;
  /** Replaces the project's `public/`. */
  publicFolder?: URL | undefined;
}

/** Waits until no job is queued or running. */
async function settle({ services: { audit, queues } }: App): Promise<void> {
  await vi.waitFor(
    async () => {
      const { handlers } = await queues.observe();
      const isBusy = (count: number | null) => count !== null && count > 0;
      const busy = handlers.filter(({ active, waiting }) => isBusy(active) || isBusy(waiting));
      expect(busy).toEqual([]);
    },
    { timeout: 30_000, interval: 20 },
  );
  await audit.settled();
}

/** Opens an app as `freshApp` does. The caller has to close it. */
export async function openApp({
  env = {},
  clock = systemClock,
  dataDir,
  databaseUrl,
  isEmbedded = false,
  publicFolder,
  extendMcp,
}: FreshAppOptions = {}): Promise<FreshApp> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'test-app-')));
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  const database = isEmbedded
    ? undefined
    : (databaseUrl ?? (await testDatabaseUrl({ hasTables: true })));
  if (database === undefined && !existsSync(join(folder, 'postgres')))
    await copyEmbedded(await sharedStore('embeddedTemplate'), folder);
  const config = parseConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    // ioredis takes no text for a timeout: on a busy machine, requests that come all at once would
    // wait for their turn longer than the second that an answer of Redis may take.
    REDIS_URL: `${await testRedisUrl()}?commandTimeout=none`,
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
    clock,
    extendMcp,
    publicFolder: publicFolder ?? pathToFileURL(join(import.meta.dirname, '../../public/')),
  });
  const connections = createConnections(app.http.server);
  return {
    ...app,
    dataDir: folder,
    databaseUrl: database,
    clock,
    log: () => lines.join(''),
    async applied() {
      const { journal, thread } = app.stores.pipeline;
      await journal.sync();
      await thread.drain(journal.position());
    },
    settled: () => settle(app),
    forget() {
      lines.length = 0;
      app.services.outbox.clear();
    },
    async close() {
      // As server.ts does: end connections that a running response kept alive, and connections that
      // a client (undici does this) opened in advance and never used.
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

/**
 * Builds the whole service over real stores: its own folder, its own logical Redis database, and
 * PGlite or a database on the run's PostgreSQL server. It is closed after the test file.
 */
export const freshApp = async (options: FreshAppOptions = {}): Promise<FreshApp> =>
  closeAfterFile(await openApp(options));
