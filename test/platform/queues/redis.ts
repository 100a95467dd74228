import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { vi } from 'vitest';

async function ping(path: string): Promise<void> {
  const redis = new Redis({
    path,
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

/** A real redis-server on a unix socket. `kill` (-9) and `start` simulate an outage. */
export async function startRedis() {
  const dir = await mkdtemp(join(tmpdir(), 'test-redis-'));
  const socketPath = join(dir, 'redis.sock');
  let server: ChildProcess | undefined;

  const isRunning = () => server?.exitCode === null && server.signalCode === null;

  async function start(): Promise<void> {
    if (isRunning()) return;
    const args = [
      '--port',
      '0',
      '--unixsocket',
      socketPath,
      '--dir',
      dir,
      '--appendonly',
      'yes',
      '--save',
      '',
    ];
    server = spawn('redis-server', args, { stdio: 'ignore' });
    await vi.waitFor(() => ping(socketPath), { timeout: 10_000 });
  }

  async function kill(): Promise<void> {
    const running = server;
    if (running === undefined || !isRunning()) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }

  const endWithUs = () => void server?.kill('SIGKILL');
  process.once('exit', endWithUs);
  await start();
  return {
    address: { socketPath },
    start,
    kill,
    /** A plain connection, to inspect the data. */
    connect: () => new Redis({ path: socketPath }),
    async remove(): Promise<void> {
      process.off('exit', endWithUs);
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;
