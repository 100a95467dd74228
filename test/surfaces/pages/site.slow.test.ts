import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { HtmlValidate } from 'html-validate/node';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { freePort } from '../../support/redis-server.ts';
import { findChromium } from './chromium.ts';

const program = findChromium();
if (program === undefined)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): the browser tests of the site ' +
      'are left out.\n',
  );

/** The folder of screenshots, for review by eye. */
const screenshotFolder = process.env.SHOTS;

const pages = [
  '/',
  '/install',
  '/docs',
  '/privacy',
  '/terms',
  '/data-policy',
  '/cmyk/',
  '/cmyk/docs/',
  '/contact',
  '/signup',
  '/waitlist',
  '/waitlist/status',
  '/nowhere',
];

describe.skipIf(program === undefined)('the site in a real browser', () => {
  let app: FreshApp;
  let browser: Browser;
  let origin = '';
  const contexts: BrowserContext[] = [];
  const browserErrors: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    app = await freshApp({
      env: {
        BASE_URL: origin,
        CONTACT_EMAIL: 'help@example.com',
        LEGAL_NAME: 'Example Ltd',
        LEGAL_ADDRESS: '1 Some Street, Somewhere',
      },
    });
    await app.http.listen({ port, host: '127.0.0.1' });
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
    if (screenshotFolder !== undefined) await mkdir(screenshotFolder, { recursive: true });
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });
  beforeEach(() => {
    browserErrors.length = 0;
    return async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      expect(browserErrors).toEqual([]);
    };
  });

  async function newPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext(options);
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => browserErrors.push(message.text()));
    page.on('pageerror', (error) => browserErrors.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`)) browserErrors.push(request.url());
    });
    return page;
  }

  async function open(page: Page, path: string): Promise<void> {
    const answer = await page.goto(origin + path);
    expect([path, answer?.status()]).toEqual([path, path === '/nowhere' ? 404 : 200]);
    if (path === '/nowhere')
      browserErrors.splice(
        0,
        browserErrors.length,
        ...browserErrors.filter((text) => !text.includes('status of 404')),
      );
  }

  it.each([
    ['light', 1280],
    ['light', 320],
    ['dark', 1280],
    ['dark', 320],
  ] as const)(
    'passes axe and fits, %s at %i px',
    async (colorScheme, width) => {
      const page = await newPage({ colorScheme, viewport: { width, height: 900 } });
      for (const path of pages) {
        await open(page, path);
        expect([path, await axeViolations(page)]).toEqual([path, []]);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
          path,
          width,
        ]);
        const name = `${path.replaceAll('/', '-').replace(/^-|-$/g, '') || 'home'}-${colorScheme}`;
        if (screenshotFolder !== undefined)
          await page.screenshot({
            path: `${screenshotFolder}/${name}-${width}.png`,
            fullPage: true,
          });
        if (screenshotFolder === undefined || width === 1280) continue;
        await page.setViewportSize({ width: 360, height: 780 });
        await page.screenshot({ path: `${screenshotFolder}/${name}-360.png`, fullPage: true });
        await page.setViewportSize({ width, height: 900 });
      }
    },
    120_000,
  );

  it('forms with errors pass axe and fit, and the errors leave room for their labels', async () => {
    const page = await newPage({ viewport: { width: 320, height: 900 } });
    for (const path of ['/contact', '/signup', '/waitlist']) {
      await open(page, path);
      await page.evaluate('document.querySelector("main form").noValidate = true');
      await page.fill('#email', 'nonsense');
      const answered = page.waitForEvent('load');
      await page.click('main button[type=submit]');
      await answered;
      expect([path, await page.locator('#email-error').innerText()]).toEqual([
        path,
        'Enter an email address like name@example.com.',
      ]);
      expect([path, await axeViolations(page)]).toEqual([path, []]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        path,
        320,
      ]);
      const label = await page.locator('label[for=consent]').all();
      for (const each of label)
        expect((await each.boundingBox())?.width ?? 0, path).toBeGreaterThan(200);
    }
    const refused = browserErrors.splice(0);
    expect(refused.filter((text) => !text.includes('status of 422'))).toEqual([]);
  }, 240_000);

  it('is valid HTML', async () => {
    const validator = new HtmlValidate({ root: true, extends: ['html-validate:recommended'] });
    for (const path of pages) {
      const text = await (await fetch(origin + path, { headers: { accept: 'text/html' } })).text();
      const { results } = await validator.validateString(text, path);
      expect(
        results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line }) => `${path}:${line} ${ruleId}: ${message}`),
        ),
      ).toEqual([]);
    }
  }, 240_000);

  it('copies code', async () => {
    const page = await newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    for (const path of ['/', '/install', '/cmyk/docs/']) {
      await open(page, path);
      const figure = page.locator('figure.snippet').first();
      await figure.getByRole('button', { name: 'Copy' }).click();
      await figure.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await figure.locator('pre').textContent(),
      );
      expect(await page.locator('figure.snippet').count()).toBe(
        await page.getByRole('button', { name: /Copy|Copied/ }).count(),
      );
    }
  });

  it('lets the keyboard skip the menu, and wraps wide code', async () => {
    const page = await newPage({ viewport: { width: 320, height: 900 } });
    await open(page, '/install');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    expect(
      await page.evaluate('document.activeElement.getBoundingClientRect().top'),
    ).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("pre")].filter((each) => each.scrollWidth > ' +
          'each.clientWidth).length',
      ),
    ).toBe(0);
  });

  it('prints completely, without menus', async () => {
    const page = await newPage({ colorScheme: 'dark' });
    await open(page, '/install');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('nav:visible').count()).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    expect(await page.evaluate('document.querySelector("main").clientWidth')).toBeGreaterThan(1000);
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("pre")].every((each) => each.scrollWidth <= ' +
          'each.clientWidth)',
      ),
    ).toBe(true);
    if (screenshotFolder !== undefined)
      await page.screenshot({ path: `${screenshotFolder}/install-print.png`, fullPage: true });
  });

  it('has no dead links', async () => {
    const page = await newPage();
    const known = new Set<string>();
    for (const path of pages) {
      await open(page, path);
      const links = await page.evaluate<string[]>('[...document.links].map(({ href }) => href)');
      const dead = await page.evaluate<string[]>(
        '[...document.links].filter(({ hash, pathname }) => hash !== "" && pathname === ' +
          'location.pathname && document.getElementById(hash.slice(1)) === null).map(({ href }) ' +
          '=> href)',
      );
      expect(dead).toEqual([]);
      for (const href of links.filter(
        (each) => each.startsWith(origin) && !each.startsWith(`${page.url()}#`),
      ))
        known.add(href);
    }
    for (const href of known) {
      const { status } = await fetch(href, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
      });
      expect([href, status === 303 && href.endsWith('/account') ? 200 : status]).toEqual([
        href,
        200,
      ]);
    }
    expect(known.size).toBeGreaterThan(20);
  }, 240_000);

  it('counts and connects a page of another site with the scripts of /install', async () => {
    const page = await newPage();
    await open(page, '/install');
    const [script = '', , messages = ''] = await page
      .locator('code.language-html')
      .allTextContents();
    const listener =
      `<script>addEventListener('svc:connected', () => { document.title = 'Connected'; ` +
      '});</script>';
    const site = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          '<!DOCTYPE html><title>Shop</title><link rel="icon" ' +
            `href="data:,">${script}${listener}${messages}`,
        ),
    );
    const port = await freePort();
    await new Promise<void>((resolve) => {
      site.listen(port, '127.0.0.1', resolve);
    });
    try {
      const sent = page.waitForRequest('**/analytics/batch/');
      await page.goto(`http://localhost:${port}/shop`);
      expect((await sent).postDataJSON()).toMatchObject({
        events: [
          {
            event: 'pageview',
            url: `http://localhost:${port}/shop`,
            title: 'Shop',
            site_id: 'my-site',
          },
        ],
      });
      await expect.poll(async () => (await (await sent).response())?.status()).toBe(200);
      await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('Connected');
    } finally {
      site.closeAllConnections();
      site.close();
    }
    expect(browserErrors.splice(0)).toEqual([`http://localhost:${port}/shop`]);
  });
});
