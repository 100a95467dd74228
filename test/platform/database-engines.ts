import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { vi } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Database, DatabaseOptions } from '../../src/platform/database.ts';

const binaries = '/usr/lib/postgresql/15/bin';
const asRoot = process.getuid?.() === 0;

export const hasPostgres = existsSync(join(binaries, 'postgres'));
export const silent = pino({ level: 'silent' });

function postgresUser(): { uid?: number; gid?: number } {
  if (!asRoot) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function ping(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}

/** A PostgreSQL server of its own, with `stop` and `start` to take it away for a while. */
export async function startPostgres() {
  const dir = await mkdtemp(join(tmpdir(), 'svc-postgres-'));
  const user = postgresUser();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  const port = await freePort();
  const url = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  let server: ChildProcess | undefined;
  let databases = 0;

  execFileSync(join(binaries, 'initdb'), ['-D', join(dir, 'data'), '-A', 'trust', '-U', 'postgres', '-N'], { ...user, cwd: dir });

  async function start(): Promise<void> {
    const args = ['-D', join(dir, 'data'), '-k', dir, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
    server = spawn(join(binaries, 'postgres'), args, { ...user, cwd: dir, stdio: 'ignore' });
    await vi.waitFor(() => ping(url('postgres')), { timeout: 20_000 });
  }

  async function stop(): Promise<void> {
    const running = server;
    if (running === undefined || running.exitCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGINT');
    await gone;
  }

  await start();
  return {
    url,
    start,
    stop,
    /** The URL of a new, empty database. */
    async createDatabase(): Promise<string> {
      const name = `test_${(databases += 1)}`;
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    async remove(): Promise<void> {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

export interface Engine {
  name: 'PGlite' | 'PostgreSQL';
  isAvailable: boolean;
  /** Options for openDatabase that lead to a new, empty database, and what takes it away again. */
  prepare: () => Promise<{ options: DatabaseOptions; remove: () => Promise<void> }>;
}

async function preparePglite() {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-pglite-'));
  return { options: { dataDir, logger: silent }, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

async function preparePostgres() {
  const server = await startPostgres();
  return { options: { url: await server.createDatabase(), logger: silent }, remove: server.remove };
}

/** Both engines behind the same promises. */
export const engines: Engine[] = [
  { name: 'PGlite', isAvailable: true, prepare: preparePglite },
  { name: 'PostgreSQL', isAvailable: hasPostgres, prepare: preparePostgres },
];

/** A migrated, empty database. `close` also takes it away. */
export async function openTestDatabase(engine: Engine): Promise<{ db: Database; close: () => Promise<void> }> {
  const { options, remove } = await engine.prepare();
  const db = await openDatabase(options);
  const close = async () => {
    await db.destroy();
    await remove();
  };
  return { db, close };
}
