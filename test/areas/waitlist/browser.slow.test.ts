import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { findChromium } from '../../surfaces/pages/chromium.ts';

vi.setConfig({ testTimeout: 120_000 });
const program = findChromium();

describe.skipIf(program === undefined)('the waitlist in a real browser', () => {
  let app: FreshApp;
  let browser: Browser;
  let site: Server;
  let website = '';
  let service = '';

  beforeAll(async () => {
    site = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          '<!doctype html><meta charset="utf-8"><title>A website</title>' +
            '<link rel="icon" href="data:,">' +
            `<div data-waitlist></div><script defer src="${service}/waitlist.js"></script>`,
        ),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    website = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    // The port of the service has to be known before it starts, for its own origin.
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    service = `http://127.0.0.1:${port}`;
    app = await freshApp({ env: { BASE_URL: service, WAITLIST_ORIGINS: website } });
    await app.services.queues.start();
    await app.http.listen({ host: '127.0.0.1', port });
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
    site.close();
  });

  const mailTo = async (email: string) => {
    await vi.waitFor(() => expect(app.services.outbox.list(email)).not.toEqual([]), {
      timeout: 60_000,
    });
    return app.services.outbox.list(email)[0]?.text ?? '';
  };

  it('another website embeds the form, and its visitors join', async () => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${website}/?ref=unknown`);
    await page.getByLabel('Email', { exact: true }).fill('visitor@example.com');
    await page.getByLabel('Name (optional)').fill('Vera');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Join the waitlist' }).click();
    await page.getByText('Check your inbox').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await mailTo('visitor@example.com')).toContain('/waitlist/verify?token=');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a link with the token in its fragment opens the place, and leaves no trace', async () => {
    const url = /http\S+verify\?token=\S+/.exec(await mailTo('visitor@example.com'))?.[0] ?? '';
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('button', { name: 'Confirm and join' }).click();
    await page.getByText('You’re on the list.').waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    const other = await browser.newContext();
    const fresh = await other.newPage();
    const requested: string[] = [];
    fresh.on('request', (request) => requested.push(request.url()));
    await fresh.goto(`${service}/waitlist/status#${cookie?.value ?? ''}`);
    await fresh.getByText('You’re on the list.').waitFor();
    expect(fresh.url()).toBe(`${service}/waitlist/status`);
    expect(requested.filter((each) => each.includes(cookie?.value ?? '-'))).toEqual([]);
    await context.close();
    await other.close();
  });
});
