import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { copyEmbedded } from '../support/database-template.ts';
import { sharedStore } from '../support/shared-stores.ts';

export const adminKey = 'fault-admin-key-0123456789abcdef0123';
export const asAdmin = { authorization: `Bearer ${adminKey}` };
export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

const server = join(import.meta.dirname, '../../dist/server.js');

/** Creates a folder that is removed when the test ends. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * Creates a data folder whose embedded database has all tables, for a start that takes one second
 * instead of three. It is removed when the test ends.
 */
export async function dataFolder(prefix: string): Promise<string> {
  const folder = await temporaryFolder(prefix);
  await copyEmbedded(await sharedStore('embeddedTemplate'), folder);
  return folder;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Service {
  port: number;
  pid: number;
  /** The lines on standard output and standard error so far. */
  output: () => string;
  /** Resident memory in bytes. */
  memory: () => number;
  kill: (signal: NodeJS.Signals) => Promise<Ending>;
  signal: (signal: NodeJS.Signals) => void;
  exited: Promise<Ending>;
}

/**
 * Runs the built service with these settings only, on a free port by default. It is killed when the
 * test ends.
 */
export function spawnService(env: Record<string, string>) {
  if (!existsSync(server)) throw new Error('build the service first: npm run build');
  const settings = {
    NODE_ENV: 'test',
    PORT: '0',
    RATE_LIMIT: 'off',
    ADMIN_API_KEY: adminKey,
    PATH: process.env.PATH ?? '',
    ...env,
  };
  const child = spawn(process.execPath, [server], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const exited = new Promise<Ending>((resolve) =>
    // `close`, not `exit`: by then its last lines have been read.
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const listening = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      const port = /http:\/\/[^/:]+:(\d+)\/analytics\/track/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    void exited.then(() =>
      reject(new Error(`the service ended before it was ready:\n${lines.join('\n')}`)),
    );
  });
  listening.catch(() => undefined);
  return { child, pid: child.pid ?? 0, lines, exited, listening };
}

/** Starts the built service and resolves when it is ready. */
export async function startService(env: Record<string, string>): Promise<Service> {
  const { child, pid, lines, exited, listening } = spawnService(env);
  const port = await listening;
  return {
    port,
    pid,
    exited,
    output: () => lines.join('\n'),
    memory: () =>
      1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    signal: (signal) => child.kill(signal),
    kill: async (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer | object;
  agent?: Agent | false;
  /** Sends the body in chunks, without a Content-Length. */
  chunked?: boolean;
}

/** Sends one request. Rejects when the connection breaks before the answer is complete. */
export async function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, agent = false, chunked = false }: Ask = {},
): Promise<Answer> {
  const payload =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
      ? body
      : JSON.stringify(body);
  const type: Record<string, string> =
    payload === undefined || payload === body ? {} : { 'content-type': 'application/json' };
  const length: Record<string, string> =
    payload === undefined || chunked
      ? {}
      : { 'content-length': String(Buffer.byteLength(payload)) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        path,
        method,
        agent,
        headers: { 'user-agent': browser, ...length, ...type, ...headers },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('close', () => {
          if (response.complete)
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(parts).toString(),
            });
          else reject(new Error('the answer broke off'));
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

/**
 * Returns the code of a connection error, such as ECONNREFUSED; the message if it has no code.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

export const post = (
  port: number,
  path: string,
  body: string | Buffer | object,
  more: Omit<Ask, 'body' | 'method'> = {},
): Promise<Answer> => ask(port, path, { method: 'POST', body, ...more });

/** Returns the ids of all stored events, in no particular order. */
export async function storedIds(port: number): Promise<string[]> {
  const { status, text } = await post(
    port,
    '/analytics/export/events/',
    { columns: ['id'] },
    { headers: asAdmin },
  );
  if (status !== 200) throw new Error(`export: ${status} ${text}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);
}

/** Returns the number of stored events. */
export async function storedCount(port: number): Promise<number> {
  const { status, text } = await ask(port, '/analytics/sites', { headers: asAdmin });
  if (status !== 200) throw new Error(`sites: ${status} ${text}`);
  return (JSON.parse(text) as { data: { events: number }[] }).data.reduce(
    (sum, { events }) => sum + events,
    0,
  );
}
