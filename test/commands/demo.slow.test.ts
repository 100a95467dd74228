import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FiguresView } from '../../src/areas/waitlist/entries/schemas.ts';
import { writeMarker } from '../../src/commands/demo/folder.ts';
import { errorsIn } from '../support/log.ts';
import { freePort } from '../support/redis-server.ts';
import { outputOf } from './running-service.ts';

const root = join(import.meta.dirname, '../..');

/** Starts `npm run demo` in a separate process with a minimal environment plus `env`. */
function startDemo(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['scripts/demo.mjs', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output,
    exited,
    ready: () =>
      vi.waitFor(
        () => {
          if (child.exitCode !== null) throw new Error(`it ended: ${output()}`);
          expect(output()).toContain('The demo is ready');
        },
        { timeout: 150_000, interval: 100 },
      ),
    stop: (signal: NodeJS.Signals = 'SIGINT') => {
      child.kill(signal);
      return exited;
    },
  };
}

type Body = Record<string, unknown>;

/** Opens the sign-in link of the output as a browser would, and keeps its cookies. */
async function clickLink(output: string) {
  const link = /http:\S+\/dev\/bypass\/\S+/.exec(output)?.[0] ?? '';
  const answer = await fetch(link, { redirect: 'manual', headers: { accept: 'text/html' } });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1).join(''))
    .join('; ');
  const base = new URL(link).origin;
  return {
    base,
    answer,
    json: async (path: string): Promise<Body> => {
      const got = await fetch(`${base}${path}`, { headers: { cookie } });
      expect(got.status, path).toBe(200);
      return (await got.json()) as Body;
    },
  };
}

describe('npm run demo', () => {
  let parent: string;
  let folder: string;
  let env: Record<string, string>;

  const inFolder = (name: string) => join(folder, name);
  const setMarker = () =>
    writeMarker(folder, { state: 'filled', seed: 'wool', scale: 0.02, port: 1, events: 0 });
  const untilSaid = (demo: ReturnType<typeof startDemo>, text: string) =>
    vi.waitFor(() => expect(demo.output()).toContain(text), { timeout: 180_000, interval: 50 });

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'demo-run-'));
    folder = join(parent, 'data-demo');
    env = { DEMO_DATA_DIR: folder, DEMO_SCALE: '0.02', PORT: String(await freePort()) };
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('fills a new folder, and recreates it after an interruption', async () => {
    const fillAndInterrupt = async () => {
      const interrupted = startDemo(env);
      await untilSaid(interrupted, '% a year of traffic');
      expect(await interrupted.stop('SIGTERM')).toBe(130);
      const marker = await readFile(inFolder('demo.json'), 'utf8');
      expect(JSON.parse(marker)).toMatchObject({ state: 'filling' });
      return interrupted.output();
    };
    const recreated = 'is incomplete and is being recreated';
    expect(await fillAndInterrupt()).not.toContain(recreated);
    await writeFile(inFolder('half.txt'), 'gone');
    expect(await fillAndInterrupt()).toContain(recreated);
    await expect(stat(inFolder('half.txt'))).rejects.toThrow('ENOENT');
  }, 400_000);

  it('replaces a filled folder with --reset, signs in by one link, reuses the data', async () => {
    await setMarker();
    await writeFile(inFolder('mine.txt'), 'gone with --reset');
    const demo = startDemo(env, '--reset');
    await untilSaid(demo, '% a year of traffic');
    await expect(stat(inFolder('mine.txt'))).rejects.toThrow('ENOENT');
    // Not while another process uses it.
    const concurrent = startDemo({ ...env, PORT: String(await freePort()) }, '--reset');
    expect(await concurrent.exited).toBe(1);
    expect(concurrent.output()).toContain('is in use by process');
    await demo.ready();
    expect(demo.output()).toMatch(/ 10 % a year of traffic/);
    expect(errorsIn(demo.output())).toEqual([]);
    expect(demo.output()).not.toContain('Nobody is an admin');
    const { answer, base, json } = await clickLink(demo.output());
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/api/svc/console/');

    expect(await json('/auth/me')).toMatchObject({
      email: 'ada@shop.example',
      roles: ['admin'],
      session: { device_state: 'cleared' },
    });
    const figures = await json(
      '/analytics/dashboard/?site_id=shop.example&period=12mo&interval=month',
    );
    expect((figures.totals as Body).pageviews).toBeGreaterThan(1000);
    expect((figures.sources as Body[]).map(({ value }) => value)).toEqual(
      expect.arrayContaining(['Google', null]),
    );
    const months = (figures.series as Body[]).map(({ pageviews }) => Number(pageviews));
    // A month that has just begun may have no visitors yet.
    expect(months.slice(0, -1).every((pageviews) => pageviews > 0)).toBe(true);
    expect((await json('/analytics/sites/shop.example/goals')).data).toHaveLength(3);
    expect((await json('/analytics/sites/shop.example/funnels')).data).toHaveLength(1);
    expect((await json('/analytics/sites/shop.example/annotations')).data).toHaveLength(4);
    const devices = (await json('/api/auth/blackops/dashboard')) as {
      states: Record<string, number>;
      pending: { total: number };
    };
    for (const state of ['cleared', 'pending', 'expired', 'suspended', 'denied', 'revoked'])
      expect(devices.states[state], state).toBeGreaterThan(0);
    expect(devices.pending.total).toBeGreaterThan(4);
    const { data: keys } = (await json('/api/v1/api-keys')) as { data: Body[] };
    expect(keys).toHaveLength(7);
    for (const key of keys) expect(key.scopes, String(key.name)).not.toEqual([]);
    expect((await json('/api/v1/audit?action=user.created&limit=100')).data).toHaveLength(100);
    expect((await json('/api/v1/signups?limit=100')).data).toHaveProperty('length', 84);
    expect((await json('/api/v1/status/subscribers')).total).toBeGreaterThan(20);
    const waitlist = (await json('/api/v2/waitlist/entries/stats')) as FiguresView;
    const { entries, referrals } = waitlist;
    expect(entries).toMatchObject({ approved: 12, joined: 28 });
    expect(entries.verified).toBeGreaterThan(60);
    expect(entries.pending).toBeGreaterThan(0);
    expect(referrals.granted).toBeGreaterThan(20);
    expect(Object.keys(referrals.withheld).length).toBeGreaterThan(0);
    const { data: incidents } = (await json('/api/v1/status/incidents')) as { data: Body[] };
    expect(incidents.map(({ name, status }) => [name, status])).toEqual([
      ['Figures are slow', 'resolved'],
      ['Orders cannot be paid', 'postmortem'],
    ]);
    const { data: planned } = (await json('/api/v1/status/maintenances')) as { data: Body[] };
    expect(planned.map(({ status }) => status)).toEqual(['scheduled', 'completed']);
    expect(await json('/api/status')).toMatchObject({ status: { indicator: 'none' } });
    // Live traffic: visitors arrive by themselves. (At this scale, the filled data has next to no
    // visitors in its last half hour.)
    const now = async (site: string): Promise<number> =>
      Number((await json(`/analytics/dashboard/?site_id=${site}&period=24h`)).visitors_now);
    await vi.waitFor(
      async () =>
        expect((await now('shop.example')) + (await now('blog.example'))).toBeGreaterThan(2),
      { timeout: 60_000, interval: 500 },
    );
    expect(await demo.stop()).toBe(0);

    const before = await stat(inFolder('auth-secret'));
    const port = String(await freePort());
    const restarted = startDemo({ ...env, PORT: port }, '--quiet-traffic');
    await restarted.ready();
    expect(restarted.output()).toContain('is already filled');
    expect(restarted.output()).not.toContain('Filling');
    expect((await stat(inFolder('auth-secret'))).mtimeMs).toBe(before.mtimeMs);
    const second = await clickLink(restarted.output());
    expect(second.base).not.toBe(base);
    const listOf = async (name: string) =>
      (await second.json(`/api/v1/status/${name}`)).data as Body[];
    const probed = (await listOf('components')).filter(({ source }) => source === 'http');
    const target = `${second.base}/api/health/live`;
    expect(probed.map((each) => each.target)).toEqual([target, target]);
    // A short stop does not count as downtime.
    expect((await listOf('incidents')).map(({ source }) => source)).not.toContain('downtime');
    expect(await restarted.stop('SIGTERM')).toBe(0);
  }, 400_000);

  it('leaves any other folder as it is, even with --reset', async () => {
    await rm(inFolder('demo.json'));
    await writeFile(inFolder('mine.txt'), 'kept');
    const foreign = startDemo(env, '--reset');
    expect(await foreign.exited).toBe(1);
    expect(foreign.output()).toContain('holds something else than a demo');
    expect(await readFile(inFolder('mine.txt'), 'utf8')).toBe('kept');
  });

  it('never runs in production', async () => {
    const other = join(parent, 'other');
    const demo = startDemo({ ...env, DEMO_DATA_DIR: other, NODE_ENV: 'production' });
    expect(await demo.exited).toBe(1);
    expect(demo.output()).toContain('does not run with NODE_ENV=production');
    await expect(stat(other)).rejects.toThrow('ENOENT');
  });
});
