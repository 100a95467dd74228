import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { useConsole } from './browser.ts';
import { send, shopEvents } from './events.ts';
import { home, type Person, personOf } from './pages.ts';

const limit = 60_000;

describe.skipIf(!hasBrowser)('the weight of the console', () => {
  const browser = useConsole();
  const { service } = browser;
  let admin: Person;

  beforeAll(async () => {
    await send(service.app, shopEvents(Date.now()));
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
  });

  /** Bytes on the wire. Pages are not compressed here (BREACH): they count as if they were. */
  async function bytesOf(request: Request): Promise<number> {
    if (request.isNavigationRequest()) {
      const body = await (await request.response())?.body();
      return gzipSync(body ?? '').length;
    }
    return Math.max(0, (await request.sizes()).responseBodySize);
  }

  /** Loads a page into an empty cache, and returns the bytes of all that it asked for. */
  async function weigh(path: string): Promise<{ page: Page; total: number; files: string[] }> {
    const page = await browser.newPage({ as: admin.headers });
    const requests: Request[] = [];
    page.on('requestfinished', (request) => requests.push(request));
    await page.goto(`${service.origin}${home}${path}`, { waitUntil: 'networkidle' });
    const sizes = await Promise.all(requests.map(bytesOf));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const files = requests.map((request) => new URL(request.url()).pathname);
    const each = files.map((file, at) => `${file} ${sizes[at] ?? 0}`);
    process.stdout.write(`console: /${path} is ${total} bytes: ${each.join(', ')}\n`);
    return { page, total, files };
  }

  it('is at most 60 KB for the overview, with all that a browser loads', async () => {
    const { total, files } = await weigh('');
    expect(total).toBeLessThanOrEqual(limit);
    expect(
      files.filter((file) => /palette|drawer|send-form|chart-tips|inspector/.test(file)),
    ).toEqual([]);
  });

  it('is at most 60 KB for the dashboard of a site, with all that a browser loads', async () => {
    const { total } = await weigh('analytics?site_id=shop.example');
    expect(total).toBeLessThanOrEqual(limit);
  });

  it('grows by what is used, when it is used', async () => {
    const { page } = await weigh('analytics?site_id=shop.example');
    const later: string[] = [];
    page.on('request', (request) => later.push(new URL(request.url()).pathname));
    await page.keyboard.press('Control+k');
    await page.locator('#palette [role=option]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#series .plot').hover();
    await page.locator('.chart-tip').waitFor();
    expect(later.filter((path) => path.startsWith('/assets/parts/'))).toEqual([
      expect.stringContaining('palette'),
      expect.stringContaining('chart-tips'),
    ]);
  });
});
