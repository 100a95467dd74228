import { describe, expect, it } from 'vitest';
import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { gotoLive, hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { takePicture } from '../../support/browser/views.ts';

describe.skipIf(!hasBrowser)('the status page, in the complete service', () => {
  const service = useService({ runsJobs: true });
  const browser = useBrowser({ at: service });

  it('shows a change within a second without a reload, and violates no policy', async () => {
    const page = await browser.newPage();
    await page.addInitScript(
      `addEventListener('svc:connected', () => { window.isConnected = true; })`,
    );
    await gotoLive(page, '/status');
    await expect.poll(() => page.evaluate('window.isConnected'), { timeout: 10_000 }).toBe(true);
    await page.evaluate('window.isSame = true');
    const [part] = service.app.services.status.state().components;
    if (part === undefined) throw new Error('no components');
    const affected = { id: part.id, status: 'major_outage' } as const;

    async function open(name: string) {
      const began = Date.now();
      const incident = await service.app.services.status.incidents.create(
        { name, status: 'investigating', body: 'We look.', components: [affected] },
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
    await takePicture(page, 'status-live');

    let fastest = took;
    // A busy machine may stall once or twice, so slow runs are repeated.
    for (let more = 0; more < 3 && fastest >= 1000; more += 1)
      fastest = Math.min(fastest, (await open(`More fails ${more}`)).took);
    process.stderr.write(`a change was seen after ${fastest} ms\n`);
    expect(fastest).toBeLessThan(1000);

    await page.getByRole('link', { name: 'Requests fail' }).click();
    await page.getByText('Incident: Investigating').waitFor();
    await expect.poll(() => page.evaluate('window.isConnected'), { timeout: 10_000 }).toBe(true);
    await service.app.services.status.incidents.createUpdate(
      incident.id,
      { status: 'resolved', body: 'Well again.' },
      systemActor,
    );
    await page.getByText('Incident: Resolved').waitFor({ timeout: 10_000 });
  });
});
