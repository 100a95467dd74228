import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { freePort } from '../../support/redis-server.ts';

async function untilReady(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 5, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
}

/**
 * A redis-server with an append-only file on a fixed port, which can be killed, restarted, emptied
 * and restored.
 */
export async function startRedis() {
  const home = await mkdtemp(join(tmpdir(), 'test-persistent-redis-'));
  const [data, empty] = [join(home, 'data'), join(home, 'empty')];
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const settings = `--port ${port} --bind 127.0.0.1 --dir ${data} --appendonly yes`.split(' ');
  let child: ChildProcess | undefined;
  let exited = Promise.resolve();
  let copies = 0;

  async function start(): Promise<void> {
    if (child?.exitCode === null && child.signalCode === null) return;
    const always = ['--appendfsync', 'always', '--save', ''];
    const server = spawn('redis-server', [...settings, ...always], { stdio: 'ignore' });
    child = server;
    exited = new Promise((resolve) => server.once('exit', () => resolve()));
    await untilReady(url);
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL');
    await exited;
  }

  /** Restarts with the saved files. */
  async function startFrom(folder: string): Promise<void> {
    await kill();
    await rm(data, { recursive: true, force: true });
    await cp(folder, data, { recursive: true });
    await start();
  }

  const endWithUs = () => void child?.kill('SIGKILL');
  process.once('exit', endWithUs);
  await Promise.all([data, empty].map((folder) => mkdir(folder)));
  await start();
  return {
    url,
    start,
    kill,
    startFrom,
    startEmpty: () => startFrom(empty),
    signal: (signal: NodeJS.Signals) => void child?.kill(signal),
    /** Saves a copy of the current files. */
    async copy(): Promise<string> {
      copies += 1;
      const folder = join(home, `copy-${copies}`);
      await cp(data, folder, { recursive: true });
      return folder;
    },
    /** A plain connection, to inspect the data. */
    connect: () => new Redis(url),
    async remove(): Promise<void> {
      process.off('exit', endWithUs);
      await kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** A redis-server that ends with the test. */
export async function persistentRedis(): Promise<RedisServer> {
  const server = await startRedis();
  onTestFinished(() => server.remove());
  return server;
}
