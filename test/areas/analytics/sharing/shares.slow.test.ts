import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { HtmlValidate } from 'html-validate';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { axeViolations } from '../../../support/axe.ts';
import { findChromium } from '../../../surfaces/pages/chromium.ts';
import { batch, type IngestClient, newSite, openIngest } from '../http/ingest-client.ts';

const program = findChromium();
if (program === undefined)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): ' +
      'the browser tests of share links are left out.\n',
  );

/** Directory for screenshots of the pages, for manual review. */
const shots = process.env.SHOTS;
const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: { 'no-trailing-whitespace': 'off', 'void-style': 'off', 'attribute-boolean-style': 'off' },
});
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
    expect([
      statuses.filter((status) => status === 403).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([10, 4]);
    const locked = await enter(path, 'correct horse', '2001:db8::99');
    expect([
      locked.statusCode,
      locked.headers['set-cookie'],
      Number(locked.headers['retry-after']) > 800,
      locked.body.includes('Wait 15 minutes'),
    ]).toEqual([429, undefined, true, true]);
    expect([
      (await enter(path, 'correct horse', '203.0.113.77')).statusCode,
      (await enter(another, 'correct horse', '2001:db8::99')).statusCode,
    ]).toEqual([303, 303]);
  }, 60_000);

  it('that is right resets the count of wrong ones', async () => {
    const path = await sharePath(client, { password: 'correct horse' });
    for (const round of [1, 2]) {
      for (let tries = 0; tries < 9; tries += 1)
        expect([round, (await enter(path, 'wrong', '203.0.113.78')).statusCode]).toEqual([
          round,
          403,
        ]);
      expect((await enter(path, 'correct horse', '203.0.113.78')).statusCode).toBe(303);
    }
  }, 60_000);
});

describe.skipIf(program === undefined)('a share link in a real browser', () => {
  let client: IngestClient;
  let browser: Browser;
  let origin = '';
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];

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
    origin = `http://127.0.0.1:${(client.app.http.server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
    if (shots !== undefined) await mkdir(shots, { recursive: true });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await client.close();
  });
  beforeEach(() => {
    problems.length = 0;
    return async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      // The 403 and 404 pages are intended, and the password form has no username field for
      // Chromium to pair with the password.
      expect(
        problems
          .filter(
            (text) => !/status of 40[34]|should have \(optionally hidden\) username/.test(text),
          )
          .join('\n'),
      ).toBe('');
    };
  });

  async function visit(
    path: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Page> {
    const context = await browser.newContext(options);
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) problems.push(`outside: ${request.url()}`);
      if (request.resourceType() === 'script') problems.push(`script: ${request.url()}`);
    });
    await page.goto(origin + path);
    return page;
  }

  /** Returns the flaws of the page: serialised markup, accessibility and width. */
  async function findings(page: Page, name: string): Promise<string[]> {
    const violations = await axeViolations(page);
    const report = await validator.validateString(await page.content());
    const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
    return [
      ...violations,
      ...report.results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${ruleId} ${message} ${line}`),
      ),
      ...(width > 0 ? [`${width} px too wide`] : []),
    ];
  }

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it.each([1280, 320])(
      'at %i px is accessible, valid and fits: form, wrong password, figures, empty, unknown',
      async (width) => {
        const name = (page: string) => `share-${page}-${colorScheme}-${width}`;
        const page = await visit(
          `${await sharePath(client, { password: 'correct horse' })}?period=7d`,
          { colorScheme, viewport: { width, height: 900 } },
        );
        expect(await findings(page, name('form'))).toEqual([]);
        await page.getByLabel('Password').fill('wrong');
        await page.keyboard.press('Enter');
        await page.getByText('Wrong password').waitFor();
        expect(await findings(page, name('wrong'))).toEqual([]);
        await page.getByLabel('Password').fill('correct horse');
        await page.getByRole('button', { name: 'View figures' }).click();
        await page.getByRole('heading', { level: 1, name: site }).waitFor();
        expect(await findings(page, name('figures'))).toEqual([]);
        await page.getByText('View data').click();
        expect(await findings(page, name('data'))).toEqual([]);
        await page.getByRole('link', { name: '12 months' }).click();
        expect(
          await page.getByRole('link', { name: '12 months' }).getAttribute('aria-current'),
        ).toBe('page');
        await page.goto(`${page.url()}&filter=device:is:Fridge`);
        expect(await findings(page, name('empty'))).toEqual([]);
        await page.goto(`${origin}/share/nowhere`);
        expect(await findings(page, name('unknown'))).toEqual([]);
      },
      120_000,
    );
  });

  it('is complete without scripts', async () => {
    const page = await visit(await sharePath(client), { javaScriptEnabled: false });
    expect(await page.getByRole('table', { name: 'Sources' }).innerText()).toContain('Google');
    const days = page.getByRole('table', { name: 'Visitors and page views by day' });
    expect([
      await page.locator('#series-chart svg[role=img]').isVisible(),
      await days.count(),
    ]).toEqual([true, 0]);
    await page.getByText('View data').click();
    expect(await days.locator('tbody tr').count()).toBe(30);
  });
});
