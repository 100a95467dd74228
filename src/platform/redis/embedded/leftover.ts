import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

export interface LeftoverOptions {
  /** The folder that the redis-server works in, as an absolute path without symbolic links. */
  folder: string;
  /** Its unix socket. */
  socket: string;
  logger: Logger;
}

/**
 * Ends a redis-server that an earlier, killed process left behind in `folder`: by SHUTDOWN over its
 * socket, else by signals to a process that was checked to be one. Nothing else is ever signalled.
 * Rejects when it stays.
 */
export async function endLeftover({ folder, socket, logger }: LeftoverOptions): Promise<void> {
  const asked = await shutDownOverSocket(folder, socket);
  const pids = new Set([asked, await pidFromFile(folder)].filter((pid) => pid !== undefined));
  for (const pid of pids) {
    if (pid !== asked && !(await isOurs(pid, folder))) continue;
    logger.warn({ pid }, 'ending the redis-server that an earlier process left behind');
    if (!(await end(pid, folder, pid === asked))) {
      throw new Error(
        `The redis-server with process id ${pid} in ${folder} does not end. ` +
          'End it, then start again.',
      );
    }
  }
}

async function end(pid: number, folder: string, shuttingDown: boolean): Promise<boolean> {
  if (shuttingDown && (await gone(pid, folder, 5000))) return true;
  return (await signalled(pid, folder, 'SIGTERM', 3000)) || signalled(pid, folder, 'SIGKILL', 3000);
}

async function signalled(
  pid: number,
  folder: string,
  signal: 'SIGTERM' | 'SIGKILL',
  waitMs: number,
): Promise<boolean> {
  if (await isOurs(pid, folder)) sendSignal(pid, signal);
  return gone(pid, folder, waitMs);
}

function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the check and the signal.
  }
}

async function gone(pid: number, folder: string, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (await isOurs(pid, folder)) {
    if (performance.now() > until) return false;
    await delay(5);
  }
  return true;
}

// A pid alone proves nothing, it may belong to another program by now. redis-server works in its
// data folder.
async function isOurs(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid);
  try {
    const [cwd, name] = await Promise.all([
      readlink(`/proc/${pid}/cwd`),
      readFile(`/proc/${pid}/comm`, 'utf8'),
    ]);
    return cwd === folder && /redis|valkey/.test(name);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// Without /proc nobody can tell whose pid it is, so elsewhere only the socket counts.
async function pidFromFile(folder: string): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const text = await readFile(join(folder, 'redis.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? pid : undefined;
}

/** Asks the server to save and end. Gives its process id, or undefined without an answer. */
async function shutDownOverSocket(folder: string, socket: string): Promise<number | undefined> {
  const client = new Redis({
    path: socket,
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 1000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [info, dir] = await Promise.all([client.info('server'), client.config('GET', 'dir')]);
    if (!Array.isArray(dir) || dir[1] !== folder) return undefined;
    await client.shutdown().catch(() => undefined);
    return Number.parseInt(/process_id:(\d+)/.exec(info)?.[1] ?? '', 10) || undefined;
  } catch {
    return undefined;
  } finally {
    client.disconnect();
  }
}
