import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { unescaped } from '../../surfaces/pages/support.ts';
import { dayMs, hourMs as hour, minuteMs as minute } from '../../../src/lib/durations.ts';
import { request } from '../../support/client.ts';
import { openPages } from './page-app.ts';
import {
  component,
  daysWith,
  goodDay,
  incident,
  maintenance,
  noon,
  pastIncident,
  stateOf,
  unknownDays,
  update,
  veryBadDay,
} from './page-states.ts';

const wordsOf = (text: string): string =>
  unescaped(text.replace(/<(style|title|symbol)[^>]*>.*?<\/\1>/gs, ' ').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
const open = (app: FastifyInstance, url = '/status', headers: Record<string, string> = {}) =>
  request(app, { url, headers });
const show = async (
  state: Parameters<typeof stateOf>[0],
  options: { canSubscribe?: boolean } = {},
) => (await open(await openPages({ state: stateOf(state), ...options }))).text;
const headingsIn = (text: string): string =>
  [...text.matchAll(/<h[234][^>]*>(?:<a[^>]*>)?([^<]*)</g)].map(([, name]) => name).join(' | ');
const sectionOf = (text: string, id: string): string =>
  new RegExp(`<section id="${id}"[^>]*>([\\s\\S]*?)</section>`).exec(text)?.[1] ?? '(missing)';

describe('the status page', () => {
  it('shows the status in its title, its heading and a word beside each icon', async () => {
    const text = await show({
      indicator: 'major',
      description: 'Partial System Outage',
      components: [
        component('web', { name: 'Website' }),
        component('api', { name: 'API', status: 'major_outage' }),
        component('mail', { name: 'Mail', status: 'under_maintenance' }),
      ],
    });
    expect(text).toContain('<title>Partial system outage – Platform Service</title>');
    expect(text).toMatch(
      new RegExp(
        '<div class="banner major"[^>]*><h1><svg class="icon" aria-hidden="true">' +
          '<use href="/assets/icons.svg\\?v=\\w+#alert"/></svg>' +
          '<span>Partial system outage</span></h1>',
      ),
    );
    expect(wordsOf(text)).toMatch(
      /Website Operational .*API Major outage .*Mail Under maintenance/,
    );
    const icons = [
      ...text.matchAll(/<p class="state (\w+)"><svg[^>]*><use href="[^"]*#([\w-]+)"/g),
    ];
    expect(icons.map(([, tone, name]) => [tone, name])).toEqual([
      ['ok', 'success'],
      ['critical', 'error'],
      ['work', 'clock'],
    ]);
  });

  it('responds with and without a trailing slash, and 304 while unchanged', async () => {
    const shown = { state: goodDay() };
    const app = await openPages(shown);
    const first = await open(app);
    expect(first.status).toBe(200);
    expect((await open(app, '/status/')).text).toBe(first.text);
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=30, stale-while-revalidate=60',
      vary: 'accept-encoding',
    });
    for (const name of ['pragma', 'set-cookie']) expect(first.headers).not.toHaveProperty(name);
    const { etag } = first.headers;
    const unlessChanged = () => open(app, '/status', { 'if-none-match': String(etag) });
    expect(await unlessChanged()).toMatchObject({ status: 304, text: '', headers: { etag } });
    shown.state = { ...shown.state, description: 'Partially Degraded Service', indicator: 'minor' };
    expect(await unlessChanged()).toMatchObject({ status: 200 });
  });

  it('says when the components were last checked, or that they never were', async () => {
    const checked = { ...goodDay(), updatedAt: noon - 3 * hour, checkedAt: noon };
    expect((await open(await openPages({ state: checked }))).text).toContain(
      'Updated <time datetime="2026-11-22T12:00:00.000Z"',
    );
    const { text } = await open(await openPages({ state: { ...checked, checkedAt: null } }));
    expect(text).toContain('<p>Not checked yet</p>');
    expect(text).not.toContain('Updated <time');
  });

  it('runs only scripts of the service, and is readable without them', async () => {
    const app = await openPages({ state: veryBadDay() });
    const { headers, text } = await open(app);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self';/,
    );
    expect(text).not.toMatch(/\son\w+=|\sstyle=|<style/);
    const [own, handler] = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(own).toMatch(/^<script type="module" src="\/assets\/status\.[\dA-Z]{8}\.js">$/);
    expect(handler).toBe(
      '<script type="module" src="/global-message-handler.js" data-path="/ws/status/" ' +
        'data-channels="status">',
    );
    expect(text.replace(/<script.*<\/script>/g, '')).toContain('Requests fail');
    for (const [, url = ''] of text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      if (url.startsWith('/assets/icons.svg')) continue;
      expect((await open(app, url)).headers['cache-control'], url).toBe(
        'public, max-age=31536000, immutable',
      );
    }
  });

  it('escapes every text of an admin', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const updates = [update('identified', `${evil}\n\n${evil}`)];
    const mine = incident(evil, { components: ['x'], updates });
    const over = { from: noon - hour, to: noon, components: ['x'] };
    const state = stateOf({
      description: evil,
      components: [
        component('x', {
          name: evil,
          group: evil,
          description: evil,
          responseTimes: [{ at: noon, ms: 3 }],
          days: daysWith((back) => (back === 3 ? { worst: 'major_outage', ms: {} } : undefined)),
        }),
      ],
      incidents: [mine],
      maintenances: [maintenance(evil)],
      history: [pastIncident(evil, over, [evil, evil])],
    });
    const app = await openPages({ state, appName: evil });
    for (const url of [
      '/status',
      '/status/history',
      `/status/incidents/${mine.id}`,
      `/status/incidents/${encodeURIComponent(evil)}`,
    ]) {
      const { text } = await open(app, url);
      expect(text.includes('<img src=x'), url).toBe(false);
      expect(text.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*onerror/);
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
    }
  });

  it('shows open incidents with their updates, newest first, in paragraphs', async () => {
    const text = await show({
      components: [component('api', { name: 'HTTP API' })],
      incidents: [
        incident('Requests fail', {
          impact: 'critical',
          components: ['api', 'gone'],
          createdAt: noon - hour,
          updates: [
            update('identified', 'A store is cut off.\n\nWe move to another.', noon - 10 * minute),
            update('investigating', 'We look into it.', noon - hour),
          ],
        }),
      ],
    });
    expect(wordsOf(sectionOf(text, 'incidents'))).toBe(
      'Open incidents Requests fail Investigating Critical impact · Since Nov 22, 2026, ' +
        '11:00 UTC · Affects HTTP API Identified Nov 22, 2026, 11:50 UTC A store is cut ' +
        'off. We move to another. Investigating Nov 22, 2026, 11:00 UTC We look into it.',
    );
    expect(text).toContain('data-news="All systems operational. Requests fail: Investigating"');
    expect(sectionOf(text, 'incidents').match(/<p class="text">/g)).toHaveLength(3);
  });

  it('distinguishes running from planned maintenance', async () => {
    const text = await show({
      maintenances: [
        maintenance('Move', {
          status: 'in_progress',
          scheduledFor: noon - hour,
          scheduledUntil: noon + hour,
        }),
        maintenance('New version', {
          scheduledFor: noon + 11 * hour,
          scheduledUntil: noon + 14 * hour,
        }),
      ],
    });
    expect(wordsOf(sectionOf(text, 'running'))).toContain(
      'Maintenance in progress Move In progress Nov 22, 2026, 11:00 – 13:00 UTC',
    );
    expect(wordsOf(sectionOf(text, 'planned'))).toContain(
      'Scheduled maintenance New version Scheduled Nov 22, 2026, 23:00 UTC – ' +
        'Nov 23, 2026, 02:00 UTC',
    );
    expect(sectionOf(text, 'incidents')).toBe('');
  });

  it('has a calm page when there is no data yet', async () => {
    const text = await show({});
    expect(wordsOf(text)).toContain(
      'No components yet. Past incidents Nov 8 – 22, 2026 No incidents',
    );
    for (const id of ['incidents', 'running', 'planned']) expect(sectionOf(text, id)).toBe('');
    expect(
      wordsOf((await open(await openPages({ state: stateOf() }), '/status/history')).text),
    ).toContain('No incidents or maintenance in the last 90 days.');
  });

  it('groups components in order, and hides those shown only when degraded', async () => {
    const hidden = { onlyShowIfDegraded: true, position: 8 };
    const text = await show({
      components: [
        component('c', { name: 'C', group: 'Two', position: 3 }),
        component('b', { name: 'B', group: 'One', position: 2 }),
        component('z', { name: 'Z', position: 9 }),
        component('h', { ...hidden, name: 'Hidden' }),
        component('s', { ...hidden, name: 'Shown', group: 'One', status: 'partial_outage' }),
      ],
    });
    expect(headingsIn(sectionOf(text, 'components'))).toBe(
      'Components | Z | One | B | Shown | Two | C',
    );
  });

  it('offers email only when it is configured, and feeds always', async () => {
    expect(await show({})).toContain('method="post" action="/status/subscribe">');
    const without = await show({}, { canSubscribe: false });
    expect(without).not.toContain('action="/status/subscribe"');
    for (const feed of ['atom', 'rss', 'json'])
      expect(without).toContain(`<a href="/status/feed.${feed}">`);
  });
});

describe('the bars of a component', () => {
  const barsOf = (text: string): string => /<svg class="bars"[\s\S]*?<\/svg>/.exec(text)?.[0] ?? '';

  it('are one element for each run of uneventful days, and one for each bad day', async () => {
    const hurt = { partial_outage: 25 * minute, degraded_performance: 65 * minute };
    const days = daysWith((back) => {
      if (back >= 80) return { worst: 'no_data', ms: {} };
      if (back === 50) return { worst: 'partial_outage', ms: hurt };
      if (back !== 49) return undefined;
      return { worst: 'under_maintenance', ms: { under_maintenance: 120 * minute } };
    });
    const text = await show({
      components: [component('api', { name: 'API', days, uptime: 99.998 })],
    });
    const bars = barsOf(text);
    expect(
      [...bars.matchAll(/<path class="(\w+)" d="([^"]+)"/g)].map(([, tone, d]) => `${tone} ${d}`),
    ).toEqual([
      'none M0 17h100',
      'ok M100 17h290',
      'major M390 17h10',
      'work M400 17h10',
      'ok M410 17h490',
    ]);
    expect(bars).toContain('<title>Oct 3: Partial outage 25m · Degraded performance 1h 5m</title>');
    expect(bars).toContain('aria-label="90 days, 2 with problems"');
    expect(wordsOf(text)).toContain(
      '2 days with problems Days with problems: API Day Problems Oct 4, 2026 Under ' +
        'maintenance 2h Oct 3, ' +
        '2026 Partial outage 25m · Degraded performance 1h 5m',
    );
    expect(wordsOf(text)).toContain('99.99% uptime');
  });

  it('say when there were no problems or no data', async () => {
    expect(barsOf(await show({ components: [component('api')] }))).toContain(
      'aria-label="90 days, no problems"><path class="ok" d="M0 17h900"/></svg>',
    );
    const unknown = await show({
      components: [component('api', { uptime: null, days: unknownDays() })],
    });
    expect(wordsOf(unknown)).toContain('No data yet');
    expect(unknown).not.toContain('with problems<');
  });
});

describe('the chart of response times', () => {
  it('is a line with gaps for missing measurements, with its numbers in a table', async () => {
    const at = (hours: number, ms: number) => ({ at: noon - hours * hour, ms });
    const text = await show({
      components: [
        component('api', {
          name: 'API',
          responseTimes: [at(5, 10), at(4, 40), at(2, 20), at(0, 0.4)],
        }),
        component('x', { name: 'Not measured' }),
      ],
    });
    expect(
      /<svg class="chart" viewBox="([^"]*)"[^>]*><path d="([^"]*)"/.exec(text)?.slice(1),
    ).toEqual(['0 -2 5 44', 'M0 30l1-30M3 20l0 0M5 40l0 0']);
    expect(wordsOf(text)).toContain('Response time: mean 18 ms, max 40 ms');
    expect(wordsOf(text)).toContain(
      'Hourly mean in milliseconds Response times Hour API Nov 22, 12:00 0.4 ' +
        'Nov 22, 10:00 20 Nov 22, 08:00 40 Nov 22, 07:00 10',
    );
    expect(text).not.toMatch(/<th[^>]*>Not measured/);
  });
});

describe('the past incidents', () => {
  const over = (name: string, back: number, to = noon - back * dayMs + hour) =>
    pastIncident(name, { from: noon - back * dayMs, to });

  it('are listed by day, with quiet days folded', async () => {
    const text = await show({
      history: [
        over('Today', 0),
        over('Four days ago', 4),
        over('Long, and over lately', 20, noon - 2 * dayMs),
        over('Too long ago', 16),
      ],
    });
    expect(headingsIn(sectionOf(text, 'past'))).toBe(
      'Past incidents | Nov 22, 2026 | Today | Nov 21, 2026 | Nov 20, 2026 | ' +
        'Long, and over lately | Nov 19, 2026 | Nov 18, 2026 | Four days ago | ' +
        'Nov 8\u2009–\u200917, 2026',
    );
    expect(wordsOf(sectionOf(text, 'past'))).toContain(
      'Today Major impact · Nov 22, 2026, 12:00 – 13:00 UTC (1h) Resolved Well again. 1 ' +
        'earlier update',
    );
    expect(text).not.toContain('Too long ago');
  });

  it('do not call a day quiet that had an incident which is still open', async () => {
    const past = sectionOf(
      await show({ incidents: [incident('Still open', { createdAt: noon - 2 * dayMs })] }),
      'past',
    );
    expect(wordsOf(past)).toContain('Past incidents Nov 8 – 19, 2026 No incidents');
  });

  it('are listed for 90 days, by month, on their own page', async () => {
    const app = await openPages({
      state: stateOf({
        history: [over('In November', 4), over('Also in November', 5), over('In September', 60)],
      }),
    });
    const { text, headers } = await open(app, '/status/history/');
    expect(headingsIn(text)).toBe(
      'November 2026 | In November | Also in November | September 2026 | In September',
    );
    expect(headers['cache-control']).toContain('public');
    expect(text).not.toContain('<script');
  });
});

describe('the page of an incident', () => {
  it('has all updates, while it is open and afterwards', async () => {
    const now = incident('Now');
    const updates = [update('postmortem', 'It was a full disk.'), update('resolved', 'Over.')];
    const then = incident('Then', { status: 'postmortem', resolvedAt: noon, updates });
    const app = await openPages({ state: stateOf({ incidents: [now], history: [then] }) });
    expect(wordsOf((await open(app, `/status/incidents/${now.id}`)).text)).toContain(
      'Now Incident: Investigating',
    );
    const past = (await open(app, `/status/incidents/${then.id}/`)).text;
    expect(wordsOf(past)).toMatch(
      new RegExp(
        /Then Incident: Postmortem .* Postmortem Nov 22, 2026, 12:00 UTC /.source +
          /It was a full disk\. Resolved .* Over\./.source,
      ),
    );
    expect((await open(app)).text).toContain(`<a href="/status/incidents/${then.id}">Then</a>`);
  });

  it('is a 404 page that is not cached when the incident does not exist', async () => {
    const app = await openPages({ state: goodDay() });
    for (const id of ['018f0000-0000-7000-8000-999999999999', 'x', '%00', 'a'.repeat(400)]) {
      const answer = await open(app, `/status/incidents/${id}`);
      expect(answer).toMatchObject({
        status: 404,
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      });
      expect(wordsOf(answer.text)).toContain(
        'This incident doesn’t exist, or it’s older than 90 days. Go to status',
      );
    }
  });
});

/** The script that handles messages, as it is served. */
async function messageHandler(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../../src/web/messages/global-message-handler.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

it('the page with its files, compressed, has at most 25 KB, and 40 KB on a bad day', async () => {
  const app = await openPages({ state: goodDay() });
  const { text } = await open(app);
  const urls = [...text.matchAll(/(?:href|src)="(\/assets\/[^"#?]+)/g)].map(([, url = '']) => url);
  const shown = [...new Set(urls)].filter((url) => !url.endsWith('.woff2'));
  expect(shown.map((url) => url.replace(/\.[A-Z0-9]{8}\./, '.'))).toEqual([
    '/assets/icon.svg',
    '/assets/pages.css',
    '/assets/status.css',
    '/assets/status.js',
    '/assets/icons.svg',
  ]);
  const assets = await Promise.all(shown.map(async (url) => (await open(app, url)).text));
  const files = [...assets, await messageHandler()];
  const sizesWith = (page: string) => [page, ...files].map((text) => gzipSync(text).length);
  const sum = (sizes: readonly number[]) => sizes.reduce((all, each) => all + each, 0);
  const good = sizesWith(text);
  expect(sum(good), good.join(' + ')).toBeLessThanOrEqual(25 * 1024);
  const bad = (await open(await openPages({ state: veryBadDay() }))).text;
  expect(sum(sizesWith(bad))).toBeLessThan(40 * 1024);
  expect(bad.length).toBeGreaterThan(100_000);
});
