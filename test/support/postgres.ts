import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './redis-server.ts';

export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Returns the folder of PostgreSQL's server programs, the newest version first, or undefined: use
 * it with `describe.skipIf`.
 */
export function findPostgres(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...debianFolders(), ...onPath].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

function debianFolders(): string[] {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return [];
  const versions = readdirSync(base).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(base, version, 'bin'));
}

const run = promisify(execFile);

function serverPrograms(): string {
  const folder = findPostgres();
  if (folder === undefined)
    throw new Error('PostgreSQL is not installed (apt-get install postgresql)');
  return folder;
}

/** Returns the version of the server programs, such as `postgres (PostgreSQL) 15.14`. */
export const postgresVersion = async (): Promise<string> =>
  (await run(join(serverPrograms(), 'postgres'), ['--version'])).stdout.trim();

async function createCluster(data: string, cwd: string): Promise<void> {
  const args = ['-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--wal-segsize=1'];
  await run(
    join(serverPrograms(), 'initdb'),
    ['-D', data, ...args, '--no-sync', '--no-instructions'],
    { ...serverAccount(), cwd },
  );
}

/**
 * Starts a real PostgreSQL server in a temporary folder, on a free loopback port, with fsync off:
 * over the copy of a stopped server's data folder, or over a new one with the empty database
 * `test`. Returns the URL of `test`; `data`, its folder; `halt`, which keeps the folder; and
 * `stop`, which removes it.
 */
export async function startPostgres({ copyOf }: { copyOf?: string } = {}) {
  const account = serverAccount();
  const dir = await mkdtemp(join(tmpdir(), 'test-postgres-'));
  if (account !== undefined) await chown(dir, account.uid, account.gid);
  const data = join(dir, 'data');
  // Keeps the owner, without whom the server refuses the folder.
  if (copyOf !== undefined) await run('cp', ['-a', copyOf, data]);
  else await createCluster(data, dir);
  const port = await freePort();
  const program = join(serverPrograms(), 'postgres');
  const server = spawnServer(program, serverArguments(dir, data, port), account, dir);
  await waitUntilReady(port, server.exited, copyOf === undefined);
  return {
    url: `postgres://test@127.0.0.1:${port}/test`,
    data,
    halt: () => server.stop(),
    stop: async () => {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function serverArguments(dir: string, data: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: dir,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    shared_buffers: '32MB',
    max_connections: 400,
  };
  return [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function spawnServer(program: string, args: string[], account: Account | undefined, cwd: string) {
  const child = spawn(program, args, { ...account, cwd, stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const killOnExit = () => void child.kill('SIGQUIT');
  process.once('exit', killOnExit);
  return {
    exited,
    stop: async () => {
      process.off('exit', killOnExit);
      child.kill('SIGINT');
      await exited;
    },
  };
}

async function waitUntilReady(port: number, exited: Promise<void>, isNew: boolean): Promise<void> {
  const ended = exited.then(() => Promise.reject(new Error('postgres ended before it answered')));
  for (const until = performance.now() + 20_000; ;) {
    const failure = await Promise.race([connect(port, isNew), ended]);
    if (failure === undefined) return;
    if (performance.now() > until) throw new Error('postgres does not answer', { cause: failure });
    await delay(20);
  }
}

/** Creates the database `test` in a new cluster. Returns the error if the server refuses. */
async function connect(port: number, isNew: boolean): Promise<unknown> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'test', database: 'postgres' });
  try {
    await client.connect();
    if (isNew) await client.query('CREATE DATABASE test');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end();
  }
}

interface Account {
  uid: number;
  gid: number;
}

// PostgreSQL refuses to run as root.
function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found =
    accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (found === undefined)
    throw new Error('PostgreSQL needs an account other than root: postgres or nobody');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
