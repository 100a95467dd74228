import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventInput } from '../../src/areas/analytics/ingest/schemas.ts';
import { writeMarker, removeDemo, readFolderState } from '../../src/commands/demo/folder.ts';
import { createLiveVisits } from '../../src/commands/demo/live.ts';
import { readDemoOptions } from '../../src/commands/demo/options.ts';
import { peopleOf } from '../../src/commands/demo/people.ts';
import { choosePort } from '../../src/commands/demo/port.ts';
import { createFillProgress } from '../../src/commands/demo/progress.ts';
import { createRandom } from '../../src/commands/demo/random.ts';
import { createMovingClock, playActs } from '../../src/commands/demo/stage.ts';
import { isWithin, storyOf } from '../../src/commands/demo/story.ts';
import { dayMs } from '../../src/lib/durations.ts';
import { trafficOf } from '../../src/commands/demo/traffic.ts';
import type { DemoEvent } from '../../src/commands/demo/visits.ts';
import { openDataDir } from '../../src/platform/files/data-dir.ts';

const until = Date.parse('2026-11-22T15:30:00Z');
const story = storyOf(until);
const base = 'http://127.0.0.1:3000';
const traffic = (seed: string, scale: number): DemoEvent[] =>
  [...trafficOf({ seed, story, scale, base })].flat();
const visitorOf = ({ user_id: user, visitor_id: visitor }: DemoEvent): string =>
  user ?? visitor ?? '';

describe('the traffic of the demo', () => {
  let events: DemoEvent[];
  let views: DemoEvent[];
  beforeAll(() => {
    events = traffic('wool', 0.24);
    views = events.filter(({ event, bot }) => event === 'pageview' && bot !== true);
  });

  const within = (from: number, to: number, site?: string) =>
    views.filter(
      (each) =>
        each.timestamp >= from &&
        each.timestamp < to &&
        (site === undefined || each.site_id === site),
    ).length;
  const localTimes = (site: string, zone: string) =>
    views
      .filter((each) => each.site_id === site)
      .map(({ timestamp }) => DateTime.fromMillis(timestamp, { zone }));

  it('is the same for the same seed and differs for another', () => {
    expect(traffic('wool', 0.01)).toEqual(traffic('wool', 0.01));
    expect(traffic('wool', 0.01)).not.toEqual(traffic('silk', 0.01));
  });

  it('has no events in the future or before its year, and each day in order', () => {
    expect(events.length).toBeGreaterThan(40_000);
    expect(events.filter(({ timestamp }) => timestamp > until || timestamp < story.from)).toEqual(
      [],
    );
    for (const day of trafficOf({ seed: 'wool', story, scale: 0.01, base })) {
      const times = day.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
    expect(within(until - 3_600_000, until)).toBeGreaterThan(3);
  });

  it('grows over the year and follows the weekdays and hours of its visitors', () => {
    expect(within(until - 60 * dayMs, until)).toBeGreaterThan(
      1.8 * within(story.from, story.from + 60 * dayMs),
    );
    const blog = localTimes('blog.example', 'America/New_York');
    const shop = localTimes('shop.example', 'Europe/Berlin');
    const on = (times: DateTime[], weekday: number) =>
      times.filter((time) => time.weekday === weekday).length;
    expect(on(blog, 6)).toBeLessThan(0.8 * on(blog, 3));
    expect(on(shop, 7)).toBeGreaterThan(on(shop, 2));
    const evening = shop.filter(({ hour }) => hour >= 19 && hour < 22).length;
    expect(evening).toBeGreaterThan(6 * shop.filter(({ hour }) => hour >= 2 && hour < 5).length);
  });

  it('shows the launch, and the outage as a dip without purchases', () => {
    const launch = story.campaigns.find(({ name }) => name === 'shop-launch');
    const day = (at: number) => within(at, at + dayMs, 'shop.example');
    expect(day(launch?.from ?? 0)).toBeGreaterThan(2 * day((launch?.from ?? 0) - 7 * dayMs));
    const { from, to } = story.outage;
    const before = [1, 2, 3, 4].map((weeks) =>
      within(from - weeks * 7 * dayMs, to - weeks * 7 * dayMs, 'shop.example'),
    );
    expect(within(from, to, 'shop.example')).toBeLessThan(
      0.5 * (before.reduce((sum, count) => sum + count, 0) / 4),
    );
    const purchases = events.filter(({ event }) => event === 'purchase');
    expect(purchases.filter(({ timestamp }) => isWithin(story.outage, timestamp))).toEqual([]);
    expect(purchases.some(({ revenue }) => Number(revenue?.amount) > 0)).toBe(true);
  });

  it('identifies customers, who return less over time, and others for a day only', () => {
    const seen = new Map<string, number[]>();
    for (const each of views)
      seen.set(visitorOf(each), [...(seen.get(visitorOf(each)) ?? []), each.timestamp]);
    for (const [name, times] of seen)
      if (!name.startsWith('customer-'))
        expect(Math.max(...times) - Math.min(...times)).toBeLessThan(8 * 3_600_000);
    const signUps = events.filter(
      ({ event, timestamp }) => event === 'signup' && timestamp < until - 90 * dayMs,
    );
    const back = (days: number) =>
      signUps.filter(({ timestamp, user_id: user }) =>
        (seen.get(user ?? '') ?? []).some((time) => time > timestamp + days * dayMs),
      ).length;
    expect(signUps.length).toBeGreaterThan(50);
    expect(back(2)).toBeGreaterThan(back(30));
    expect(back(30)).toBeGreaterThan(0);
    expect(back(2)).toBeLessThan(signUps.length);
  });

  it('consists of valid events that cover everything the figures use', () => {
    for (const event of events.filter((_, index) => index % 97 === 0))
      expect(EventInput.safeParse(event).error).toBeUndefined();
    const names = new Set(events.map(({ event }) => event));
    const ofPages = ['pageview', 'engagement', 'web_vitals', 'outbound_click', 'file_download'];
    const ofVisitors = ['signup', 'add_to_cart', 'purchase', 'not_found', 'newsletter_signup'];
    for (const name of [...ofPages, ...ofVisitors]) expect(names).toContain(name);
    for (const campaign of story.campaigns)
      expect(events.some(({ url }) => url.includes(`utm_campaign=${campaign.name}`))).toBe(true);
    expect(new Set(events.map(({ country }) => country)).size).toBeGreaterThan(15);
    expect(events.some(({ bot }) => bot === true)).toBe(true);
  });

  it('continues live with events that carry no timestamp', () => {
    const next = createLiveVisits(createRandom('live'), () => until);
    const live = Array.from({ length: 300 }, next);
    expect(JSON.stringify(live)).not.toContain('timestamp');
    expect(new Set(live.map(({ visitor_id: visitor }) => visitor)).size).toBeGreaterThan(20);
    for (const event of live) expect(EventInput.safeParse(event).error).toBeUndefined();
  });
});

describe('the people of the demo', () => {
  const people = peopleOf('wool', story);

  it('are 120 users with distinct addresses, none of whom acts after the end', () => {
    expect(people).toHaveLength(120);
    expect(new Set(people.map(({ email }) => email)).size).toBe(120);
    const late = people.filter(({ joinedAt }) => joinedAt > until || joinedAt < story.from);
    expect(late).toEqual([]);
    const roles = people.flatMap(({ role }) => role ?? []);
    expect(roles).toEqual(['admin', 'admin', 'viewer']);
    expect(peopleOf('wool', story)).toEqual(people);
  });

  it('act in order of time, each with the clock set to its own', async () => {
    const clock = createMovingClock(0);
    const times: number[] = [];
    const recordTime = async () => {
      times.push(clock.now());
    };
    const acts = [30, 10, 20].map((at) => ({ at, play: recordTime }));
    await playActs(acts, clock, () => undefined);
    expect(times).toEqual([10, 20, 30]);
  });
});

describe('npm run demo', () => {
  it('reads its options and refuses production', () => {
    expect(readDemoOptions([], { NODE_ENV: 'development' })).toMatchObject({
      dataDir: join(process.cwd(), 'data-demo'),
      scale: 1,
      isReset: false,
      isQuiet: false,
      port: undefined,
    });
    const env = { DEMO_DATA_DIR: '/x', DEMO_SCALE: '0.01', PORT: '4000' };
    const options = { dataDir: '/x', scale: 0.01, isReset: true, isQuiet: true, port: 4000 };
    expect(readDemoOptions(['--reset', '--quiet-traffic'], env)).toMatchObject(options);
    expect(readDemoOptions([], { DEMO_QUIET_TRAFFIC: '1' })).toMatchObject({ isQuiet: true });
    expect(readDemoOptions(['--help'], { NODE_ENV: 'production' })).toBeUndefined();
    expect(() => readDemoOptions([], { NODE_ENV: 'production' })).toThrow(
      /does not run with NODE_ENV=production/,
    );
    for (const wrong of [
      { DEMO_SCALE: 'much' },
      { DEMO_SCALE: '0' },
      { PORT: '70000' },
      { PORT: '1.5' },
    ])
      expect(() => readDemoOptions([], wrong)).toThrow(/must be a/);
    expect(() => readDemoOptions(['--rest'], {})).toThrow(/--reset/);
  });

  it('suggests another port when the requested one is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(choosePort(port, () => undefined)).rejects.toThrow(
      `PORT=${port + 1} npm run demo`,
    );
    await new Promise((resolve) => server.close(resolve));
    await expect(choosePort(port, () => undefined)).resolves.toBe(port);
  });

  it('prints plain lines without a terminal, one for each tenth', () => {
    const lines: string[] = [];
    const progress = createFillProgress(undefined, (line) => lines.push(line));
    for (let share = 0; share <= 1; share += 0.001) progress.show(share, 'traffic');
    expect(lines.length).toBeLessThanOrEqual(11);
    expect(lines[1]).toBe('   10 % traffic');
  });
});

describe('the folder of the demo', () => {
  let parent: string;
  let folder: string;
  const about = { seed: 'wool', scale: 1, port: 3000, events: 0 };
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'demo-'));
    folder = join(parent, 'data-demo');
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('counts as filled only when its marker says so', async () => {
    expect(await readFolderState(folder)).toEqual({ is: 'empty' });
    await writeMarker(folder, { ...about, state: 'filling' });
    expect(await readFolderState(folder)).toEqual({ is: 'half_filled' });
    await writeMarker(folder, { ...about, state: 'filled', events: 12 });
    expect(await readFolderState(folder)).toMatchObject({
      is: 'filled',
      marker: { events: 12, port: 3000 },
    });
    await writeFile(join(folder, 'demo.json'), '{"state":"filled"}');
    expect(await readFolderState(folder)).toEqual({ is: 'foreign' });
  });

  it('is removed only if it has the marker and is not in use', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'auth-secret'), 'of somebody');
    await expect(removeDemo(folder)).rejects.toThrow(/is not a folder of the demo/);
    expect(await readdir(folder)).toEqual(['auth-secret']);
    await writeMarker(folder, { ...about, state: 'filled' });
    const lock = await openDataDir(folder);
    await expect(removeDemo(folder)).rejects.toThrow(/is in use by process/);
    expect(await readdir(folder)).toContain('auth-secret');
    await lock.close();
    await removeDemo(folder);
    expect(await readdir(parent)).toEqual([]);
    await expect(removeDemo(folder)).resolves.toBeUndefined();
  });
});
