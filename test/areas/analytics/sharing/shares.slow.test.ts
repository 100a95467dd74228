import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { hasBrowser, useBrowser } from '../../../support/browser/browser.ts';
import { documentFaults, viewFaults } from '../../../support/browser/views.ts';
import { batch, type IngestClient, newSite, openIngest } from '../http/ingest-client.ts';

const site = newSite();

async function sharePath(client: IngestClient, body: object = {}): Promise<string> {
  const { text, body: made } = await client.ask(
    'POST',
    `/analytics/sites/${site}/shares`,
    asAdmin,
    { name: 'The agency', ...body },
  );
  if (made.url === undefined) throw new Error(text);
  return new URL(String(made.url)).pathname;
}

describe('a password', () => {
  let client: IngestClient;
  beforeAll(async () => {
    client = await openIngest();
    await client.store(
      batch,
      { events: [{ event: 'pageview', url: '/', site_id: site }] },
      asAdmin,
    );
  });
  afterAll(() => client.close());
  const enter = (url: string, password: string, remoteAddress: string) =>
    client.app.http.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      payload: new URLSearchParams({ password }).toString(),
    });

  it('may be tried ten times in a row; then the client is locked out of the link', async () => {
    const [path, another] = [
      await sharePath(client, { password: 'correct horse' }),
      await sharePath(client, { password: 'correct horse' }),
    ];
    // Sent concurrently: attempts have to be counted before the password is checked.
    const statuses = (
      await Promise.all(
        Array.from({ length: 14 }, (_, at) => enter(path, `wrong ${at}`, `2001:db8::${at}`)),
      )
    ).map(({ statusCode }) => statusCode);
    expect({
      first: statuses.filter((status) => status === 403).length,
      second: statuses.filter((status) => status === 429).length,
    }).toEqual({ first: 10, second: 4 });
    const locked = await enter(path, 'correct horse', '2001:db8::99');
    expect({
      status: locked.statusCode,
      'set-cookie': locked.headers['set-cookie'],
      saysWhen: Number(locked.headers['retry-after']) > 800,
      includesWait15Minutes: locked.body.includes('Wait 15 minutes'),
    }).toEqual({
      status: 429,
      'set-cookie': undefined,
      saysWhen: true,
      includesWait15Minutes: true,
    });
    expect({
      pathStatus: (await enter(path, 'correct horse', '203.0.113.77')).statusCode,
      anotherStatus: (await enter(another, 'correct horse', '2001:db8::99')).statusCode,
    }).toEqual({ pathStatus: 303, anotherStatus: 303 });
  }, 60_000);

  it('that is right resets the count of wrong ones', async () => {
    const path = await sharePath(client, { password: 'correct horse' });
    for (const round of [1, 2]) {
      for (let tries = 0; tries < 9; tries += 1)
        expect({ round, status: (await enter(path, 'wrong', '203.0.113.78')).statusCode }).toEqual({
          round,
          status: 403,
        });
      expect((await enter(path, 'correct horse', '203.0.113.78')).statusCode).toBe(303);
    }
  }, 60_000);
});

describe.skipIf(!hasBrowser)('a share link in a real browser', () => {
  let client: IngestClient;
  const server = { origin: '' };

  beforeAll(async () => {
    client = await openIngest();
    const view = (at: number) => ({
      event: 'pageview',
      url: `https://example.org/${'a-long-path-that-has-no-end/'.repeat(at % 4)}${at}`,
      site_id: site,
      user_id: `person ${at % 7}`,
      timestamp: Date.now() - at * 5 * 3_600_000,
      referrer: 'https://www.google.com/',
    });
    await client.store(
      batch,
      {
        events: [...Array.from({ length: 60 }, (_, at) => view(at)), { ...view(1), event: 'buy' }],
      },
      asAdmin,
    );
    await client.app.applied();
    await client.app.http.listen({ host: '127.0.0.1', port: 0 });
    server.origin = `http://127.0.0.1:${(client.app.http.server.address() as AddressInfo).port}`;
  });
  afterAll(() => client.close());
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
    const page = await browser.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.goto(`${await sharePath(client, { password: 'correct horse' })}?period=7d`);
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
    await page.getByRole('link', { name: '12 months' }).click();
    expect(await page.getByRole('link', { name: '12 months' }).getAttribute('aria-current')).toBe(
      'page',
    );
    await page.goto(`${page.url()}&filter=device:is:Fridge`);
    await expectGood(page, 'empty');
    await page.goto('/share/nowhere');
    await expectGood(page, 'unknown');
    expect(scripts).toEqual([]);
  }, 120_000);

  it('is complete without scripts', async () => {
    const page = await browser.open(await sharePath(client), { javaScriptEnabled: false });
    expect(await page.getByRole('table', { name: 'Sources' }).innerText()).toContain('Google');
    const days = page.getByRole('table', { name: 'Visitors and page views by day' });
    expect({
      isChartShown: await page.locator('#series-chart svg[role=img]').isVisible(),
      count: await days.count(),
    }).toEqual({ isChartShown: true, count: 0 });
    await page.getByText('View data').click();
    expect(await days.locator('tbody tr').count()).toBe(30);
  });
});
