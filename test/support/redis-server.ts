import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** The number of logical databases of a test server. */
export const databases = 2048;

/** Returns settings of redis-server as its arguments. */
export const redisArguments = (settings: Record<string, string | number>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);

export type TestRedis = Awaited<ReturnType<typeof startTestRedis>>;

/**
 * Starts a real redis-server on a free loopback port (or on `at`, to replace one that was killed)
 * and a Unix socket, without persistence. For tests that subscribe to channels, change its
 * configuration or kill it; others use `testRedisUrl`.
 */
export async function startTestRedis({ at }: { at?: number } = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'test-redis-'));
  const path = join(dir, 'redis.sock');
  const port = at ?? (await freePort());
  const settings = redisArguments({
    port,
    bind: '127.0.0.1',
    unixsocket: path,
    dir,
    save: '',
    appendonly: 'no',
    databases,
    'maxmemory-policy': 'noeviction',
  });
  const child = spawn('redis-server', settings, { stdio: 'ignore' });
  const exited = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
  const killOnExit = () => void child.kill('SIGKILL');
  process.once('exit', killOnExit);
  await Promise.race([
    waitUntilReady(path),
    exited.then(() => Promise.reject(new Error('redis-server ended before it answered'))),
  ]);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    path,
    pid: child.pid ?? 0,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    stop: async () => {
      process.off('exit', killOnExit);
      child.kill('SIGKILL');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Returns a client whose commands wait until the server at this socket answers. */
export function patientRedis(path: string): Redis {
  const client = new Redis({ path, retryStrategy: () => 5, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  return client;
}

async function waitUntilReady(path: string): Promise<void> {
  const client = patientRedis(path);
  await client.ping();
  client.disconnect();
}

/**
 * Returns a TCP port on 127.0.0.1 that was free a moment ago. It is below the ports that systems
 * assign by themselves, so that no connection and no server on port 0 takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
