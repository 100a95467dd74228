import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { retentionStart } from '../../../../src/areas/analytics/sites/jobs.ts';
import { dayMs } from '../../../../src/lib/durations.ts';
import { freshApp } from '../../../support/app.ts';
import { Analytics, view } from '../support.ts';

const event = (site: string, days: number) =>
  view(site, { url: `/${days}`, timestamp: Date.now() - days * dayMs, user_id: 'ann' });
const paths = async (analytics: Analytics, site: string) =>
  (await analytics.rows(site))
    .map(({ pathname }) => String(pathname))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
const totals = async (analytics: Analytics, site: string) =>
  (await analytics.figures(site, '&period=12mo')).totals;

it('the daily job deletes exactly the events past the retention of their site', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'test-app-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const app = await freshApp({ dataDir });
  const first = new Analytics(app);
  await first.fill(
    ...['short', 'long', 'forever'].flatMap((site) =>
      [400, 100, 31.5, 28, 0].map((days) => event(site, days)),
    ),
  );
  await first.admin.patch('/analytics/sites/short', { retention_days: 30 });
  await first.admin.patch('/analytics/sites/long', { retention_days: 365 });
  expect(await paths(first, 'short')).toHaveLength(5);
  await app.services.queues.start();
  for (const [site, kept] of [
    ['long', ['/0', '/28', '/31.5', '/100']],
    ['short', ['/0', '/28']],
  ] as const)
    await vi.waitFor(async () => expect(await paths(first, site)).toEqual(kept), {
      timeout: 20_000,
      interval: 100,
    });
  expect(await paths(first, 'forever')).toHaveLength(5);
  expect(await totals(first, 'short')).toMatchObject({ visits: 2, visitors: 1, pageviews: 2 });
  expect(app.log()).toContain('expired events of a site were deleted');
  await app.close();

  const again = await freshApp({ dataDir, databaseUrl: app.databaseUrl });
  const second = new Analytics(again);
  expect(await paths(second, 'short')).toHaveLength(2);
  expect(await paths(second, 'long')).toHaveLength(4);
  expect(await paths(second, 'forever')).toHaveLength(5);
  expect(await totals(second, 'short')).toMatchObject({ visits: 2, visitors: 1, pageviews: 2 });
  expect((await second.admin.get('/analytics/sites/short')).body.settings).toMatchObject({
    retention_days: 30,
  });
  // The site keeps working, and a visitor of deleted days counts like any other.
  await second.fill(event('short', 1));
  expect(await totals(second, 'short')).toMatchObject({ visits: 3, visitors: 1, pageviews: 3 });
  await again.close();
}, 120_000);

it('retention keeps whole days, at least as many as the site asks for', () => {
  const noon = Date.UTC(2026, 4, 4, 12);
  expect(retentionStart(noon, 30)).toBe(Date.UTC(2026, 3, 4));
  expect(retentionStart(Date.UTC(2026, 4, 4), 30)).toBe(Date.UTC(2026, 3, 4));
});
