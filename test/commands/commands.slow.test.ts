import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRunningService, type RunningService } from './running-service.ts';

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, ' +
    'like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, ' +
    'like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
  'curl/8.0',
  '',
];
const referrers = [
  'https://www.google.com/search?q=x',
  'android-app://com.google.android.gm',
  'android-app://com.unknown.thing/',
  'https://xn--e1afmkfd.xn--p1ai/a',
  'http://192.168.1.4:8080/x',
  '',
];
const urls = [
  '/',
  'https://www.example.com/a?utm_source=news+letter&utm_medium=e%26mail&utm_campaign=50%25' +
    '&utm_content=a%3Db%23c&q=1',
  'https://example.com/app?x=1#/settings?tab=2',
  'https://example.com/p?gclid=Ab-1_2&ref=foo',
  '/ünï cödé?ref=hn',
  'https://example.com/?utm_source=%C3%A9t%C3%A9+2+%2B',
];

/** Returns an event that covers many fields, different for every `n`. */
function sampleEvent(n: number, now: number): Record<string, unknown> {
  const pick = <T>(items: readonly T[], step: number): T | undefined =>
    items[(n * step + Math.floor(n / 7)) % items.length];
  const everyNth = (every: number, fields: object) => (n % every === 0 ? fields : {});
  return {
    event: n % 4 === 0 ? 'sign up' : 'pageview',
    url: pick(urls, 5),
    site_id: n % 3 === 0 ? 'shop' : 'blog',
    timestamp: now - n * 97_001,
    ip: `81.2.${n % 50}.7`,
    user_agent: pick(agents, 3),
    referrer: pick(referrers, 7),
    title: 'Ti "tle",\u2028 x\ny',
    language: pick(['de-DE,de;q=0.9', 'en', ''], 2),
    screen: '1920x1080',
    ...everyNth(2, { tag: 't' }),
    ...everyNth(3, { props: { a: 'x,"y"\nz', revenue_amount: '123456789012345', ü: 1 } }),
    ...everyNth(5, { revenue: { amount: '99999999999999.9999', currency: 'EUR' } }),
    ...everyNth(7, { user_id: `u${n % 5}` }),
    ...everyNth(9, { session_id: `named-${n % 20}` }),
    ...everyNth(4, { lcp: 1234.5, cls: 0.1 }),
    ...everyNth(6, { scroll_depth: 50, engagement_ms: 10, interactive: false }),
  };
}

const comparable = (row: Record<string, unknown>) => ({
  ...row,
  received_at: undefined,
  session_id: row.session_id === null ? null : 'some',
});

/** A page view in an export. */
const line = (site: string, timestamp: string, others: object = {}): string =>
  JSON.stringify({ timestamp, event: 'pageview', pathname: '/', site_id: site, ...others });

async function figures(service: RunningService, site: string): Promise<unknown> {
  const view = (await service.get(
    `/analytics/dashboard/?site_id=${site}&period=90d&limit=100`,
  )) as { left_out: unknown; visitors_now: unknown };
  return { ...view, left_out: undefined, visitors_now: undefined };
}

let from: RunningService;
let to: RunningService;
beforeAll(async () => {
  [from, to] = await Promise.all([createRunningService(), createRunningService()]);
  await Promise.all([from.start(), to.start()]);
});
afterAll(async () => Promise.all([from.close(), to.close()]));

describe('export and import between two services', () => {
  beforeAll(async () => {
    const events = Array.from({ length: 3000 }, (_, n) => sampleEvent(n, Date.now()));
    await from.post('/analytics/batch/', { events: events.slice(0, 1500) });
    await from.post('/analytics/batch/', { events: events.slice(1500) }, { 'sec-gpc': '1' });
    await from.untilStored(3000, 'shop', 'blog');
  });

  test('produce the same rows and figures in both, whatever the events hold', async () => {
    const file = join(from.folder, 'events.ndjson');
    const exported = await from.run('export', ['--out', file]);
    expect(exported).toMatchObject({ code: 0, stdout: '' });
    expect(exported.stderr).toContain('Exported 3,000 events');
    expect(await readdir(from.folder)).not.toContain('events.ndjson.part');

    const imported = await to.run('import', [file]);
    expect(imported.stderr).toContain('3,000 stored, 0 duplicates, 0 rejected');
    expect(imported.code).toBe(0);
    await to.untilStored(3000, 'shop', 'blog');

    const [before, after] = [await from.rows(), await to.rows()];
    expect(after.size).toBe(3000);
    for (const [id, row] of before)
      expect(comparable(after.get(id) ?? {})).toEqual(comparable(row));
    const sessionOf = (row: object) => JSON.stringify(row, ['site_id', 'session_id']);
    const sessions = new Map(
      [...before].map(([id, row]) => [sessionOf(row), after.get(id)?.session_id]),
    );
    for (const [id, row] of before)
      expect(after.get(id)?.session_id).toBe(sessions.get(sessionOf(row)));
    for (const site of ['shop', 'blog'])
      expect(await figures(to, site)).toEqual(await figures(from, site));
  });

  test('a CSV of the same events adds nothing and reports them as duplicates', async () => {
    const file = join(from.folder, 'events.csv');
    expect((await from.run('export', ['--format', 'csv', '--out', file])).code).toBe(0);
    const imported = await to.run('import', [file]);
    expect(imported.stderr).toContain('0 stored, 3,000 duplicates, 0 rejected');
    expect(imported.code).toBe(0);
  });

  test('a CSV alone restores every row', async () => {
    const file = join(from.folder, 'shop.csv');
    await from.run('export', ['--format', 'csv', '--site', 'shop', '--out', file]);
    expect(await to.run('import', [file, '--site', 'copy'])).toMatchObject({ code: 0 });
    const original = await from.rows('--site', 'shop');
    await to.untilStored(original.size, 'copy');
    const copies = await to.rows('--site', 'copy');
    for (const [id, row] of original)
      expect(comparable({ ...copies.get(id), site_id: 'shop' })).toEqual(comparable(row));
  });

  test('an export accepts site, time, filters and columns, and explains a refusal', async () => {
    const filters = ['--filter', 'event:is:sign up', '--filter', 'tag:is:t'];
    const columns = ['--columns', 'event,tag', '--from', '2020-01-01'];
    const rows = await from.rows('--site', 'blog', ...filters, ...columns);
    expect(rows.size).toBeGreaterThan(100);
    for (const row of rows.values())
      expect(row).toEqual({ id: row.id, event: 'sign up', tag: 't' });
    const out = join(from.folder, 'never');
    const refused = await from.run('export', ['--columns', 'colour', '--out', out]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/columns\.0/);
    expect(await readdir(from.folder)).not.toContain('never');
  });

  test('a Parquet file arrives complete', async () => {
    const file = join(from.folder, 'events.parquet');
    expect((await from.run('export', ['--out', file])).code).toBe(0);
    const bytes = await readFile(file);
    expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
    expect(bytes.subarray(-4).toString()).toBe('PAR1');
  });

  test('rejected rows are reported by line and fail the command, unless --skip-bad', async () => {
    const good = line('mixed', '2026-01-01T00:00:00Z');
    const file = join(to.folder, 'mixed.ndjson');
    await writeFile(file, [good, 'no json {', line('mixed', 'x'), good].join('\n'));
    const first = await to.run('import', [file, '--from-format', 'export-ndjson']);
    expect(first.stderr).toContain('2 stored, 0 duplicates, 2 rejected');
    expect(first.stderr).toContain('line 2: not valid JSON');
    expect(first.stderr).toMatch(/line 3: timestamp/);
    expect(first.code).toBe(1);
    const second = await to.run('import', [file, '--skip-bad', '--resume-from', '2']);
    expect(second.stderr).toContain('0 stored, 1 duplicates, 2 rejected');
    expect(second.code).toBe(0);
  });

  test("Umami's rows become visits with their browsers and countries", async () => {
    const columns =
      'website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,' +
      'country,url_path,url_query,referrer_path,referrer_domain,page_title,event_type,' +
      'event_name,created_at';
    const lines = Array.from(
      { length: 60 },
      (_, n) =>
        `w,s${n % 10},v${n % 20},0199a7a0-0000-7000-8000-${String(n).padStart(12, '0')},` +
        `example.com,crios,iOS,mobile,390x844,de-DE,DE,/p${n % 3},,/search,google.com,"A, b",` +
        `${n % 3 === 0 ? '2,signup' : '1,'},2026-10-0${1 + ((n % 20) % 9)} 10:0${n % 10}:00`,
    );
    const file = join(to.folder, 'website_event.csv');
    await writeFile(file, [columns, ...lines].join('\n'));
    expect((await to.run('import', [file])).stderr).toContain('--site');
    expect(await to.run('import', [file, '--site', 'umami'])).toMatchObject({ code: 0 });
    await to.untilStored(60, 'umami');
    const view = await to.get(
      '/analytics/dashboard/?site_id=umami&period=custom&from=2026-10-01&to=2026-10-31',
    );
    expect(view).toMatchObject({
      totals: { visitors: 10, visits: 20, pageviews: 40, events: 60 },
      browsers: [{ value: 'Chrome', visits: 20 }],
      countries: [{ value: 'DE', visits: 20 }],
      sources: [{ value: 'Google', visits: 20 }],
      devices: [{ value: 'mobile' }],
      operating_systems: [{ value: 'iOS' }],
      left_out: { bot_events: 0 },
    });
  });

  test("Plausible's days keep their visitors, visits, views, bounces and duration", async () => {
    const folder = join(to.folder, 'plausible');
    await mkdir(folder);
    const table = async (name: string, lines: string[]) =>
      writeFile(join(folder, `imported_${name}_20260901_20260902.csv`), `${lines.join('\n')}\n`);
    await table('visitors', [
      '"date","visitors","pageviews","bounces","visits","visit_duration"',
      '"2026-09-01",119,304,77,134,21070',
      '"2026-09-02",166,325,117,180,21467',
    ]);
    await table('pages', [
      '"date","hostname","page","visits","visitors","pageviews"',
      '"2026-09-01","a.example","/",120,110,214',
      '"2026-09-01","a.example","/docs",70,60,90',
      '"2026-09-02","a.example","/",180,166,325',
    ]);
    await table('sources', [
      '"date","source","referrer","utm_source","utm_medium","utm_campaign","utm_content",' +
        '"utm_term","pageviews","visitors","visits","visit_duration","bounces"',
      '"2026-09-01","Google","google.com","","","","","",1,1,100,1,1',
      '"2026-09-01","letter","","","","","","",1,1,34,1,1',
    ]);
    const args = [folder, '--site', 'plausible', '--timezone', 'Europe/Berlin'];
    const imported = await to.run('import', args);
    expect(imported.stderr).toContain('2 days, all figures matched');
    expect(imported.stderr).toMatch(/makes up events[^]*629 stored/);
    expect(imported.code).toBe(0);
    await to.untilStored(629, 'plausible');
    const day = (date: string) =>
      to.get(
        `/analytics/dashboard/?site_id=plausible&period=custom&from=${date}&to=${date}` +
          '&timezone=Europe/Berlin',
      );
    const first = (await day('2026-09-01')) as {
      totals: { bounce_rate: number; visit_duration_mean: number };
    };
    expect(first).toMatchObject({
      totals: { visitors: 119, visits: 134, pageviews: 304 },
      pages: [
        { value: '/', pageviews: 214 },
        { value: '/docs', pageviews: 90 },
      ],
      sources: [
        { value: 'Google', visits: 100 },
        { value: 'letter', visits: 34 },
      ],
    });
    expect(first.totals.bounce_rate).toBeCloseTo((100 * 77) / 134, 6);
    expect(Math.abs(first.totals.visit_duration_mean - 21_070 / 134)).toBeLessThan(1);
    expect(await day('2026-09-02')).toMatchObject({
      totals: { visitors: 166, visits: 180, pageviews: 325 },
    });
    const again = await to.run('import', args);
    expect(again.stderr).toContain('0 stored, 629 duplicates');
  });

  test('a key that may not write aborts the import after at most one event', async () => {
    const reader = { name: 'reader', scopes: ['analytics:read'] };
    const { key } = (await to.post('/api/v1/api-keys', reader)) as { key: string };
    const file = join(to.folder, 'weak.ndjson');
    const now = new Date().toISOString();
    await writeFile(file, Array.from({ length: 100 }, () => line('weak', now)).join('\n'));
    const ended = await to.run('import', [file], { API_KEY: key });
    expect(ended.stderr).toContain('lacks the scope analytics:write');
    expect(ended.code).toBe(1);
    expect(await to.countStored('weak')).toBeLessThanOrEqual(1);
    const wrong = await to.run('import', [file], { API_KEY: 'wrong' });
    expect(wrong.stderr).toContain('does not accept the API key');
  });
});

describe('an interrupted import', () => {
  // Enough to take seconds on a fast machine, since the store lags behind the answers.
  const count = 80_000;
  let file: string;
  beforeAll(async () => {
    file = join(to.folder, 'many.ndjson');
    const lineOf = (n: number) =>
      line('many', new Date(Date.UTC(2026, 8, 1) + n * 1000).toISOString(), {
        pathname: `/p${n % 50}`,
        visitor_id: String(n % 5000).padStart(16, '1'),
        session_id: `s${n % 9000}`,
      });
    await writeFile(file, Array.from({ length: count }, (_, n) => lineOf(n)).join('\n'));
  });

  /** Starts the import, and resolves when the store has some of its events. */
  async function begin(site: string) {
    const command = to.command('import', [file, '--site', site]);
    await vi.waitFor(async () => expect(await to.countStored(site)).toBeGreaterThan(0), {
      timeout: 30_000,
      interval: 10,
    });
    return command;
  }

  test('loses and duplicates nothing when the service is killed', async () => {
    const { ended } = await begin('many');
    await to.kill();
    await to.start();
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Waiting for the service');
    await to.untilStored(count, 'many');
    expect((await to.rows('--site', 'many', '--columns', 'id')).size).toBe(count);
  }, 180_000);

  test('reports its position when interrupted, and resumes from there', async () => {
    const { child, ended } = await begin('halves');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(130);
    const position = Number(/--resume-from (\d+)/.exec(stderr)?.[1]);
    expect(position).toBeGreaterThan(1);
    expect(position).toBeLessThan(count);
    const args = [file, '--site', 'halves', '--resume-from', String(position)];
    const second = await to.run('import', args);
    expect(second.code, second.stderr).toBe(0);
    await to.untilStored(count, 'halves');
  }, 120_000);

  test('killed and run again from the start, stores the rest without duplicates', async () => {
    const { child, ended } = await begin('killed');
    child.kill('SIGKILL');
    await ended;
    expect(await to.countStored('killed')).toBeLessThan(count);
    const second = await to.run('import', [file, '--site', 'killed']);
    expect(second.code, second.stderr).toBe(0);
    await to.untilStored(count, 'killed');
    // The last progress line.
    const progress = second.stderr.replaceAll(',', '');
    const counts = [...progress.matchAll(/(\d+) stored (\d+) duplicates/g)].at(-1) ?? [];
    const [stored = 0, repeated = 0] = counts.slice(1).map(Number);
    expect(repeated).toBeGreaterThan(0);
    expect(stored + repeated).toBe(count);
  }, 120_000);
});

describe('an export', () => {
  test('leaves no complete-looking file when its service dies', async () => {
    const out = join(to.folder, 'broken.ndjson');
    const { ended } = to.command('export', ['--out', out]);
    await vi.waitFor(async () => expect(await readdir(to.folder)).toContain('broken.ndjson.part'), {
      timeout: 30_000,
      interval: 1,
    });
    await to.kill();
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toContain('is not complete');
    expect(await readdir(to.folder)).not.toContain('broken.ndjson');
  });

  test('without a service retries, and ends at once on SIGINT', async () => {
    await to.kill();
    const { child, ended, stderr } = to.command('export', ['--site', 'many']);
    await vi.waitFor(() => expect(stderr()).toContain('Not yet'), { timeout: 10_000 });
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(stderr()).toContain('could not be reached: connect ECONNREFUSED');
  });
});
