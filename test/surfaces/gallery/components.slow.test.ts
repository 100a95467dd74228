import { mkdir } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { freePort } from '../../support/redis-server.ts';
import { findChromium } from '../pages/chromium.ts';

const program = findChromium();
const screenshotFolder = process.env.SHOTS;

describe.skipIf(program === undefined)('the page of all components', () => {
  let app: FreshApp;
  let browser: Browser;
  let origin = '';
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    app = await freshApp({ env: { BASE_URL: origin } });
    await app.http.listen({ port, host: '127.0.0.1' });
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
    if (screenshotFolder !== undefined) await mkdir(screenshotFolder, { recursive: true });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await browser.close();
    await app.close();
  });

  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') expect.fail(message.text());
    });
    await page.goto(`${origin}/dev/components`);
    return page;
  }

  const widths = [
    { name: 'wide', width: 1280 },
    { name: 'phone', width: 320 },
  ];

  for (const colorScheme of ['light', 'dark'] as const)
    for (const { name, width } of widths)
      it(`has no faults that axe finds, and fits the width: ${colorScheme}, ${name}`, async () => {
        const page = await open({ colorScheme, viewport: { width, height: 900 } });
        expect(await axeViolations(page)).toEqual([]);
        expect(
          await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
        ).toBe(true);
        if (screenshotFolder !== undefined)
          await page.screenshot({
            path: `${screenshotFolder}/components-${colorScheme}-${name}.png`,
            fullPage: true,
          });
      });

  it('opens menu, dialog and drawer by keyboard, and Escape returns the focus', async () => {
    const page = await open();
    for (const id of ['sample-menu', 'sample-dialog', 'sample-drawer']) {
      const button = page.locator(`[popovertarget=${id}]`).first();
      await button.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(true);
      await page.keyboard.press('Tab');
      expect(await page.locator(`#${id} :focus, #${id}:focus`).count()).toBe(1);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(false);
      expect(await page.locator(`[popovertarget=${id}]:focus`).count()).toBe(1);
    }
  });

  it('opens them without JavaScript too, and filters its list', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.click('[popovertarget=sample-dialog]');
    expect(await page.locator('#sample-dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.fill('#q', 'blog');
    await page.click('#exampleList form[method=get] button');
    expect(await page.locator('#exampleList tbody th').allTextContents()).toEqual(['Blog']);
    await page.fill('#q', 'nothing like it');
    await page.click('#exampleList form[method=get] button');
    expect(await page.locator('#exampleList .empty-state').textContent()).toContain(
      'No project matches “nothing like it”.',
    );
  });

  it('switches the theme without a script, and keeps it on other pages', async () => {
    const page = await open({ javaScriptEnabled: false, colorScheme: 'light' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.click('.theme-switch button[value=dark]');
    expect(page.url()).toContain('/dev/components');
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.goto(`${origin}/login`);
    expect(await ground()).toBe(dark);
    await page.click('.theme-switch button[value=system]');
    expect(await ground()).toBe(light);
  });
});
