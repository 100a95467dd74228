import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { freePort } from '../../support/redis-server.ts';
import { findChromium } from '../../surfaces/pages/chromium.ts';

const program = findChromium();
const shots = process.env.SHOTS;

describe.skipIf(program === undefined)('the status page, in the complete service', () => {
  let app: FreshApp;
  let browser: Browser;
  let origin = '';
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    app = await freshApp({ env: { PORT: String(port), BASE_URL: origin } });
    await app.services.queues.start();
    await app.http.listen({ port, host: '127.0.0.1' });
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('shows a change within a second without a reload, and violates no policy', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.addInitScript(
      `addEventListener('svc:connected', () => { window.isConnected = true; })`,
    );
    await page.goto(`${origin}/status`);
    await expect.poll(() => page.evaluate('window.isConnected'), { timeout: 10_000 }).toBe(true);
    await page.waitForLoadState('networkidle');
    await page.evaluate('window.isSame = true');
    const [part] = app.services.status.state().components;
    if (part === undefined) throw new Error('no components');

    async function open(name: string) {
      const began = Date.now();
      const incident = await app.services.status.incidents.create(
        {
          name,
          status: 'investigating',
          body: 'We look.',
          components: [{ id: part?.id ?? '', status: 'major_outage' }],
        },
        systemActor,
      );
      await page.getByRole('link', { name }).waitFor();
      return { incident, took: Date.now() - began };
    }
    const { incident, took } = await open('Requests fail');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toBe(
      'All Systems Operational',
    );
    expect(await page.locator('body > [role=status]').innerText()).toContain(
      'Requests fail: Investigating',
    );
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/status-live.png`, fullPage: true });

    let fastest = took;
    // A busy machine may stall once or twice, so slow runs are repeated.
    for (let more = 0; more < 3 && fastest >= 1000; more += 1)
      fastest = Math.min(fastest, (await open(`More fails ${more}`)).took);
    process.stderr.write(`a change was seen after ${fastest} ms\n`);
    expect(fastest).toBeLessThan(1000);

    await page.getByRole('link', { name: 'Requests fail' }).click();
    await page.getByText('Incident: Investigating').waitFor();
    await expect.poll(() => page.evaluate('window.isConnected'), { timeout: 10_000 }).toBe(true);
    await app.services.status.incidents.createUpdate(
      incident.id,
      { status: 'resolved', body: 'Well again.' },
      systemActor,
    );
    await page.getByText('Incident: Resolved').waitFor({ timeout: 10_000 });
    expect(complaints).toEqual([]);
  }, 60_000);
});
