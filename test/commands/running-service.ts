import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { testRedisUrl } from '../support/redis.ts';
import { freePort } from '../support/redis-server.ts';

const dist = join(import.meta.dirname, '../../dist');

/** Collects what a process prints. Returns it so far. */
export function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = '';
  for (const stream of [stdout, stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return () => output;
}

/** Waits until a service is ready for requests. */
export const untilReady = (base: string): Promise<void> =>
  vi.waitFor(async () => expect((await fetch(`${base}/api/health/ready`)).status).toBe(200), {
    timeout: 60_000,
    interval: 50,
  });

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Prepares the built service and commands as separate processes with one data folder; `close` kills
 * the processes and deletes the folder.
 */
export async function createRunningService() {
  const folder = await mkdtemp(join(tmpdir(), 'commands-'));
  const key = 'k'.repeat(20) + String(Math.random()).slice(2).padEnd(20, '7');
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ADMIN_API_KEY: key };
  const redis = await testRedisUrl();
  const running = new Set<ChildProcess>();
  let service: ChildProcess | undefined;

  function launch(script: string, args: string[], settings: Record<string, string>): ChildProcess {
    const child = spawn(process.execPath, [join(dist, script), ...args], {
      cwd: folder,
      env: { ...env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  }

  async function start(): Promise<void> {
    service = launch('server.js', [], {
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      REDIS_URL: redis,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
    });
    service.stdout?.resume();
    service.stderr?.resume();
    await untilReady(base);
  }

  /** Starts a command; `ended` resolves with its exit code and output. */
  function command(
    name: 'import' | 'export',
    args: string[],
    settings: Record<string, string> = {},
  ) {
    const child = launch(`${name}.js`, ['--url', base, ...args], settings);
    const text = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (part: string) => void (text.stdout += part));
    child.stderr?.setEncoding('utf8').on('data', (part: string) => void (text.stderr += part));
    const ended = once(child, 'close').then(([code]): CommandResult => ({
      code: code as number | null,
      ...text,
    }));
    return { child, ended, stderr: () => text.stderr };
  }

  async function get(path: string): Promise<unknown> {
    const response = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return response.json();
  }

  /** Returns the number of events that the store has of a site. */
  async function countStored(site: string): Promise<number> {
    const { data } = (await get('/analytics/sites')) as {
      data: { site_id: string; events: number }[];
    };
    return data.find(({ site_id }) => site_id === site)?.events ?? 0;
  }

  return {
    base,
    folder,
    key,
    start,
    command,
    get,
    run: (name: 'import' | 'export', args: string[], settings?: Record<string, string>) =>
      command(name, args, settings).ended,

    async post(path: string, body: unknown, more: Record<string, string> = {}): Promise<unknown> {
      const json = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const request = { method: 'POST', headers: { ...json, ...more }, body: JSON.stringify(body) };
      return (await fetch(`${base}${path}`, request)).json();
    },

    countStored,

    /** Waits until the store has so many events of some sites. */
    untilStored: (count: number, ...sites: string[]) =>
      vi.waitFor(
        async () => {
          const counts = await Promise.all(sites.map(countStored));
          expect(counts.reduce((sum, each) => sum + each, 0)).toBe(count);
        },
        { timeout: 60_000 },
      ),

    /** Returns the rows of an export by id; fails on a duplicate id. */
    async rows(...args: string[]): Promise<Map<string, Record<string, unknown>>> {
      const { code, stdout, stderr } = await command('export', args).ended;
      expect(code, stderr).toBe(0);
      const rows = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const byId = new Map(rows.map((row) => [String(row.id), row]));
      expect(byId.size).toBe(rows.length);
      return byId;
    },

    async kill(): Promise<void> {
      if (service?.exitCode !== null || service.signalCode !== null) return;
      const exited = once(service, 'exit');
      service.kill('SIGKILL');
      await exited;
    },

    async close(): Promise<void> {
      for (const child of running) child.kill('SIGKILL');
      await Promise.all([...running].map(async (child) => once(child, 'exit')));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type RunningService = Awaited<ReturnType<typeof createRunningService>>;
