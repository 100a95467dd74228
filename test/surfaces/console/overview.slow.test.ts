import { beforeAll, describe, expect, it } from 'vitest';
import { contactClient, letter } from '../../areas/contact/support.ts';
import { hasBrowser } from '../../support/browser/browser.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { send, shopEvents } from './events.ts';
import { home, type Person, personOf, requestApproval } from './pages.ts';

describe.skipIf(!hasBrowser)('the overview of the console', () => {
  const browser = useConsole();
  const { service } = browser;
  let admin: Person;
  let viewer: Person;

  beforeAll(async () => {
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
    viewer = await personOf(service.app, 'vic@example.com', ['viewer']);
  });

  it('says the next three steps while there is nothing, and that nothing waits', async () => {
    const page = await browser.visit('', { as: admin.headers });
    await page.getByText('Three steps to begin').waitFor();
    await page.getByText('Nothing is waiting for you.').waitFor();
    await page.getByRole('link', { name: 'Add site' }).click();
    await page.waitForURL(`**${home}analytics`);
  });

  it('lists what waits, and each button leads to where it is dealt with', async () => {
    const { services } = service.app;
    await requestApproval(service.app, 'lin@example.com', 'Phone');
    await contactClient(service.app).send({ ...letter, subject: 'Invoice' });
    await services.waitlistEntries.service.create?.(
      { email: 'mara@example.com', name: 'Mara Lund', verified_because: 'A test' },
      { actor: { kind: 'user', id: admin.userId }, address: '', requestId: '' },
    );
    const page = await browser.visit('', { as: admin.headers });
    await expect
      .poll(
        async () => {
          await page.goto(home);
          return page.locator('#waiting').innerText();
        },
        { timeout: 20_000, interval: 1000 },
      )
      .toContain('1 new message');
    const menu = page.locator('#menu');
    expect(await menu.getByRole('link', { name: /^Devices/ }).innerText()).toMatch(/1/);
    for (const [button, path] of [
      ['Review', 'devices'],
      ['Reply', 'contact?status=new'],
      ['Invite', 'waitlist'],
    ] as const) {
      await page.locator('#waiting').getByRole('link', { name: button, exact: true }).click();
      await page.waitForURL(`**${home}${path}`);
      await page.goto(home);
    }
  }, 60_000);

  it('says in words who did what to whom, and opens its details over the page', async () => {
    const id = (await service.app.services.inbox.list({ limit: 1, sort: '-created_at' })).data[0]
      ?.id;
    await service.app.services.contactThreads.addNote(
      id ?? '',
      { text: 'Called back.' },
      { actor: { kind: 'user', id: admin.userId }, address: '', requestId: '' },
    );
    const page = await browser.visit('', { as: admin.headers });
    const first = page.locator('#latest li').first();
    expect(await first.innerText()).toContain(
      'ada@example.com added a note to the message from Ada Lovelace',
    );
    await first.locator('.activity-time').click();
    const drawer = page.locator('dialog.drawer');
    await drawer.getByText('added a note to the message from Ada Lovelace').first().waitFor();
    await drawer.getByText('Identifiers').click();
    await drawer.getByText('Request ID').waitFor();
  });

  it('has colour and words for an outage, and no server figures', async () => {
    await service.app.services.status.incidents.create(
      {
        name: 'Checkout is down',
        status: 'investigating',
        body: 'x',
        components: [],
        impact: 'critical',
      },
      { actor: { kind: 'system' }, address: '', requestId: '' },
    );
    const page = await browser.visit('', { as: viewer.headers });
    await page.locator('.status-strip-bad').getByText('Checkout is down').waitFor();
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(/Event loop|p95|Waiting for you|Recent activity/);
    await page.goto(`${home}health`);
    await page.getByText('Event loop').first().waitFor();
  });

  it('looks right on every screen, with sites and without', async () => {
    await send(service.app, shopEvents(Date.now()));
    for (const path of ['', 'health', 'audit', 'search'])
      expect(await viewFaults(await browser.visit(path, { as: admin.headers })), path).toEqual([]);
  }, 120_000);
});
