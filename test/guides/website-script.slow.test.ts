import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findChromium } from '../surfaces/pages/chromium.ts';
import {
  adminKey,
  asAdmin,
  browser as userAgent,
  freshApp,
  type FreshApp,
} from '../support/app.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';
import { typeErrors } from './typescript.ts';

// Starts a browser and waits for retries with backoff.
vi.setConfig({ testTimeout: 60_000 });

const program = findChromium();

describe.skipIf(program === undefined)('the guide to the script for websites', () => {
  let app: FreshApp;
  let origin = '';
  let browser: Browser;
  let page: Page;
  let site: Server;
  let head = '';

  beforeAll(async () => {
    await requireCurl();
    app = await freshApp();
    await app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
    site = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>A page</title><link rel="icon" href="data:,">${head}`),
    );
    await new Promise<void>((resolve) => {
      site.listen(0, '127.0.0.1', resolve);
    });
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
    page = await (await browser.newContext({ userAgent })).newPage();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    site.closeAllConnections();
    site.close();
    await app.close();
  });

  async function events(): Promise<string[]> {
    await app.applied();
    const answer = await app.http.inject({
      method: 'POST',
      url: '/analytics/export/events/',
      headers: asAdmin,
      payload: { site_id: 'my-site', format: 'ndjson' },
    });
    return answer.statusCode === 404
      ? []
      : answer.body
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => (JSON.parse(line) as { event: string }).event);
  }

  const waitForEvents = (...names: string[]) =>
    vi.waitFor(async () => expect(await events()).toEqual(expect.arrayContaining(names)), {
      timeout: 10_000,
      interval: 100,
    });

  /** Opens a page with the markup of this block and of all blocks before it. */
  async function open(html: string): Promise<void> {
    head = `${html.replaceAll('http://127.0.0.1:3000', origin)}${head}`;
    if (!html.includes('svc.min.js'))
      head = head.replace(html, `${html}<script>svc('from_before')</script>`);
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    await waitForEvents(html.includes('svc.min.js') ? 'pageview' : 'from_before');
  }

  async function run(source: string): Promise<void> {
    const types = (await app.http.inject('/svc.d.ts')).body;
    expect(await typeErrors(`${types}\n${source}\nexport {};`)).toEqual([]);
    await page.evaluate(source);
    if (source.includes('signup')) await waitForEvents('signup', 'order', 'newsletter_shown');
  }

  it('works as written from start to end', async () => {
    const reading = await follow('website-script.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps: [],
      runTypeScript: run,
      runOther: { html: open },
    });
    expect(reading).toEqual({ ran: 5, compared: 1, notRun: [] });
    expect(await page.evaluate('localStorage.svc_off')).toBe('');
  }, 60_000);

  it('has types that refuse what the script does not accept', async () => {
    const types = (await app.http.inject('/svc.d.ts')).body;
    expect(
      await typeErrors(
        `${types}\nsvc(1); svc('x', { props: { y: {} } }); svc('x', { revenue: { amount: 1 ` +
          '} });\nexport {};',
      ),
    ).toHaveLength(3);
  });
});
