import { consolePath } from '../../../src/lib/site-paths.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser, usePage } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { axeViolations, takePicture, viewFaults, widthOf } from '../../support/browser/views.ts';
import { TestClient } from '../../support/client.ts';
import { htmlFaults } from '../../support/html-faults.ts';
import { startPage } from '../../support/website.ts';

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

describe.skipIf(!hasBrowser)('the site in a real browser', () => {
  const service = useService({
    env: {
      CONTACT_EMAIL: 'help@example.com',
      LEGAL_NAME: 'Example Ltd',
      LEGAL_ADDRESS: '1 Some Street, Somewhere',
    },
  });
  // The browser reports the status of /nowhere, and of forms with errors.
  const browser = useBrowser({ at: service, expected: /status of (?:404|422)/ });

  async function open(page: Page, path: string): Promise<void> {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(path === '/nowhere' ? 404 : 200);
  }

  const client = () => new TestClient(service.app);
  /** The number of code blocks that scroll sideways. */
  const wideCode = (page: Page) =>
    page.evaluate<number>(
      `[...document.querySelectorAll('pre')].filter(
        (each) => each.scrollWidth > each.clientWidth).length`,
    );

  describe('in each view', () => {
    const page = usePage({ at: service, expected: /status of 404/ });

    it.each(pages)('has an accessible page %s that fits the window', async (path) => {
      await open(page(), path);
      expect(await viewFaults(page(), { picture: `site-${path}` })).toEqual([]);
    });
  });

  it('forms with errors pass axe and fit, and the errors leave room for their labels', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 900 } });
    for (const [path, field] of [
      ['/contact', 'email'],
      ['/signup', 'identifier'],
      ['/waitlist', 'email'],
    ]) {
      await open(page, path ?? '');
      await page.evaluate('document.querySelector("main form").noValidate = true');
      await page.fill(`#${field}`, 'nonsense');
      const answered = page.waitForEvent('load');
      await page.click('main button[type=submit]');
      await answered;
      expect(await page.locator(`#${field}-error`).innerText(), path).toContain('name@example.com');
      expect(await axeViolations(page), path).toEqual([]);
      expect(await widthOf(page), path).toBe(320);
      for (const label of await page.locator('label[for=consent]').all())
        expect((await label.boundingBox())?.width ?? 0, path).toBeGreaterThan(200);
    }
  });

  it('is valid HTML', async () => {
    for (const path of pages) {
      const { text } = await client().page(path);
      expect(await htmlFaults(text), path).toEqual([]);
    }
  });

  it('copies code', async () => {
    const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    for (const path of ['/', '/install', '/cmyk/docs/']) {
      await open(page, path);
      const figure = page.locator('figure.snippet').first();
      await figure.getByRole('button', { name: 'Copy' }).click();
      await figure.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await figure.locator('pre').textContent(),
      );
      expect(await page.locator('figure.snippet:visible').count()).toBe(
        await page.getByRole('button', { name: /Copy|Copied/ }).count(),
      );
    }
  });

  it('lets the keyboard skip the menu, and wraps wide code', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 900 } });
    await open(page, '/install');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    expect(
      await page.evaluate('document.activeElement.getBoundingClientRect().top'),
    ).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    expect(await wideCode(page)).toBe(0);
  });

  it('prints completely, without menus', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' });
    await open(page, '/install');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('nav:visible').count()).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    expect(await page.evaluate('document.querySelector("main").clientWidth')).toBeGreaterThan(1000);
    expect(await wideCode(page)).toBe(0);
    await takePicture(page, 'site-install-print');
  });

  it('has no dead links', async () => {
    const page = await browser.newPage();
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
        (each) => each.startsWith(service.origin) && !each.startsWith(`${page.url()}#`),
      ))
        known.add(href);
    }
    for (const href of known) {
      const { status } = await client().page(href.slice(service.origin.length));
      const isForMembers = ['/account', consolePath].includes(href.slice(service.origin.length));
      expect(status, href).toBe(isForMembers ? 303 : 200);
    }
    expect(known.size).toBeGreaterThan(20);
  }, 120_000);

  it('counts and connects a page of another site with the scripts of /install', async () => {
    const page = await browser.newPage();
    await open(page, '/install');
    const [script = '', , messages = ''] = await page
      .locator('code.language-html')
      .allTextContents();
    const listener =
      `<script>addEventListener('svc:connected', () => { document.title = 'Connected'; ` +
      '});</script>';
    const head = '<!DOCTYPE html><title>Shop</title><link rel="icon" href="data:,">';
    const site = await startPage(() => head + script + listener + messages);
    const url = `${site.origin}/shop`;
    try {
      const sent = page.waitForRequest('**/analytics/batch/');
      await page.goto(url);
      expect((await sent).postDataJSON()).toMatchObject({
        events: [{ event: 'pageview', url, title: 'Shop', site_id: 'my-site' }],
      });
      await expect.poll(async () => (await (await sent).response())?.status()).toBe(200);
      await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('Connected');
    } finally {
      site.close();
    }
    expect(browser.complaints()).toEqual([`Request to another origin: ${url}`]);
  });
});
