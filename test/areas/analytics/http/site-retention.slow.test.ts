import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { retentionStart } from '../../../../src/areas/analytics/sites/retention-job.ts';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, openIngest } from './ingest-client.ts';

const dayMs = 86_400_000;
const dirs: string[] = [];
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))));

const event = (site: string, days: number, more: object = {}) => ({
  event: 'pageview',
  url: `/${days}`,
  site_id: site,
  timestamp: Date.now() - days * dayMs,
  user_id: 'ann',
  ...more,
});
const paths = async (client: IngestClient, site: string) =>
  (await client.rows(site))
    .map(({ pathname }) => String(pathname))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
const totals = async (client: IngestClient, site: string) =>
  (await client.figures(site, '&period=12mo')).totals;

it('the daily job deletes exactly the events past the retention of their site', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'test-app-'));
  dirs.push(dataDir);
  const first = await openIngest({ dataDir });
  const { databaseUrl } = first.app;
  const sent = ['short', 'long', 'forever'].flatMap((site) =>
    [400, 100, 31.5, 28, 0].map((days) => event(site, days)),
  );
  await first.store(batch, { events: sent }, asAdmin);
  for (const [site, days] of [
    ['short', 30],
    ['long', 365],
  ] as const)
    await first.ask('PATCH', `/analytics/sites/${site}`, asAdmin, { retention_days: days });
  expect(await paths(first, 'short')).toHaveLength(5);
  await first.app.services.queues.start();
  await vi.waitFor(
    async () => expect(await paths(first, 'long')).toEqual(['/0', '/28', '/31.5', '/100']),
    { timeout: 20_000, interval: 100 },
  );
  await vi.waitFor(async () => expect(await paths(first, 'short')).toEqual(['/0', '/28']), {
    timeout: 20_000,
    interval: 100,
  });
  expect(await paths(first, 'forever')).toHaveLength(5);
  expect(await totals(first, 'short')).toMatchObject({ visits: 2, visitors: 1, pageviews: 2 });
  expect(first.app.log()).toContain('events older than their site keeps them were deleted');
  await first.close();

  const second = await openIngest({ dataDir, databaseUrl });
  expect(
    [await paths(second, 'short'), await paths(second, 'long'), await paths(second, 'forever')].map(
      (list) => list.length,
    ),
  ).toEqual([2, 4, 5]);
  expect(await totals(second, 'short')).toMatchObject({ visits: 2, visitors: 1, pageviews: 2 });
  expect((await second.ask('GET', '/analytics/sites/short', asAdmin)).body.settings).toMatchObject({
    retention_days: 30,
  });
  // The site keeps working, and a visitor of deleted days counts as any other.
  await second.store(batch, { events: [event('short', 1)] }, asAdmin);
  await second.app.applied();
  expect(await totals(second, 'short')).toMatchObject({ visits: 3, visitors: 1, pageviews: 3 });
  await second.close();
}, 120_000);

it('retention keeps whole days, at least as many as the site asks for', () => {
  const noon = Date.UTC(2026, 4, 4, 12);
  expect(retentionStart(noon, 30)).toBe(Date.UTC(2026, 3, 4));
  expect(retentionStart(Date.UTC(2026, 4, 4), 30)).toBe(Date.UTC(2026, 3, 4));
});
