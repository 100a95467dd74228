import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteOptions } from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createMisroutedCounter } from '../../src/areas/analytics/misrouted-counter.ts';
import { minuteMs } from '../../src/lib/durations.ts';
import { methodsOf } from '../contract/sweep/routes.ts';
import { asAdmin, browser, freshApp } from '../support/app.ts';
import { nfcClient } from '../areas/nfc/support.ts';
import { TestClient } from '../support/client.ts';

const operations = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

/** The paths of the table, of haproxy's example and of nginx's pattern. */
function documentedPaths() {
  const [, section = ''] = operations.split('### One replica for analytics');
  const rows = [...section.matchAll(/^\| `(\/[^`]+)` +\|/gm)].map(([, path = '']) => path);
  const rules = [...section.matchAll(/acl figures path_beg (.+)/g)];
  const nginx = /location ~ \^\/\(([^)]+)\)/.exec(section)?.[1] ?? '';
  return {
    table: rows,
    haproxy: rules.flatMap(([, paths = '']) => paths.trim().split(' ')),
    nginx: nginx.split('|').map((path) => `/${path}`),
  };
}
const { table, haproxy, nginx } = documentedPaths();
const isRouted = (url: string): boolean => table.some((path) => url.startsWith(path));

const ids = { site: 'shop', code: '', qr: '', tag: '', tagCode: '', funnel: '' };
const app = await freshApp({ env: { ANALYTICS: 'off' } });
const admin = new TestClient(app).as(asAdmin).as({ 'user-agent': browser });
await admin.post('/analytics/sites', { site_id: ids.site });
const qr = await admin.post('/api/v1/qr-codes', { name: 'q', url: 'https://example.com/' });
const tag = await nfcClient(app).create({
  chip: 'ntag213',
  mode: 'plain',
  action: 'redirect',
  target: 'https://example.com/',
});
[ids.code, ids.qr] = [String(qr.body.code), String(qr.body.id)];
[ids.tagCode, ids.tag] = [tag.code, tag.id];

const misrouted = () => {
  const { events, scans_and_taps: links, queries } = app.services.misrouted.figures();
  return { events, links, queries };
};
const count = () => Object.values(misrouted()).reduce((sum, each) => sum + each, 0);

/** A request of a route for records that exist. */
function urlOf({ url }: RouteOptions): string {
  const id = url.startsWith('/api/v1/nfc') ? ids.tag : ids.qr;
  const code = url.startsWith('/n/') ? ids.tagCode : ids.code;
  return url
    .replace(':site_id', ids.site)
    .replace(':code', code)
    .replace(/:\w+/g, id)
    .replace('*', 'x');
}

describe('a replica without the event store', () => {
  it('redirects people who scan or tap, and says that the scan was lost', async () => {
    const before = misrouted();
    for (const url of [`/q/${ids.code}?qr=1`, `/q/${ids.code}`, `/n/${ids.tagCode}`])
      expect(await new TestClient(app).as({ 'user-agent': browser }).get(url)).toMatchObject({
        status: 302,
        headers: { location: 'https://example.com/' },
      });
    expect(misrouted()).toEqual({ ...before, links: before.links + 3 });
    const event = { event: 'pageview', url: '/', site_id: ids.site };
    expect(await admin.post('/analytics/track/', event)).toMatchObject({ status: 503 });
    await admin.get(`/analytics/pixel.gif?site=${ids.site}&page=/`);
    expect(misrouted().events).toBe(before.events + 2);
    expect(await admin.get(`/analytics/dashboard/?site_id=${ids.site}`)).toMatchObject({
      status: 503,
    });
    expect(misrouted().queries).toBeGreaterThan(before.queries);
  });

  it('gets none of them behind the documented balancer, which all examples agree on', async () => {
    expect(haproxy).toEqual(table);
    expect(nginx).toEqual(table);
    const asked: string[] = [];
    const leaking: string[] = [];
    const routes = app.http.registeredRoutes.filter((route) => methodsOf(route).includes('GET'));
    for (const route of routes) {
      if (route.websocket === true || route.url.startsWith('/ws')) continue;
      const before = count();
      const url = urlOf(route);
      await admin.get(url);
      if (url.startsWith('/analytics')) await admin.get(`${url}?site_id=${ids.site}`);
      if (count() === before) continue;
      (isRouted(route.url) ? asked : leaking).push(route.url);
    }
    expect(leaking).toEqual([]);
    const found = (prefix: string) => asked.some((url) => url.startsWith(prefix));
    for (const prefix of ['/analytics', '/q/', '/n/', '/api/v1/qr-codes'])
      expect(found(prefix), `${prefix} among ${asked.join(' ')}`).toBe(true);
  }, 60_000);

  it('warns in its health, which only admins see in detail', async () => {
    await admin.get(`/n/${ids.tagCode}`);
    await expect
      .poll(async () => JSON.stringify((await admin.get('/api/health')).body), { timeout: 9000 })
      .toMatch(/analytics:misrouted.*scans and taps were lost/);
    expect((await new TestClient(app).get('/api/health')).text).not.toContain('scans');
  }, 15_000);
});

it('logs misrouted requests once a minute with their counts, however many there are', () => {
  const lines: string[] = [];
  const clock = { at: 0, now: () => clock.at };
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const misroutedHere = createMisroutedCounter({ clock, logger });
  for (let at = 0; at < 1000; at += 1) misroutedHere.note('link');
  expect(lines).toHaveLength(1);
  clock.at = minuteMs;
  misroutedHere.note('query');
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ scans_and_taps: 999, queries: 1, events: 0 });
  expect(misroutedHere.figures()).toEqual({
    scans_and_taps: 1000,
    queries: 1,
    events: 0,
    isRecent: true,
  });
  clock.at = 11 * minuteMs;
  expect(misroutedHere.figures().isRecent).toBe(false);
  expect(lines).toHaveLength(2);
});
