import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { endLeftover } from './leftover.ts';
import { startRedisServer } from './redis-server.ts';
import type { RedisServer } from './redis-server.ts';
import { openSocketPath } from './socket-path.ts';

export interface EmbeddedRedisOptions {
  /** Folder of its append-only file and socket, created if missing. One process at a time. */
  dir: string;
  logger: Logger;
  /** redis-server 7 or newer, or valkey-server: a path or a name on PATH. */
  binary?: string;
}

export type EmbeddedRedis = Awaited<ReturnType<typeof startEmbeddedRedis>>;

type Launch = (signal: AbortSignal) => Promise<RedisServer>;

/**
 * Starts a redis-server on a unix socket in `dir`, with its append-only file on, and restarts it
 * whenever it exits. A server left behind by a killed process is ended first. Resolves when the
 * server answers; rejects with a one-line error.
 */
export async function startEmbeddedRedis({
  dir,
  logger,
  binary = 'redis-server',
}: EmbeddedRedisOptions) {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dir);
  const socket = await openSocketPath(folder);
  await endLeftover({ folder, socket: socket.path, logger });
  const startedAt = performance.now();
  const launch: Launch = (signal) =>
    startRedisServer({ folder, socket: socket.path, binary, logger, signal });
  const supervisor = await supervise(launch, logger);
  logger.debug(
    { pid: supervisor.pid(), ms: Math.round(performance.now() - startedAt) },
    'redis-server answers',
  );
  return {
    /** The unix socket, for ioredis' `path` option. */
    path: socket.path,
    /** Process id of the current server. Changes with a restart. */
    get pid() {
      return supervisor.pid();
    },
    /** Calls `listener` whenever a restarted server answers. */
    onRestart: supervisor.onRestart,
    /** Stops the server gracefully. Resolves when its process is gone. */
    stop: async () => {
      await supervisor.stop();
      await socket.remove();
    },
  };
}

async function supervise(launch: Launch, logger: Logger) {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const listeners = new Set<() => void>();
  let server = await launch(stopping.signal);
  const watching = watch();

  async function watch(): Promise<void> {
    for (let quickExits = 0; ;) {
      const startedAt = performance.now();
      const end = await server.exited;
      if (isStopping()) return;
      logger.error({ pid: server.pid, end }, 'redis-server ended; starting it again');
      quickExits = performance.now() - startedAt > 10_000 ? 0 : quickExits + 1;
      const next = await relaunch(launch, quickExits, logger, stopping.signal);
      if (next === undefined) return;
      server = next;
      if (isStopping()) return server.stop();
      logger.info({ pid: server.pid }, 'redis-server answers again');
      for (const listener of listeners) listener();
    }
  }

  return {
    pid: () => server.pid,
    onRestart: (listener: () => void) => void listeners.add(listener),
    stop: async () => {
      stopping.abort();
      await server.stop();
      await watching;
    },
  };
}

/**
 * Retries the launch until it succeeds, with pauses doubling from 50 ms to 5 s. Returns undefined
 * when aborted.
 */
async function relaunch(
  launch: Launch,
  quickExits: number,
  logger: Logger,
  signal: AbortSignal,
): Promise<RedisServer | undefined> {
  try {
    await delay(Math.min(5000, 25 * 2 ** quickExits), undefined, { signal });
    return await launch(signal);
  } catch (err) {
    if (signal.aborted) return undefined;
    logger.error({ err }, 'redis-server could not be started again');
    return relaunch(launch, quickExits + 1, logger, signal);
  }
}
