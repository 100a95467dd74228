import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patientRedis, redisArguments } from '../support/redis-server.ts';
import { startEmbeddedRedis } from '../../src/platform/redis/embedded/embedded-redis.ts';

const logger = pino({ level: 'silent' });

/**
 * Starts a redis-server as a killed service leaves it behind, on a system that does not end
 * children with their parents.
 */
async function startLeftover(dir: string) {
  const unixsocket = join(dir, 'redis.sock');
  const pidfile = join(dir, 'redis.pid');
  const settings = redisArguments({
    port: 0,
    unixsocket,
    dir,
    appendonly: 'yes',
    save: '',
    pidfile,
  });
  const child = spawn('redis-server', settings, { cwd: dir, stdio: 'ignore' });
  process.once('exit', () => void child.kill('SIGKILL'));
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code, signal }));
  const client = patientRedis(unixsocket);
  await client.set('written by', 'the leftover');
  client.disconnect();
  return { child, exited };
}

async function startAndRead(dir: string): Promise<string | null> {
  const redis = await startEmbeddedRedis({ dir, logger });
  const client = new Redis({ path: redis.path });
  const value = await client.get('written by');
  client.disconnect();
  await redis.stop();
  return value;
}

describe('a redis-server that was left behind', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'leftover-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('is shut down cleanly by the next start, which has its data', async () => {
    const leftover = await startLeftover(dir);
    expect(await startAndRead(dir)).toBe('the leftover');
    expect(await leftover.exited).toEqual({ code: 0, signal: null });
  });

  it('is found by its pid file when its socket file is gone', async () => {
    const leftover = await startLeftover(dir);
    await rm(join(dir, 'redis.sock'));
    expect(await startAndRead(dir)).toBe('the leftover');
    expect(await leftover.exited).toEqual({ code: 0, signal: null });
  });

  it('is killed when it hangs', async () => {
    const leftover = await startLeftover(dir);
    leftover.child.kill('SIGSTOP');
    expect(await startAndRead(dir)).toBe('the leftover');
    expect(await leftover.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('is left alone if it belongs to another folder, even if our pid file names it', async () => {
    const other = await mkdtemp(join(tmpdir(), 'other-'));
    const neighbour = await startLeftover(other);
    await rm(join(dir, 'redis.pid'), { force: true });
    await writeFile(join(dir, 'redis.pid'), `${neighbour.child.pid ?? 0}\n`);
    expect(await startAndRead(dir)).toBe(null);
    expect(neighbour.child.exitCode).toBe(null);
    neighbour.child.kill('SIGKILL');
    await neighbour.exited;
    await rm(other, { recursive: true, force: true });
  });
});

describe('an embedded redis-server that is killed repeatedly', () => {
  it('restarts each time without losing a write', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'killed-'));
    const redis = await startEmbeddedRedis({ dir, logger });
    const restarts = vi.fn();
    redis.onRestart(restarts);
    const client = patientRedis(redis.path);
    for (let round = 1; round <= 5; round += 1) {
      await client.rpush('rounds', round);
      const killed = redis.pid;
      process.kill(killed, 'SIGKILL');
      await vi.waitFor(() => expect(restarts).toHaveBeenCalledTimes(round), { timeout: 10_000 });
      expect(await client.llen('rounds')).toBe(round);
      expect(redis.pid).not.toBe(killed);
    }
    client.disconnect();
    await redis.stop();
    await rm(dir, { recursive: true, force: true });
  });
});
