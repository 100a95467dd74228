import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClient } from '../../support/client.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';

describe.skipIf(!hasBrowser)('the waitlist', () => {
  const env: Record<string, string> = {};
  let website = '';
  const site = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        '<!doctype html><meta charset="utf-8"><title>A website</title>' +
          '<link rel="icon" href="data:,">' +
          `<div data-waitlist></div><script defer src="${service.origin}/waitlist.js"></script>`,
      ),
  );
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    website = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    env.WAITLIST_ORIGINS = website;
  });
  afterAll(() => {
    site.closeAllConnections();
    site.close();
  });
  const service = useService({ env, runsJobs: true });
  const browser = useBrowser();

  let token = '';
  const mailTo = async (email: string) => (await new TestClient(service.app).mailTo(email)).text;

  it('is joined by visitors of another website that embeds the form', async () => {
    const page = await browser.open(`${website}/?ref=unknown`);
    await page.getByLabel('Email', { exact: true }).fill('visitor@example.com');
    await page.getByLabel('Name (optional)').fill('Vera');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Join the waitlist' }).click();
    await page.getByText('Check your inbox').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await mailTo('visitor@example.com')).toContain('/waitlist/verify?token=');
  });

  it('opens a place by a link with the token in its fragment, which leaves no trace', async () => {
    const url = /http\S+verify\?token=\S+/.exec(await mailTo('visitor@example.com'))?.[0] ?? '';
    const page = await browser.open(url);
    await page.getByRole('button', { name: 'Confirm and join' }).click();
    await page.getByRole('heading', { name: 'You’re on the list' }).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    token = cookie?.value ?? '';
    const fresh = await browser.newPage();
    const requested: string[] = [];
    fresh.on('request', (request) => requested.push(request.url()));
    await fresh.goto(`${service.origin}/waitlist/status#${cookie?.value ?? ''}`);
    await fresh.getByRole('heading', { name: 'You’re on the list' }).waitFor();
    expect(fresh.url()).toBe(`${service.origin}/waitlist/status`);
    expect(requested.filter((each) => each.includes(cookie?.value ?? '-'))).toEqual([]);
  });

  it('shows a place with a link to copy and to share', async () => {
    const page = await browser.newPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.origin}/waitlist/status#${token}`);
    const link = await page.getByLabel('Your link', { exact: true }).inputValue();
    expect(link).toContain('/waitlist?ref=');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    const share = page.getByRole('group', { name: 'Share your link by' });
    const hrefs = await share
      .getByRole('link')
      .evaluateAll((all: { href?: string }[]) => all.map(({ href = '' }) => href));
    expect(hrefs).toHaveLength(4);
    for (const href of hrefs) expect(decodeURIComponent(href)).toContain(link);
    expect(await viewFaults(page)).toEqual([]);
  });
});
