import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { TestClient } from '../../support/client.ts';
import { useConsole } from './browser.ts';
import { type Person, personOf } from './pages.ts';

describe.skipIf(!hasBrowser)('the settings of the console', () => {
  const browser = useConsole({
    env: { DEVICE_BINDING: 'none', WAITLIST_TOTAL: 'off' },
    // Of the form that is refused.
    expected: /status of 422/,
  });
  const { service } = browser;
  let admin: Person;
  beforeAll(async () => {
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
  });

  const signUpPage = async () => (await new TestClient(service.app).get('/signup')).text;

  it('change who can sign up at once, and the notice undoes it', async () => {
    const open = await signUpPage();
    const page = await browser.visit('settings/sign-in', { as: admin.headers });
    await page.getByText('Anyone can sign up.').waitFor();
    expect(await page.getByLabel('Domains', { exact: true }).isVisible()).toBe(false);
    await page.getByLabel('Invited people only').check();
    await page.locator('#sign-up').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Only people you invite can sign up.').waitFor();
    expect(await page.locator('#sign-up').innerText()).toContain('Saved here');
    expect(await signUpPage()).not.toBe(open);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Anyone can sign up.').waitFor();
    expect(await signUpPage()).toBe(open);
  }, 30_000);

  it('ask for the domains where they are needed, and say what is wrong with them', async () => {
    const page = await browser.visit('settings/sign-in', { as: admin.headers });
    await page.getByLabel('People at certain domains').check();
    await page.locator('#sign-up').getByRole('button', { name: 'Save' }).click();
    await page.getByText('must name at least one domain').first().waitFor();
    await page.getByLabel('Domains', { exact: true }).fill('example.com, *.example.com');
    await page.locator('#sign-up').getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('anyone with an address at example.com and *.example.com, can sign up')
      .waitFor();
  }, 30_000);

  it('work without JavaScript, and refuse an undo of what was changed since', async () => {
    const page = await browser.visit('settings/analytics', {
      as: admin.headers,
      javaScriptEnabled: false,
    });
    await page.getByLabel('Is rejected').check();
    await page.locator('#sites').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Events from unknown sites are rejected.').waitFor();
    const refused = await admin.form('settings/analytics/undo', {
      changed_at: '2020-01-01T00:00:00.000Z',
    });
    expect(refused.status).toBe(409);
    expect((await service.app.services.liveSettings.get()).site_registration).toBe('closed');
  }, 30_000);

  it('say which variable decides, and leave that choice alone', async () => {
    const page = await browser.visit('settings/general', { as: admin.headers });
    expect(await page.getByLabel('Show how many people are waiting').isDisabled()).toBe(true);
    await page.getByText('WAITLIST_TOTAL is set in the environment').waitFor();
    await page.getByLabel('Show the leaderboard').uncheck();
    await page.locator('#waitlist').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. The change is live.').waitFor();
    expect(await service.app.services.liveSettings.get()).toMatchObject({
      waitlist_total: null,
      waitlist_leaderboard: false,
    });
  }, 30_000);

  it('write values with units, and fold what is at its default', async () => {
    const sizes = await browser.visit('settings/analytics', { as: admin.headers });
    await sizes.getByText('128 MB').waitFor();
    expect(await sizes.locator('#environment').innerText()).not.toContain('134217728');
    const page = await browser.visit('settings/sign-in', { as: admin.headers });
    const limit = page.getByText('10,000', { exact: true });
    expect(await limit.isVisible()).toBe(false);
    await page.getByText(/^Show \d+ defaults$/).click();
    await limit.waitFor();
  }, 30_000);

  it('say what an admin’s device needs, and how many wait', async () => {
    const page = await browser.visit('settings/devices', { as: admin.headers });
    const chosen = page.locator('#binding .variables').first();
    expect(await chosen.innerText()).toMatch(/^Nothing[^]*In use/);
    expect(await page.locator('#first .variables').first().innerText()).toContain(
      'Approved at once',
    );
    await page.getByRole('link', { name: 'Waiting for approval' }).click();
    await page.waitForURL('**/devices');
  }, 30_000);

  it('say whether emails leave, and how many did within a day', async () => {
    const page = await browser.visit('settings/messages', { as: admin.headers });
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByText('Test email sent. It should arrive within a minute.').waitFor();
    await page.reload();
    expect(await page.locator('#email').innerText()).toMatch(/[1-9]\d* (sent|waiting)/);
  }, 30_000);

  describe('in each view', () => {
    const visit = browser.usePage(() => admin.headers);
    it.each(['general', 'sign-in', 'messages', 'analytics', 'devices', 'system'])(
      'are readable and accessible: %s',
      async (id) => {
        const page = await visit(`settings/${id}`);
        expect(await viewFaults(page)).toEqual([]);
      },
      60_000,
    );
  });
});
