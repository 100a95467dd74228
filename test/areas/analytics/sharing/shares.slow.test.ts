import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { hourMs } from '../../../../src/lib/durations.ts';
import { atOnce } from '../../../support/abuse-tables.ts';
import { hasBrowser, useBrowser } from '../../../support/browser/browser.ts';
import { documentFaults, viewFaults } from '../../../support/browser/views.ts';
import { listen } from '../../../support/sockets.ts';
import { it } from '../../../support/test.ts';
import { newSite, useSharedAnalytics, view } from '../support.ts';

const analytics = await useSharedAnalytics();
const site = newSite();

const event = (at: number, more: object = {}) =>
  view(site, {
    url: `https://example.org/${'a-long-path-that-has-no-end/'.repeat(at % 4)}${at}`,
    user_id: `person ${at % 7}`,
    timestamp: Date.now() - at * 5 * hourMs,
    referrer: 'https://www.google.com/',
    ...more,
  });
await analytics.fill(
  ...Array.from({ length: 60 }, (_, at) => event(at)),
  event(1, { event: 'buy' }),
);

describe('the password of a share link', () => {
  const newPath = async () =>
    (await analytics.createShare(site, { password: 'correct horse' })).path;
  const enter = (path: string, password: string, from: string) =>
    analytics.tracker.form(path, { password }, { from });

  it('may be tried ten times in a row; then the client is locked out of the link', async () => {
    const [path, another] = [await newPath(), await newPath()];
    // Sent concurrently: attempts have to be counted before the password is checked.
    let tries = 0;
    const statuses = await atOnce(14, () => enter(path, 'wrong', `2001:db8::${(tries += 1)}`));
    expect(statuses).toEqual([
      ...Array.from({ length: 10 }, () => 403),
      ...Array.from({ length: 4 }, () => 429),
    ]);
    const locked = await enter(path, 'correct horse', '2001:db8::99');
    expect(locked).toMatchObject({
      status: 429,
      text: expect.stringContaining('Wait 15 minutes') as string,
    });
    expect(locked.headers['set-cookie']).toBeUndefined();
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(800);
    expect(await enter(path, 'correct horse', '203.0.113.77')).toMatchObject({ status: 303 });
    expect(await enter(another, 'correct horse', '2001:db8::99')).toMatchObject({ status: 303 });
  }, 60_000);

  it('that is right resets the count of wrong ones', async () => {
    const path = await newPath();
    for (const round of [1, 2]) {
      for (let tries = 0; tries < 9; tries += 1)
        expect((await enter(path, 'wrong', '203.0.113.78')).status, `round ${round}`).toBe(403);
      expect((await enter(path, 'correct horse', '203.0.113.78')).status).toBe(303);
    }
  }, 60_000);
});

describe.skipIf(!hasBrowser)('a share link in a real browser', () => {
  const server = { origin: '' };
  beforeAll(async () => {
    server.origin = `http://127.0.0.1:${await listen(analytics.app)}`;
  });
  const browser = useBrowser({
    at: server,
    // Wrong passwords and unknown links are refused, and the form of the password has no field for
    // a user name.
    expected: /status of 40[34]|should have \(optionally hidden\) username/,
  });

  async function expectGood(page: Page, name: string): Promise<void> {
    expect(await viewFaults(page, { picture: `share-${name}` }), name).toEqual([]);
    expect(await documentFaults(page), name).toEqual([]);
  }

  it('is accessible, valid and fits: form, wrong password, figures, empty, unknown', async () => {
    const { path } = await analytics.createShare(site, { password: 'correct horse' });
    const page = await browser.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.goto(`${path}?period=7d`);
    await expectGood(page, 'form');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong password').waitFor();
    await expectGood(page, 'wrong');
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'View figures' }).click();
    await page.getByRole('heading', { level: 1, name: site }).waitFor();
    // With the data of the chart, which is in `details`.
    await expectGood(page, 'figures');
    const months = page.getByRole('link', { name: '12 months' });
    await months.click();
    expect(await months.getAttribute('aria-current')).toBe('page');
    await page.goto(`${page.url()}&filter=device:is:Fridge`);
    await expectGood(page, 'empty');
    await page.goto('/share/nowhere');
    await expectGood(page, 'unknown');
    expect(scripts.filter((url) => !url.includes('/assets/chart.'))).toEqual([]);
  }, 120_000);

  it('is complete without scripts', async () => {
    const { path } = await analytics.createShare(site);
    const page = await browser.open(path, { javaScriptEnabled: false });
    expect(await page.getByRole('table', { name: 'Sources' }).innerText()).toContain('Google');
    const days = page.getByRole('table', { name: 'Visitors and page views by day' });
    expect(await page.locator('#series-chart svg[role=img]').isVisible()).toBe(true);
    expect(await days.count()).toBe(0);
    await page.getByText('View data').click();
    expect(await days.locator('tbody tr').count()).toBe(30);
  });
});
