import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { endLeftover } from './leftover.ts';
import { startRedisServer } from './redis-server.ts';
import type { RedisServer } from './redis-server.ts';
import { openSocketPath } from './socket-path.ts';

export interface EmbeddedRedisOptions {
  /** Folder of its append-only file and socket, made when missing. One process at a time. */
  dir: string;
  logger: Logger;
  /** redis-server 7 or newer, or valkey-server: a path or a name on PATH. */
  binary?: string;
}

export type EmbeddedRedis = Awaited<ReturnType<typeof startEmbeddedRedis>>;

type Launch = (signal: AbortSignal) => Promise<RedisServer>;

/**
 * Starts our own redis-server on a unix socket in `dir` with its append-only file on, and starts it
 * again whenever it ends. One that a killed process left there is ended first. Resolves when it
 * answers; rejects with one readable line.
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
  const began = performance.now();
  const launch: Launch = (signal) =>
    startRedisServer({ folder, socket: socket.path, binary, logger, signal });
  const keeper = await keepRunning(launch, logger);
  logger.debug(
    { pid: keeper.pid(), ms: Math.round(performance.now() - began) },
    'redis-server answers',
  );
  return {
    /** The unix socket, for ioredis' `path` option. */
    path: socket.path,
    /** Process id of the server that runs now; another one after a restart. */
    get pid() {
      return keeper.pid();
    },
    /** Calls `listener` each time the server answers again after it had ended. */
    onRestart: keeper.onRestart,
    /** Ends the server in order and for good. Resolves when its process is gone. */
    stop: async () => {
      await keeper.stop();
      await socket.remove();
    },
  };
}

async function keepRunning(launch: Launch, logger: Logger) {
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const listeners = new Set<() => void>();
  let server = await launch(stopping.signal);
  const watching = watch();

  async function watch(): Promise<void> {
    for (let shortLives = 0; ;) {
      const began = performance.now();
      const end = await server.exited;
      if (stopped()) return;
      logger.error({ pid: server.pid, end }, 'redis-server ended; starting it again');
      shortLives = performance.now() - began > 10_000 ? 0 : shortLives + 1;
      const next = await relaunch(launch, shortLives, logger, stopping.signal);
      if (next === undefined) return;
      server = next;
      if (stopped()) return server.stop();
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

/** Launches until it works, with waits doubling from 50 ms to 5 s. Undefined: aborted. */
async function relaunch(
  launch: Launch,
  shortLives: number,
  logger: Logger,
  signal: AbortSignal,
): Promise<RedisServer | undefined> {
  try {
    await delay(Math.min(5000, 25 * 2 ** shortLives), undefined, { signal });
    return await launch(signal);
  } catch (err) {
    if (signal.aborted) return undefined;
    logger.error({ err }, 'redis-server could not be started again');
    return relaunch(launch, shortLives + 1, logger, signal);
  }
}
