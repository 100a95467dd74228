import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { testRedisUrl } from '../support/redis.ts';
import { freePort } from '../support/redis-server.ts';

const dist = join(import.meta.dirname, '../../dist');

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

  async function isReady(): Promise<boolean> {
    return fetch(`${base}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
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
    await vi.waitFor(async () => expect(await isReady()).toBe(true), {
      timeout: 60_000,
      interval: 50,
    });
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

  return {
    base,
    folder,
    key,
    start,
    command,
    get,
    run: (name: 'import' | 'export', args: string[], settings?: Record<string, string>) =>
      command(name, args, settings).ended,

    async post(
      path: string,
      body: unknown,
      headers: Record<string, string> = {},
    ): Promise<unknown> {
      const all = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
      };
      const response = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: all,
        body: JSON.stringify(body),
      });
      return response.json();
    },

    /** Returns the number of events that the store has of a site. */
    async countStored(site: string): Promise<number> {
      const { data } = (await get('/analytics/sites')) as {
        data: { site_id: string; events: number }[];
      };
      return data.find(({ site_id }) => site_id === site)?.events ?? 0;
    },

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
