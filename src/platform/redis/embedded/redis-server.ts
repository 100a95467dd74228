import { execFile, spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

export interface RedisServerOptions {
  folder: string;
  socket: string;
  /** A path or a name on PATH. */
  binary: string;
  logger: Logger;
  /** Aborts the start and stops the server. */
  signal: AbortSignal;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A running redis-server. */
export interface RedisServer {
  pid: number;
  /** Resolves when the process has exited, with the reason: `code 1` or `SIGKILL`. */
  exited: Promise<string>;
  /** Stops it gracefully, which syncs the append-only file; kills it after five seconds. */
  stop: () => Promise<void>;
}

/** Starts redis-server in `folder`. Resolves when it answers; rejects with one line if it exits. */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  const child = await spawnRedis(options);
  // redis-server marks routine lines of its start and stop as warnings too, so they are logged at
  // debug level. The error of a failed start repeats them.
  let isSteady = false;
  const output = collectOutput(child, (text, isWarning) => {
    options.logger[isWarning && isSteady ? 'warn' : 'debug']({ redis: text }, 'redis-server says');
  });
  // Also stops the server when the service exits without closing it, unless the service is killed.
  const onExit = () => void child.kill('SIGTERM');
  process.once('exit', onExit);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? 'unknown'}`));
    child.once('error', (error) => resolve(error.message));
  });
  void exited.then(() => process.off('exit', onExit));
  const stop = () => {
    isSteady = false;
    return stopChild(child, exited);
  };
  const onAbort = () => void stop();
  options.signal.addEventListener('abort', onAbort, { once: true });
  const isReady = await waitUntilReady(options.socket, exited);
  options.signal.removeEventListener('abort', onAbort);
  if (!isReady) throw new Error(explain(await exited, await output, options));
  isSteady = true;
  return { pid: child.pid ?? 0, exited, stop };
}

function redisArguments({ folder, socket }: RedisServerOptions): string[] {
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: folder,
    pidfile: `${folder}/redis.pid`,
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'aof-load-truncated': 'yes',
    save: '',
    // BullMQ loses jobs under any other policy.
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

async function spawnRedis(options: RedisServerOptions): Promise<Child> {
  const command = [...(await parentDeathPrefix()), options.binary, ...redisArguments(options)];
  const [program = '', ...args] = command;
  // Its own process group, so that Ctrl-C in the terminal does not stop it before the service.
  return spawn(program, args, {
    cwd: options.folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * On Linux the kernel can end a child with its parent, even after kill -9. Returns the command
 * prefix for that, empty when unavailable.
 */
async function parentDeathPrefix(): Promise<string[]> {
  const prefix = ['setpriv', '--pdeathsig', 'TERM', '--'];
  if (process.platform !== 'linux') return [];
  const isSupported = await promisify(execFile)('setpriv', [...prefix.slice(1), 'true']).then(
    () => true,
    () => false,
  );
  return isSupported ? prefix : [];
}

async function waitUntilReady(socket: string, exited: Promise<string>): Promise<boolean> {
  // ioredis reports a connection as ready only after the append-only file is loaded.
  const client = new Redis({
    path: socket,
    retryStrategy: () => 5,
    maxRetriesPerRequest: null,
    maxLoadingRetryTime: 500,
  });
  client.on('error', () => undefined);
  try {
    return await new Promise<boolean>((resolve) => {
      client.once('ready', () => resolve(true));
      void exited.then(() => resolve(false));
    });
  } finally {
    client.disconnect();
  }
}

async function stopChild(child: Child, exited: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const timer = new AbortController();
  const force = delay(5000, undefined, { signal: timer.signal }).then(
    () => child.kill('SIGKILL'),
    () => false,
  );
  await exited;
  timer.abort();
  await force;
}

/** Calls `onLine` for each line. Resolves with the last twenty lines. */
async function collectOutput(
  child: Child,
  onLine: (text: string, isWarning: boolean) => void,
): Promise<string[]> {
  const last: string[] = [];
  const read = async (stream: Readable) => {
    for await (const line of createInterface({ input: stream })) {
      const { text, isWarning } = parseLine(line);
      if (text === '') continue;
      last.push(text);
      if (last.length > 20) last.shift();
      onLine(text, isWarning);
    }
  };
  await Promise.all([read(child.stdout), read(child.stderr)]).catch(() => undefined);
  return last;
}

// "71:M 21 Nov 2026 10:00:00.000 # text": process, role, time, mark (# for a warning), text.
function parseLine(line: string): { text: string; isWarning: boolean } {
  const match = /^\d+:[A-Z] .*?\d\d:\d\d:\d\d\.\d+ ([.\-*#]) (.*)$/.exec(line);
  return { text: (match?.[2] ?? line).trim(), isWarning: match?.[1] === '#' };
}

function explain(
  end: string,
  output: readonly string[],
  { folder, binary }: RedisServerOptions,
): string {
  if (end.includes('ENOENT') || output.some((line) => line.includes('failed to execute'))) {
    return (
      `${binary} was not found. Install it (apt-get install redis-server), ` +
      'or set REDIS_URL to a Redis that already runs.'
    );
  }
  const broken = output.find(
    (line) =>
      /append only file|appendonly|AOF/i.test(line) &&
      /bad|error|fail|can't|unexpected|corrupt|missing|fix/i.test(line),
  );
  if (broken !== undefined)
    return `redis-server cannot read its append-only file in ${folder}: ${broken}`;
  const reason = output.slice(-3).join(' · ') || 'it gave no reason';
  return `redis-server ended with ${end} before it answered: ${reason}`;
}
