import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser, usePage } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { axeViolations, takePicture, viewFaults } from '../../support/browser/views.ts';
import { TestClient } from '../../support/client.ts';
import { htmlFaults } from '../../support/html-faults.ts';
import { rounds } from '../../support/rounds.ts';
import { crawl } from './crawler.ts';
import { openCookie } from '../../support/sign-in.ts';

const checkedPaths = [
  '/developer/',
  '/developer/?q=wrong%20code',
  '/developer/guides/getting-started',
  '/developer/guides/device-security',
  '/developer/guides/nothing',
  '/developer/errors',
  '/developer/changelog',
  '/developer/reference',
  '/developer/reference/otp',
  '/api/docs',
];
const maxBytes = 60 * 1024;

describe.skipIf(!hasBrowser)('the developer pages in a real browser', () => {
  const service = useService({ runsJobs: true });
  const browser = useBrowser({
    at: service,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });

  async function open(page: Page, path: string): Promise<void> {
    const answer = await page.goto(path);
    const status = path.endsWith('/nothing') ? 404 : 200;
    expect(answer?.status(), path).toBe(status);
  }

  describe('in each view', () => {
    const page = usePage({ at: service, expected: /status of 404/ });

    it.each(checkedPaths)('have an accessible page %s that fits the window', async (path) => {
      await open(page(), path);
      expect(await viewFaults(page(), { picture: path })).toEqual([]);
    });
  });

  it('show Swagger UI with names for people, and an operation at once', async () => {
    const page = await browser.open('/api/docs');
    await page.getByRole('heading', { name: 'People and sign-in' }).waitFor();
    await page.locator('#operations-tag-blackops', { hasText: 'Device security' }).click();
    const operation = page.locator('.opblock').filter({ hasText: '/api/auth/blackops/status' });
    await operation.locator('.opblock-summary-control').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).waitFor();
    expect(await page.locator('#resources').count()).toBe(0);
    expect(page.url()).toContain('#/blackops/');
  });

  it('filter the error codes by all words', async () => {
    const page = await browser.open('/developer/errors');
    await page.getByLabel('Filter by code, status or text').fill('429 otp');
    await page.getByText('2 codes found').waitFor();
    expect(await page.locator('.error-codes li:visible a').allInnerTexts()).toEqual([
      'otp.rate_limited',
      'otp.too_many_attempts',
    ]);
    const box = await page.locator('.side [aria-current]').boundingBox();
    expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
  });

  it('list the resources where Swagger UI can’t run', async () => {
    const page = await browser.open('/api/docs', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Device security' }).click();
    expect(page.url()).toMatch(/\/developer\/reference\/blackops$/);
  });

  describe('all together', () => {
    let pages = new Map<string, string>();
    beforeAll(async () => {
      ({ pages } = await crawl(service.app, service.origin));
    });

    it('are valid HTML', async () => {
      expect(pages.size).toBeGreaterThan(25);
      const isReference = (path: string) => path.startsWith('/developer/reference/');
      const references = [...pages.keys()].filter(isReference);
      // They are large, and all built alike.
      const leftOut = references.slice(rounds(4, references.length));
      for (const [path, text] of [...pages].filter(([each]) => !leftOut.includes(each))) {
        // Ids are names of operations and errors with dots, which HTML allows.
        const faults = await htmlFaults(text, { 'valid-id': ['error', { relaxed: true }] });
        expect(faults, path).toEqual([]);
      }
    }, 120_000);

    it('are small with all their files', async () => {
      const zipped = (content: string | Buffer) => gzipSync(content, { level: 9 }).length;
      const known = new Map<string, number>();
      const sizeOf = async (file: string) => {
        const size = known.get(file) ?? zipped((await new TestClient(service.app).get(file)).bytes);
        known.set(file, size);
        return size;
      };
      const link = /<link rel="(?:stylesheet|icon|manifest)" href|<script type="module" src/;
      const loaded = new RegExp(`(?:${link.source}|<img src|data-index)="([^"]+)"`, 'g');
      const sizes: [path: string, bytes: number][] = [];
      for (const [path, text] of pages) {
        const files = new Set([...text.matchAll(loaded)].map(([, file = '']) => file));
        const bytes = await Promise.all([...files].map(sizeOf));
        sizes.push([path, bytes.reduce((sum, size) => sum + size, zipped(text))]);
      }
      sizes.sort(([, a], [, b]) => b - a);
      process.stdout.write(
        'With style, script, pictures and search index, gzip: ' +
          `${sizes.map(([path, bytes]) => `${path} ${(bytes / 1024).toFixed(1)} KB`).join(', ')}\n`,
      );
      expect(sizes.filter(([, bytes]) => bytes > maxBytes)).toEqual([]);
      expect(await sizeOf('/assets/developer-search.json')).toBeLessThanOrEqual(30 * 1024);
    });
  });

  it('work without scripts and session: search and samples', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await open(page, '/developer/');
    await page.getByRole('searchbox').fill('otp.invalid');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.getByRole('status').innerText()).toContain('results for “otp.invalid”');
    expect(await page.locator('main .search-results').first().innerText()).toContain(
      '400 otp.invalid',
    );
    await open(page, '/developer/reference/otp');
    await page.locator('.languages').first().locator('summary', { hasText: 'Python' }).click();
    expect(await page.locator('.languages').first().locator('pre:visible').innerText()).toContain(
      'from urllib.request import',
    );
    expect(await page.getByText('Try it').count()).toBe(0);
  });

  it('search while typing, by keyboard alone', async () => {
    const page = await browser.newPage();
    await open(page, '/developer/guides/sign-in');
    await page.keyboard.press('/');
    await page.keyboard.type('refresh tok');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Refresh tokens');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    expect(await page.locator('.found').isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.name')).toBe('q');
    await page.keyboard.type('e');
    await page.locator('.found a').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/developer/guides/sign-in#refresh-tokens');
    await page.getByRole('searchbox').fill('zzzzzz');
    await page.getByText('No results.').first().waitFor();
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL('**/developer/?q=zzzzzz');
  });

  it('have a menu beside the text, or collapsed on narrow screens', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 700 } });
    await open(page, '/developer/guides/sign-in');
    const menu = page.getByRole('navigation', { name: 'Developers' });
    const word = page.getByText('All developer pages');
    expect(await menu.isVisible()).toBe(true);
    expect(await word.isVisible()).toBe(false);
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Getting started');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/developer/guides/getting-started');
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await menu.isVisible()).toBe(false);
    expect(await word.isVisible()).toBe(true);
    await word.click();
    expect(await menu.isVisible()).toBe(true);
  });

  it('remember the language of samples, and copy them', async () => {
    const page = await browser.newPage();
    await open(page, '/developer/reference/otp');
    const [first, second] = [page.locator('.languages').first(), page.locator('.languages').nth(1)];
    await first.locator('summary', { hasText: 'TypeScript' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await second.locator('pre:visible').allInnerTexts()).toEqual([
      expect.stringContaining('await fetch('),
    ]);
    await open(page, '/developer/reference/auth');
    expect(await first.locator('pre:visible').allInnerTexts()).toEqual([
      expect.stringContaining('await fetch('),
    ]);
    await first.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor({ timeout: 5000 });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await first.locator('pre:visible').innerText(),
    );
    await open(page, '/developer/guides/sign-in');
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^# Sign-in and sessions\n/,
    );
  });

  it('offer to try an operation to signed-in users only', async () => {
    const stranger = await browser.newPage();
    const asked = stranger.waitForResponse('**/api/auth/status');
    await open(stranger, '/developer/reference/auth');
    await asked;
    // The page has its response before that of a later request.
    await stranger.evaluate("fetch('/api/auth/status').then((response) => response.text())");
    expect(await stranger.getByText('Try it').count()).toBe(0);
    const { headers } = await openCookie(service.app, 'ana@example.com');
    const page = await browser.newPage({ as: headers });
    await open(page, '/developer/reference/auth');
    const me = page.locator('section[id="auth.me"]');
    await me.getByText('Try it').click();
    expect(await axeViolations(page)).toEqual([]);
    await me.getByRole('button', { name: 'Send GET' }).click();
    await me.locator('.try pre:visible').waitFor();
    expect(await me.getByRole('status').innerText()).toMatch(/^200 OK, \d+ ms$/);
    expect(await me.locator('.try pre').innerText()).toContain('"email": "ana@example.com"');
    await takePicture(page, 'developer-try');
    const logout = page.locator('section[id="auth.logout"]');
    await logout.getByText('Try it').click();
    await logout.getByRole('button', { name: 'Send POST' }).click();
    await expect
      .poll(() => logout.locator('.try pre').innerText())
      .toContain('"session_revoked": true');
  }, 60_000);

  it('print without menus', async () => {
    const page = await browser.newPage();
    await open(page, '/developer/guides/sign-in');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav:visible').count()).toBe(0);
    await takePicture(page, 'developer-print');
  });
});
