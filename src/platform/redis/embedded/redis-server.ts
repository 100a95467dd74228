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
  /** Gives up waiting for the server and ends it. */
  signal: AbortSignal;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A redis-server that answers. */
export interface RedisServer {
  pid: number;
  /** Resolves when the process is gone, with how it ended: `code 1` or `SIGKILL`. */
  exited: Promise<string>;
  /** Ends it in order (the append-only file is synced); by force after five seconds. */
  stop: () => Promise<void>;
}

/** Starts redis-server in `folder`. Resolves when it answers, rejects with one line if it ends. */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  const child = await spawnRedis(options);
  // What it says while it starts and ends is marked as a warning too; a failed start repeats it in
  // the error.
  let steady = false;
  const output = collectOutput(child, (text, marked) => {
    options.logger[marked && steady ? 'warn' : 'debug']({ redis: text }, 'redis-server says');
  });
  // A service that exits without closing ends it too; only a killed one can't.
  const onExit = () => void child.kill('SIGTERM');
  process.once('exit', onExit);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? 'unknown'}`));
    child.once('error', (error) => resolve(error.message));
  });
  void exited.then(() => process.off('exit', onExit));
  const stop = () => {
    steady = false;
    return stopChild(child, exited);
  };
  const onAbort = () => void stop();
  options.signal.addEventListener('abort', onAbort, { once: true });
  const answers = await waitUntilReady(options.socket, exited);
  options.signal.removeEventListener('abort', onAbort);
  if (!answers) throw new Error(explain(await exited, await output, options));
  steady = true;
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
  const command = [...(await diesWithParent()), options.binary, ...redisArguments(options)];
  const [program = '', ...args] = command;
  // Its own process group: Ctrl-C in the terminal must not end it before the service has finished
  // with it.
  return spawn(program, args, {
    cwd: options.folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** On Linux the kernel can end a child with its parent, also after kill -9. */
async function diesWithParent(): Promise<string[]> {
  const prefix = ['setpriv', '--pdeathsig', 'TERM', '--'];
  if (process.platform !== 'linux') return [];
  const works = await promisify(execFile)('setpriv', [...prefix.slice(1), 'true']).then(
    () => true,
    () => false,
  );
  return works ? prefix : [];
}

async function waitUntilReady(socket: string, exited: Promise<string>): Promise<boolean> {
  // ioredis counts a connection as ready only when the append-only file has been loaded.
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

/** Passes on each line, and whether it is a warning. Resolves with the last twenty. */
async function collectOutput(
  child: Child,
  onLine: (text: string, marked: boolean) => void,
): Promise<string[]> {
  const last: string[] = [];
  const read = async (stream: Readable) => {
    for await (const line of createInterface({ input: stream })) {
      const { text, marked } = parseLine(line);
      if (text === '') continue;
      last.push(text);
      if (last.length > 20) last.shift();
      onLine(text, marked);
    }
  };
  await Promise.all([read(child.stdout), read(child.stderr)]).catch(() => undefined);
  return last;
}

// "71:M 21 Nov 2026 10:00:00.000 # text": process, role, time, mark (# for a warning), text.
function parseLine(line: string): { text: string; marked: boolean } {
  const match = /^\d+:[A-Z] .*?\d\d:\d\d:\d\d\.\d+ ([.\-*#]) (.*)$/.exec(line);
  return { text: (match?.[2] ?? line).trim(), marked: match?.[1] === '#' };
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
