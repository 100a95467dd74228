import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

export interface LeftoverOptions {
  /** The working directory of the redis-server: an absolute path without symbolic links. */
  folder: string;
  /** Its unix socket. */
  socket: string;
  logger: Logger;
}

/**
 * Ends a redis-server that a killed process left behind in `folder`: by SHUTDOWN over its socket,
 * else by signals to a process that was verified to be that server. No other process is ever
 * signalled. Rejects when the server does not exit.
 */
export async function endLeftover({ folder, socket, logger }: LeftoverOptions): Promise<void> {
  const shutDownPid = await shutDownOverSocket(folder, socket);
  const pids = new Set([shutDownPid, await pidFromFile(folder)].filter((pid) => pid !== undefined));
  for (const pid of pids) {
    if (pid !== shutDownPid && !(await isOurs(pid, folder))) continue;
    logger.warn({ pid }, 'ending the redis-server that an earlier process left behind');
    if (!(await end(pid, folder, pid === shutDownPid))) {
      throw new Error(
        `The redis-server with process id ${pid} in ${folder} does not end. ` +
          'End it, then start again.',
      );
    }
  }
}

async function end(pid: number, folder: string, isShuttingDown: boolean): Promise<boolean> {
  if (isShuttingDown && (await waitForExit(pid, folder, 5000))) return true;
  return (
    (await signalAndWait(pid, folder, 'SIGTERM', 3000)) ||
    signalAndWait(pid, folder, 'SIGKILL', 3000)
  );
}

async function signalAndWait(
  pid: number,
  folder: string,
  signal: 'SIGTERM' | 'SIGKILL',
  waitMs: number,
): Promise<boolean> {
  if (await isOurs(pid, folder)) sendSignal(pid, signal);
  return waitForExit(pid, folder, waitMs);
}

function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process exited between the check and the signal.
  }
}

async function waitForExit(pid: number, folder: string, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (await isOurs(pid, folder)) {
    if (performance.now() > deadline) return false;
    await delay(5);
  }
  return true;
}

// A pid alone proves nothing: another program may have it by now. The working directory of
// redis-server is its data folder.
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

// Without /proc the owner of a pid is unknown, so other systems rely on the socket alone.
async function pidFromFile(folder: string): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const text = await readFile(join(folder, 'redis.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? pid : undefined;
}

/** Asks the server to shut down. Returns its process id, or undefined without a response. */
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
