import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gotoLive, hasBrowser } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { axeViolations, viewFaults } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { faultsAt, faultsOf, home, type Person, personOf } from './pages.ts';

describe.skipIf(!hasBrowser)('operations in the console, in a real browser', () => {
  const browser = useConsole({
    env: {
      DEVICE_BINDING: 'none',
      AUTH_SECRET: 'hush-hush-0123456789abcdef0123456789',
      SMTP_URL: 'smtp://user:hush@127.0.0.1:9',
      MAIL_FROM: 'post@host.example',
    },
  });
  const { service } = browser;
  let admin: Person;
  let viewer: Person;
  let isBroken = true;
  let addJob: (at: number) => Promise<string>;

  beforeAll(async () => {
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
    viewer = await personOf(service.app, 'vic@example.com', ['viewer']);
    const job = service.app.services.queues.defineJob({
      name: 'test-flaky',
      schema: z.object({ at: z.int() }),
      options: { attempts: 1 },
      process: async () => {
        if (isBroken) throw new Error(`the other side does not answer${' at all'.repeat(8)}`);
      },
    });
    addJob = (at) => job.add({ at });
    await service.app.services.queues.start();
  });

  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: true });
  const jobsIn = async (state: 'failed' | 'waiting' | 'active') => {
    const { data } = await service.app.services.jobs.list({
      state,
      name: 'test-flaky',
      limit: 100,
    });
    return data.map(({ id }) => id);
  };
  const failedJobs = () => jobsIn('failed');
  const failed = async () => (await failedJobs()).length;
  const unfinished = async () => [...(await jobsIn('waiting')), ...(await jobsIn('active'))].length;
  const bySystem = { actor: { kind: 'system' }, address: '', requestId: '' } as const;
  const cancelFailed = async () => service.app.services.jobs.cancel(await failedJobs(), bySystem);
  const publish = (received: string) =>
    service.app.services.bus.publish('test', {
      type: 'test.message',
      data: { method: 'POST', received },
    });
  const openIncidents = () => service.app.services.status.state().incidents.map(({ name }) => name);

  async function failJobs(number: number): Promise<void> {
    isBroken = true;
    await Promise.all(Array.from({ length: number }, (_, at) => addJob(at)));
    await expect.poll(failed, { timeout: 10_000 }).toBe(number);
  }

  /** Opens an incident with the form, then resolves it. */
  async function openAndResolve(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name: 'Open incident', exact: true }).click();
    const form = page.locator('form[action$="/incidents"]');
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('First message').fill('We are looking into it.');
    await form.getByLabel('Analytics').selectOption('partial_outage');
    await form.getByRole('button', { name: 'Open incident' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.locator('#notice').innerText()).toContain('Incident opened');
    expect(await page.locator('#facts').innerText()).toContain('Major impact');
    expect(openIncidents()).toContain(name);
    await button(page, 'Resolve incident').click();
    await page.getByText('Incident resolved.').waitFor();
    expect(openIncidents()).not.toContain(name);
  }

  it.each([true, false])(
    'opens and resolves an incident, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const page = await browser.visit('status', { as: admin.headers, javaScriptEnabled });
      await openAndResolve(page, `Figures are slow ${javaScriptEnabled ? 'here' : 'there'}`);
      await button(page, 'Reopen incident').click();
      await page.getByText('We’ve reopened this incident').first().waitFor();
      expect(openIncidents()).toHaveLength(1);
      await button(page, 'Resolve incident').click();
      await page.getByText('Incident resolved.').waitFor();
    },
    60_000,
  );

  it('opens an incident from a template in three clicks, and posts an update in one', async () => {
    const page = await browser.visit('status', { as: admin.headers });
    const click = countClicks();
    await click(page.getByRole('link', { name: 'Open incident', exact: true }));
    const drawer = page.getByRole('dialog', { name: 'Open incident' });
    await drawer.getByRole('link', { name: 'Slow', exact: true }).waitFor();
    await click(drawer.getByRole('link', { name: 'Slow', exact: true }));
    await expect.poll(() => drawer.getByLabel('Name').inputValue()).toBe('Slow response times');
    expect(await drawer.innerText()).toContain('Nobody gets this by email');
    expect(openIncidents()).not.toContain('Slow response times');
    await click(drawer.getByRole('button', { name: 'Open incident' }));
    await page.getByRole('heading', { level: 1, name: 'Slow response times' }).waitFor();
    expect(click.count()).toBe(3);
    expect(openIncidents()).toContain('Slow response times');
    await page.locator('#update').getByLabel('Message').fill('We found the cause.');
    await click(button(page, 'Post update'));
    await page.getByText('Update published.').waitFor();
    expect(click.count()).toBe(4);
    expect(await page.locator('#timeline').innerText()).toContain('We found the cause.');

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Slow pages');
    await button(page, 'Save changes').click();
    await page.getByRole('heading', { level: 1, name: 'Slow pages' }).waitFor();
    await button(page, 'Resolve incident').click();
    await page.getByText('Incident resolved.').waitFor();
  }, 60_000);

  it('fills the form of a page from a template, without a drawer', async () => {
    const page = await browser.visit('status/incidents/new', { as: admin.headers });
    await page.getByRole('link', { name: 'Slow', exact: true }).click();
    await page.waitForURL('**/incidents/new?template=slow');
    expect(await page.getByLabel('Name').inputValue()).toBe('Slow response times');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  }, 30_000);

  it('takes the times of maintenance in the zone of the viewer, and says them in UTC', async () => {
    const page = await browser.visit('status/maintenances/new', {
      as: admin.headers,
      timezoneId: 'Asia/Tokyo',
    });
    await page.getByLabel('Name').fill('Database upgrade');
    await page.getByLabel('Starts').fill('2031-05-10T08:00');
    await page.getByLabel('Ends').fill('2031-05-10T09:30');
    await page.getByText('Asia/Tokyo. UTC: May 9, 2031, 23:00 – May 10, 2031, 00:30.').waitFor();
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill('Sign-in will not work for some minutes.');
    await button(page, 'Schedule maintenance').click();
    await page.getByRole('heading', { level: 1, name: 'Database upgrade' }).waitFor();
    const [planned] = service.app.services.status.state().maintenances;
    expect(planned?.scheduledFor).toBe(Date.parse('2031-05-09T23:00:00Z'));
    expect(planned?.scheduledUntil).toBe(Date.parse('2031-05-10T00:30:00Z'));
  }, 30_000);

  it('removes a subscriber in one click, and brings them back with another', async () => {
    const { subscribers } = service.app.services;
    const id = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
    const at = new Date();
    const kept = { created_at: at, confirmed_at: at, confirm_hash: null, last_asked_at: at };
    await subscribers.restore({ id, email: 'reader@example.com', ...kept }, bySystem);
    const total = async () => (await subscribers.list({ limit: 1 })).total;
    const page = await browser.visit('status/subscribers', { as: admin.headers });
    const file = await page.request.get(`${home}status/subscribers?format=csv`);
    expect(await file.text()).toMatch(/^email,subscribed_at,confirmed_at\r?\nreader@example.com,/);
    const click = countClicks();
    await click(
      page.locator('tr', { hasText: 'reader@example.com' }).getByRole('button', { name: 'Remove' }),
    );
    await page.getByText('Subscriber removed.').waitFor();
    expect(await total()).toBe(0);
    await click(page.locator('#notice').getByRole('button', { name: 'Undo' }));
    await page.getByText('Subscriber restored.').waitFor();
    expect(await total()).toBe(1);
    expect(click.count()).toBe(2);
    await subscribers.delete(id, bySystem);
  }, 30_000);

  it.each([true, false])(
    'says at its field what is wrong with a check, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const page = await browser.visit('status', { as: admin.headers, javaScriptEnabled });
      await page.getByRole('link', { name: 'Add check' }).click();
      const form = page.locator('form[action$="/components"]');
      await form.getByLabel('Name').fill('Shop');
      await form.getByLabel('Target').fill('not a URL');
      await form.getByRole('button', { name: 'Add check' }).click();
      await page.locator('#new-target[aria-invalid=true]').waitFor();
      expect(await form.getByLabel('Target').inputValue()).toBe('not a URL');
      expect(await form.getByLabel('Name').inputValue()).toBe('Shop');
      expect(await page.locator('#new-target-error').isVisible()).toBe(true);
      if (!javaScriptEnabled)
        expect(await page.locator('#notice').innerText()).toContain('Nothing was changed. Target:');
      expect(browser.complaints().join()).toContain('422');
    },
  );

  it('shows an incident from elsewhere without a reload', async () => {
    const page = await browser.newPage({ as: viewer.headers });
    await gotoLive(page, `${home}status`);
    const { id } = await service.app.services.status.incidents.create(
      { name: 'Said elsewhere', status: 'investigating', body: 'x', components: [] },
      bySystem,
    );
    const link = page.getByRole('link', { name: 'Said elsewhere' });
    await link.waitFor({ timeout: 10_000 });
    await service.app.services.status.incidents.delete(id, bySystem);
    await link.waitFor({ state: 'detached', timeout: 5000 });
  }, 30_000);

  it('retries failed jobs in bulk, with one checkbox for all', async () => {
    await failJobs(5);
    const page = await browser.visit('jobs?name=test-flaky', { as: admin.headers });
    isBroken = false;
    await page.getByLabel('Select all').check();
    expect(await page.locator('.ticked').innerText()).toBe('5 selected');
    await button(page, 'Retry selected').click();
    await page.getByText('5 jobs queued for retry.').waitFor();
    await expect.poll(failed, { timeout: 10_000 }).toBe(0);
    await expect.poll(unfinished, { timeout: 10_000 }).toBe(0);
    await page.getByText('No failed jobs.').waitFor({ timeout: 20_000 });
  }, 60_000);

  it('keeps selected rows, the focus and open errors while rows are added', async () => {
    await failJobs(2);
    const page = await browser.visit('jobs?name=test-flaky', { as: admin.headers });
    const rows = page.locator('#jobs tbody tr');
    const id = await rows.first().locator('th .hint').innerText();
    const row = rows.filter({ has: page.getByText(id, { exact: true }) });
    await row.locator('summary').click();
    await row.getByRole('checkbox').check();
    await addJob(9);
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(3);
    expect(await rows.first().locator('th .hint').innerText()).not.toBe(id);
    expect(await row.getByRole('checkbox').isChecked()).toBe(true);
    expect(await page.locator('tbody :checked').count()).toBe(1);
    expect(await row.locator('input:focus').count()).toBe(1);
    expect(await page.locator('#jobs details[open]').count()).toBe(1);
    expect(await row.locator('details[open]').count()).toBe(1);
    expect(await page.locator('.ticked').innerText()).toBe('1 selected');
    await page.getByLabel('Select all').check();
    expect(await page.locator('.ticked').innerText()).toBe('3 selected');
    isBroken = false;
    await cancelFailed();
  }, 60_000);

  it.each([true, false])(
    'removes failed jobs after their number was typed, with JavaScript: %s',
    async (javaScriptEnabled) => {
      await failJobs(3);
      const page = await browser.visit('jobs?name=test-flaky', {
        as: admin.headers,
        javaScriptEnabled,
      });
      for (const box of await page.locator('tbody input[type=checkbox]').all()) await box.check();
      await button(page, /Remove selected/).click();
      await page.getByRole('heading', { level: 1, name: 'Remove 3 jobs?' }).waitFor();
      if (javaScriptEnabled) expect(await axeViolations(page)).toEqual([]);
      await page.getByLabel('Type 3 to confirm').fill('3');
      await button(page, 'Remove 3 jobs').click();
      await page.getByText('3 jobs removed.').waitFor();
      expect(await failed()).toBe(0);
    },
    60_000,
  );

  it('shows published messages as text, also after a reconnect', async () => {
    const page = await browser.visit('realtime', { as: viewer.headers });
    await button(page, 'Listen').click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByLabel('Message (JSON)').fill('{"said":"<img src=x onerror=alert(1)>"}');
    await button(page, 'Publish').click();
    await page.locator('#messages').getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('#messages img').count()).toBe(0);

    await page.context().setOffline(true);
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    await publish('said meanwhile');
    await page.context().setOffline(false);
    await page
      .getByText(/^Reconnected after .*\. No messages lost, 1 message delivered late\.$/)
      .waitFor();
    expect(await page.locator('#messages').innerText()).toContain('said meanwhile');
    await publish('said after');
    await page.locator('#messages').getByText('said after').waitFor();

    await button(page, 'Pause').click();
    await publish('said in a pause');
    await button(page, 'Resume (1 new)').click();
    await page.locator('#messages').getByText('said in a pause').waitFor();
    await button(page, 'Show subscribers').click();
    await page.getByText('test: 1 connection, 1 person.').waitFor();
    await button(page, 'Clear').click();
    expect(await page.locator('#messages li').count()).toBe(0);
    await button(page, 'Show history').click();
    await page.getByText(/^History of test: \d+ messages, \d+ added to the list\.$/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    browser.complaints();
  }, 60_000);

  it('offers channels with who listens, and says why one can’t be joined', async () => {
    const first = await browser.visit('realtime', { as: viewer.headers });
    expect(await button(first, 'Show history').isDisabled()).toBe(true);
    await first.locator('#channel').selectOption('status');
    await button(first, 'Listen').click();
    await first.getByText('Connected', { exact: true }).waitFor();
    expect(await button(first, 'Show history').isDisabled()).toBe(false);
    const page = await browser.visit('realtime?channel=jobs', { as: viewer.headers });
    expect(await page.locator('#channel').innerText()).toContain('status (1 listening)');
    await button(page, 'Listen').click();
    await page.getByText('jobs: permission denied').waitFor();
    expect(await button(page, 'Unsubscribe from jobs').count()).toBe(0);
  }, 60_000);

  it('says without JavaScript what needs it, and still publishes', async () => {
    const page = await browser.visit('realtime', { as: viewer.headers, javaScriptEnabled: false });
    expect(await page.getByText('The inspector needs JavaScript.').isVisible()).toBe(true);
    expect(await page.locator('#inspector').isVisible()).toBe(false);
    await button(page, 'Publish').click();
    await page.getByText('Published to test.').waitFor();
  }, 30_000);

  it('shows no secret in the settings or in what is copied', async () => {
    const page = await browser.visit('settings/messages', { as: admin.headers });
    const html = await page.content();
    expect(html).not.toContain('hush');
    expect(html).toContain('smtp://…@127.0.0.1:9');
    await page.goto(`${service.origin}/api/svc/console/settings/system`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#env').getByRole('button', { name: 'Copy' }).click();
    await button(page, 'Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain('MAIL_FROM=post@host.example');
    expect(copied).toContain('# AUTH_SECRET=  (set; not shown)');
    expect(copied).not.toContain('hush');
  }, 30_000);

  it('is valid HTML for admins and viewers, also in responses to forms', async () => {
    await failJobs(2);
    const { data: incidents } = await service.app.services.status.incidents.list({
      limit: 1,
    });
    const paths = [
      'status',
      'status/incidents',
      'status/incidents?kind=maintenance',
      `status/incidents/${incidents[0]?.id ?? ''}?done=resolved`,
      'status/components/database',
      'realtime',
      'realtime?channel=%22%3E%3Cb%3E',
    ];
    const ofAdmins = ['status/subscribers', 'jobs', 'jobs?state=delayed&done=none', 'settings'];
    expect(await faultsAt(admin, [...paths, ...ofAdmins])).toEqual([]);
    expect(await faultsAt(viewer, paths)).toEqual([]);
    const refused = await admin.form('jobs/cancel', {
      state: 'failed',
      'job[]': await failedJobs(),
      confirm: 'x',
    });
    expect(refused.status).toBe(422);
    expect(await faultsOf(refused.text)).toEqual([]);
    await cancelFailed();
  }, 60_000);

  describe('in each view', () => {
    const visit = browser.usePage(() => admin.headers);

    it.each([
      'status',
      'status/incidents',
      'incident',
      'status/components/database',
      'status/subscribers',
      'status/incidents/new?template=slow',
      'status/components/database/edit',
      'jobs',
      'jobs?state=delayed',
      'realtime',
      'settings',
      'settings/general',
      'settings/messages',
      'settings/system',
    ])('has an accessible page /%s that fits the window', async (path) => {
      const { data } = await service.app.services.status.incidents.list({ limit: 1 });
      const page = await visit(
        path === 'incident' ? `status/incidents/${data[0]?.id ?? ''}` : path,
      );
      expect(await viewFaults(page, { picture: `console-${path}` })).toEqual([]);
    });
  });
});
