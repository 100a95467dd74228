import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../../test/support/redis-server.ts';
import type { Lifetime } from './lifetime.ts';

const sitesSchema = z.object({
  data: z.array(z.object({ site_id: z.string(), events: z.number() })),
});
const healthSchema = z.object({
  checks: z.object({
    'analytics:backlog': z.array(z.object({ observedValue: z.number().optional() })),
  }),
});

export type Service = Awaited<ReturnType<typeof startService>>;

/** Returns the status of a GET, or undefined when the connection fails. */
function probe(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(
      { port, host: '127.0.0.1', path, agent: false, timeout: 1000 },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end();
  });
}

/**
 * Starts the built service as in production, on a free loopback port or that of `settings`, without
 * the settings of this process. Resolves at the first 200 of /api/health/ready; `readyMs` is the
 * time from the start until then.
 */
export async function startService(
  lifetime: Lifetime,
  dataDir: string,
  settings: Record<string, string> = {},
) {
  const port = settings.PORT === undefined ? await freePort() : Number(settings.PORT);
  const adminKey = settings.ADMIN_API_KEY ?? randomBytes(32).toString('hex');
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    SITE_REGISTRATION: 'open',
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_API_KEY: adminKey,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const began = performance.now();
  const child = spawn(process.execPath, [join(process.cwd(), 'dist', 'server.js')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const collect = (chunk: Buffer) => void (log = (log + chunk.toString()).slice(-16_384));
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let isStopping = false;
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    isStopping = true;
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await exited;
    clearTimeout(killer);
  }
  lifetime.atEnd(stop);
  /** Kills it with SIGKILL. */
  async function kill(): Promise<void> {
    isStopping = true;
    child.kill('SIGKILL');
    await exited;
  }
  void exited.then(() => {
    if (!isStopping && child.exitCode !== 0)
      console.error(`The service ended unexpectedly:\n${log}`);
  });
  while ((await probe(port, '/api/health/ready')) !== 200) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('the service did not start');
    if (performance.now() - began > 60_000)
      throw new Error(`the service was not ready after a minute:\n${log}`);
    await delay(4);
  }
  const readyMs = performance.now() - began;
  const base = `http://127.0.0.1:${port}`;

  async function get(path: string): Promise<unknown> {
    const response = await fetch(`${base}${path}`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    if (response.status !== 200)
      throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  return {
    base,
    port,
    adminKey,
    pid: child.pid ?? 0,
    readyMs,
    stop,
    kill,
    get,
    /** Returns the number of rows in the event store, by site. */
    async rowsBySite(): Promise<Map<string, number>> {
      const { data } = sitesSchema.parse(await get('/analytics/sites'));
      return new Map(data.map((site) => [site.site_id, site.events]));
    },
    /** Returns the number of rows in the event store. */
    async rows(): Promise<number> {
      return [...(await this.rowsBySite()).values()].reduce((sum, count) => sum + count, 0);
    },
    /**
     * Returns the journal bytes that no checkpoint of the event store covers yet, as of the last
     * check (every two seconds).
     */
    async backlogBytes(): Promise<number> {
      const { checks } = healthSchema.parse(await get('/api/health'));
      return checks['analytics:backlog'][0]?.observedValue ?? 0;
    },
    /** The lines it has logged: warnings and worse. */
    complaints: (): string[] =>
      log.split('\n').filter((line) => line.startsWith('{') && !line.includes('redis-server says')),
  };
}
