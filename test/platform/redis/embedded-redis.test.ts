import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEmbeddedRedis } from '../../../src/platform/redis/embedded/embedded-redis.ts';
import type { EmbeddedRedis } from '../../../src/platform/redis/embedded/embedded-redis.ts';
import { bundleProgram } from '../../support/typescript-process.ts';

const logger = pino({ level: 'silent' });

// A zombie, whose parent has not read its exit code yet, still has its pid but has ended.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

describe('startEmbeddedRedis', () => {
  let dir = '';
  let redis: EmbeddedRedis | undefined;
  const clients: Redis[] = [];
  const connect = (path: string) => {
    const client = new Redis({ path, retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'embedded-redis-'));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.disconnect();
    await redis?.stop();
    redis = undefined;
    await rm(dir, { recursive: true, force: true });
  });

  it('answers on a private unix socket, keeps an append-only file, and has no port', async () => {
    redis = await startEmbeddedRedis({ dir, logger });
    const client = connect(redis.path);
    expect(await client.ping()).toBe('PONG');
    const settings = (name: string) => client.config('GET', name);
    expect(await settings('port')).toEqual(['port', '0']);
    expect(await settings('appendonly')).toEqual(['appendonly', 'yes']);
    expect(await settings('appendfsync')).toEqual(['appendfsync', 'everysec']);
    expect(await settings('maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    expect((await stat(redis.path)).mode & 0o777).toBe(0o700);
  });

  it('leaves no process or socket behind, and keeps the data for the next start', async () => {
    redis = await startEmbeddedRedis({ dir, logger });
    const { pid, path } = redis;
    await connect(path).set('kept', 'yes');
    await redis.stop();
    expect(isAlive(pid)).toBe(false);
    await expect(stat(path)).rejects.toThrow('ENOENT');
    redis = await startEmbeddedRedis({ dir, logger });
    expect(await connect(redis.path).get('kept')).toBe('yes');
  });

  it('restarts with its data after a kill, reports it, and clients reconnect', async () => {
    redis = await startEmbeddedRedis({ dir, logger });
    const onRestart = vi.fn();
    redis.onRestart(onRestart);
    const { pid } = redis;
    const client = connect(redis.path);
    await client.set('kept', 'yes');
    const killed = performance.now();
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(onRestart).toHaveBeenCalledTimes(1), {
      timeout: 5000,
      interval: 5,
    });
    expect(performance.now() - killed).toBeLessThan(2000);
    expect(await client.get('kept')).toBe('yes');
    expect(redis.pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  it('does not restart when stopped while it is down', async () => {
    redis = await startEmbeddedRedis({ dir, logger });
    const onRestart = vi.fn();
    redis.onRestart(onRestart);
    process.kill(redis.pid, 'SIGKILL');
    await redis.stop();
    expect(isAlive(redis.pid)).toBe(false);
    expect(onRestart).not.toHaveBeenCalled();
  });

  it('works in a folder with a long path, spaces and letters beyond ASCII', async () => {
    const deep = join(dir, 'a folder with a läng name '.repeat(6), 'x'.repeat(80));
    redis = await startEmbeddedRedis({ dir: deep, logger });
    expect(Buffer.byteLength(redis.path)).toBeLessThanOrEqual(103);
    await connect(redis.path).set('kept', 'yes');
    expect((await stat(join(deep, 'redis.sock'))).isSocket()).toBe(true);
    const link = redis.path;
    await redis.stop();
    await expect(stat(link)).rejects.toThrow('ENOENT');
    redis = await startEmbeddedRedis({ dir: deep, logger });
    expect(await connect(redis.path).get('kept')).toBe('yes');
  });

  it('reports in one line that its append-only file is broken, and leaves no process', async () => {
    redis = await startEmbeddedRedis({ dir, logger });
    await connect(redis.path).set('kept', 'yes');
    await redis.stop();
    redis = undefined;
    const file = join(dir, 'appendonlydir', 'appendonly.aof.1.incr.aof');
    await writeFile(file, `nonsense\r\n${await readFile(file, 'utf8')}`);
    await expect(startEmbeddedRedis({ dir, logger })).rejects.toThrow(
      /^redis-server cannot read its append-only file in .*redis-check-aof.*$/,
    );
  });

  it('drops a torn tail of the append-only file and keeps the data before it', async () => {
    redis = await startEmbeddedRedis({ dir, logger });
    await connect(redis.path).mset('first', '1', 'second', '2');
    await connect(redis.path).set('torn', 'x'.repeat(1000));
    await redis.stop();
    const file = join(dir, 'appendonlydir', 'appendonly.aof.1.incr.aof');
    await writeFile(file, (await readFile(file)).subarray(0, -200));
    redis = await startEmbeddedRedis({ dir, logger });
    expect(await connect(redis.path).mget('first', 'second', 'torn')).toEqual(['1', '2', null]);
  });

  it('reports in one line what to do when redis-server is missing', async () => {
    const start = startEmbeddedRedis({ dir, logger, binary: '/nowhere/redis-server' });
    await expect(start).rejects.toThrow(
      /^\/nowhere\/redis-server was not found\. Install it .* or set REDIS_URL .*$/,
    );
  });

  it('signals no other process that has the process id of an earlier redis-server', async () => {
    await writeFile(join(dir, 'redis.pid'), `${process.ppid}\n`);
    redis = await startEmbeddedRedis({ dir, logger });
    expect(isAlive(process.ppid)).toBe(true);
  });

  it('starts despite a stale socket file and pid file', async () => {
    const stale = createServer().listen(join(dir, 'listening'));
    await new Promise((resolve) => stale.once('listening', resolve));
    await rename(join(dir, 'listening'), join(dir, 'redis.sock'));
    await new Promise((resolve) => stale.close(resolve));
    expect((await stat(join(dir, 'redis.sock'))).isSocket()).toBe(true);
    await writeFile(join(dir, 'redis.pid'), '4194304\n');
    redis = await startEmbeddedRedis({ dir, logger });
    expect(await connect(redis.path).ping()).toBe('PONG');
  });
});

describe('a redis-server whose service was killed', () => {
  let dir = '';
  let holder: Awaited<ReturnType<typeof bundleProgram>>;

  beforeAll(async () => {
    holder = await bundleProgram('hold-embedded-redis.ts');
    dir = await mkdtemp(join(tmpdir(), 'embedded-redis-'));
  });
  afterAll(async () => {
    await holder.remove();
    await rm(dir, { recursive: true, force: true });
  });

  it.runIf(process.platform === 'linux')('ends with its service', async () => {
    const service = await holder.start(dir);
    const pid = Number(service.firstLine);
    expect(isAlive(pid)).toBe(true);
    await service.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5000, interval: 5 });
  });

  it('does not prevent the next start, which has its data', async () => {
    const service = await holder.start(dir);
    const client = new Redis({ path: join(dir, 'redis.sock') });
    await client.set('kept', 'yes');
    client.disconnect();
    await service.kill('SIGKILL');
    const redis = await startEmbeddedRedis({ dir, logger });
    expect(redis.pid).not.toBe(Number(service.firstLine));
    const next = new Redis({ path: redis.path });
    expect(await next.get('kept')).toBe('yes');
    next.disconnect();
    await redis.stop();
  });
});
