import { existsSync, fsyncSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { createPace } from '../../lib/concurrency/pace.ts';
import { makePrivate } from '../files/private-folder.ts';
import { unstorableText } from './failure.ts';
import { valueParsers } from './value-parsers.ts';

const settings = {
  search_path: 'public',
  exit_on_error: 'false',
  log_checkpoints: 'false',
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
  shared_buffers: '8MB',
  wal_buffers: '512kB',
  max_connections: '4',
  // The WebAssembly build turns fdatasync into nothing; fsync reaches the hook below.
  wal_sync_method: 'fsync',
};

// PGlite's default list begins like this but adds -F, which disables fsync.
const startParams = [
  '--single',
  '-O',
  '-j',
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

// The first implies the others, but not in V8 13 once the process runs.
const baselineCompilerFlags = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

const wasiIoError = 29;

function syncFile(stream: { nfd: number }): number {
  try {
    fsyncSync(stream.nfd);
    return 0;
  } catch {
    return wasiIoError;
  }
}

function hasStreamOps(driver: unknown): driver is { stream_ops: object } {
  return (
    typeof driver === 'object' &&
    driver !== null &&
    'stream_ops' in driver &&
    typeof driver.stream_ops === 'object'
  );
}

/** PGlite's folder driver does not implement fsync; this adds it. */
function passFsync(driver: unknown): void {
  if (!hasStreamOps(driver)) throw new Error('the folder driver of this PGlite version is unknown');
  Object.assign(driver.stream_ops, { fsync: syncFile });
}

async function openPglite(dataDir: string): Promise<PGlite> {
  // Only the baseline WebAssembly compiler: optimising nine megabytes of code that mostly runs once
  // costs about 200 MB of memory and half a second of both processors.
  for (const flag of baselineCompilerFlags) setFlagsFromString(flag);
  const [{ PGlite }, { NodeFS }, { pg_trgm }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/nodefs'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
  ]);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const fs = new NodeFS(dataDir);
  const init = fs.init.bind(fs);
  fs.init = (db, options) =>
    init(db, {
      ...options,
      preRun: [...(options.preRun ?? []), (module) => passFsync(module.NODEFS)],
    });
  const isNew = !existsSync(join(dataDir, 'PG_VERSION'));
  const db = await PGlite.create({
    fs,
    startParams,
    parsers: { ...valueParsers },
    extensions: { pg_trgm },
  });
  // A new database is unpacked from an archive, whose file modes are not private.
  if (isNew) await (await makePrivate(dataDir, new AbortController().signal)).done;
  return db;
}

function createMutex() {
  let last = Promise.resolve();
  /**
   * Resolves when all earlier holders have released the lock, with the function that releases it.
   */
  return async (): Promise<() => void> => {
    const previous = last;
    let release: () => void = () => undefined;
    last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await previous;
    return release;
  };
}

const commands = ['UPDATE', 'DELETE', 'INSERT', 'MERGE'] as const;

/** Statements run on this thread: many in a row would hold up every request. */
const sliceMs = 5;

function client(db: PGlite, pace: () => Promise<void>, release: () => void): PostgresPoolClient {
  async function run<R>(
    sql: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    await pace();
    const result = await db.query<R>(sql, [...parameters]).catch((error: unknown) => {
      throw unstorableText(error) ?? error;
    });
    return {
      command: commands.find((name) => name === result.command) ?? 'SELECT',
      rowCount: result.rowCount ?? 0,
      rows: result.rows,
    };
  }

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(statement: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('cursors are not supported');
    return run(statement, parameters);
  }

  return { query, release };
}

/**
 * Opens the embedded PostgreSQL in `dataDir` (created if missing) as a pool of one connection, for
 * Kysely. A committed transaction is on disk: the WAL is synced with fsync as on a server.
 */
export async function createPglitePool(dataDir: string): Promise<PostgresPool> {
  const db = await openPglite(dataDir);
  const acquire = createMutex();
  const pace = createPace(sliceMs);
  return {
    connect: async () => client(db, pace, await acquire()),
    end: async () => {
      await acquire();
      await db.close();
    },
  };
}
