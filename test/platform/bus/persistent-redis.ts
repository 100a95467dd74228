import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { freePort } from '../../support/redis-server.ts';

/**
 * A redis-server with an append-only file on a fixed port, which can be killed, restarted, emptied
 * and restored. It ends with the test.
 */
export async function persistentRedis() {
  const home = await mkdtemp(join(tmpdir(), 'test-persistent-redis-'));
  const data = join(home, 'data');
  const port = await freePort();
  let child: ChildProcess | undefined;
  let exited = Promise.resolve();
  let copies = 0;

  async function answers(): Promise<void> {
    const client = new Redis({
      port,
      host: '127.0.0.1',
      retryStrategy: () => 5,
      maxRetriesPerRequest: null,
    });
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
  }

  async function start(): Promise<void> {
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      data,
      '--save',
      '',
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
    ];
    const server = spawn('redis-server', settings, { stdio: 'ignore' });
    child = server;
    exited = new Promise((resolve) => server.once('exit', () => resolve()));
    await answers();
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL');
    await exited;
  }

  const self = {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    signal: (signal: NodeJS.Signals) => void child?.kill(signal),
    /** Saves a copy of the current files. */
    async copy(): Promise<string> {
      copies += 1;
      const folder = join(home, `copy-${copies}`);
      await cp(data, folder, { recursive: true });
      return folder;
    },
    /** Restarts with the saved files. */
    async startFrom(folder: string): Promise<void> {
      await kill();
      await rm(data, { recursive: true, force: true });
      await cp(folder, data, { recursive: true });
      await start();
    },
    async startEmpty(): Promise<void> {
      await kill();
      await rm(data, { recursive: true, force: true });
      await cp(empty, data, { recursive: true });
      await start();
    },
  };
  const empty = join(home, 'empty');
  await Promise.all([data, empty].map((folder) => mkdir(folder)));
  await start();
  onTestFinished(async () => {
    await kill();
    await rm(home, { recursive: true, force: true });
  });
  return self;
}
