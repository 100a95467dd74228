import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { axeViolations, viewFaults } from '../../support/browser/views.ts';
import { codeFor } from '../../support/sign-in.ts';
import { useConsole } from './browser.ts';
import { home, type Person, personOf, unknownId } from './pages.ts';

const bySystem = { actor: { kind: 'system' }, address: '', requestId: '' } as const;

describe.skipIf(!hasBrowser)('a form of the console in a drawer, in a real browser', () => {
  const times = { ahead: 0 };
  const browser = useConsole({
    runsJobs: true,
    clock: { now: () => Date.now() + times.ahead },
  });
  const { service } = browser;
  let admin: Person;

  beforeAll(async () => {
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
  });

  const incidents = () => service.app.services.status.state().incidents.map(({ name }) => name);
  const keyNames = async () =>
    (await service.app.services.apiKeys.list({ limit: 10 })).data.map(({ name }) => name);
  const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Open incident' });
  const opener = (page: Page) => page.getByRole('link', { name: 'Open incident', exact: true });
  const hasFocus = (page: Page, selector: string) =>
    page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`);

  async function openDrawer(javaScriptEnabled = true): Promise<Page> {
    const page = await browser.visit('status', { as: admin.headers, javaScriptEnabled });
    await opener(page).click();
    await page.locator('#incident-name').waitFor();
    return page;
  }

  it('has the focus in its first field, keeps it inside, and gives it back', async () => {
    const page = await openDrawer();
    expect(new URL(page.url()).pathname).toBe(`${home}status`);
    expect(await hasFocus(page, '#incident-name')).toBe(true);
    const stops = await drawerOf(page).locator('input, select, textarea, button').count();
    for (let at = 0; at <= stops + 2; at += 1) {
      await page.keyboard.press('Tab');
      expect(await hasFocus(page, 'main *, header *')).toBe(false);
    }
    await page.keyboard.press('Escape');
    await drawerOf(page).waitFor({ state: 'detached' });
    expect(await hasFocus(page, 'a[data-drawer][href$="/incidents/new"]')).toBe(true);
    await opener(page).click();
    await drawerOf(page).getByRole('button', { name: 'Cancel' }).click();
    await drawerOf(page).waitFor({ state: 'detached' });
    expect(await hasFocus(page, 'a[data-drawer][href$="/incidents/new"]')).toBe(true);
  });

  it('asks before it closes only if something was typed', async () => {
    const page = await openDrawer();
    await page.keyboard.type('Slow');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await drawerOf(page).getByLabel('Name').inputValue()).toBe('Slow');
    await drawerOf(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await drawerOf(page).waitFor({ state: 'detached' });
    expect(incidents()).toEqual([]);
  });

  it('shows at the field what is wrong, in sight and focused, and loses nothing', async () => {
    const page = await openDrawer();
    const drawer = drawerOf(page);
    await drawer.getByLabel('Name').fill('Figures are slow');
    // As if it came from elsewhere: the browser would not send an empty message.
    await page.evaluate(`document.querySelector('#incident-body').required = false`);
    await drawer.getByRole('button', { name: 'Open incident' }).click();
    await drawer.locator('#incident-body[aria-invalid=true]').waitFor();
    expect(await hasFocus(page, '#incident-body')).toBe(true);
    expect(await drawer.locator('#incident-body-error').innerText()).toBe('Fill in this field.');
    expect(await drawer.getByLabel('Name').inputValue()).toBe('Figures are slow');
    expect(await page.locator('#notice').innerText()).toBe('');
    expect(await axeViolations(page)).toEqual([]);
    expect(incidents()).toEqual([]);
    await drawer.locator('#incident-body').fill('We are looking into it.');
    await drawer.getByRole('button', { name: 'Open incident' }).click();
    await page.getByRole('heading', { level: 1, name: 'Figures are slow' }).waitFor();
    expect(incidents()).toEqual(['Figures are slow']);
    expect(browser.complaints().join()).toContain('422');
  });

  it('stays as it is while the page behind it changes', async () => {
    const page = await openDrawer();
    await page.keyboard.type('Half a wo');
    const { id } = await service.app.services.status.incidents.create(
      { name: 'Said elsewhere', status: 'investigating', body: 'x', components: [] },
      bySystem,
    );
    await page.keyboard.type('rd');
    expect(await drawerOf(page).getByLabel('Name').inputValue()).toBe('Half a word');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('link', { name: 'Said elsewhere' }).waitFor({ timeout: 10_000 });
    await service.app.services.status.incidents.delete(id, bySystem);
  });

  it('confirms an old sign-in in the drawer, and sends what was typed', async () => {
    const page = await browser.visit('keys', { as: admin.headers });
    await page.getByRole('link', { name: 'Create key' }).click();
    const drawer = page.locator('dialog.drawer');
    await drawer.getByLabel('Name').fill('Night export');
    await drawer.getByLabel('Read analytics').check();
    times.ahead += 31 * 60_000;
    const email = 'ada@example.com';
    const before = service.app.services.outbox.list(email).length;
    await drawer.getByRole('button', { name: 'Create key' }).click();
    await drawer.getByText(`Enter the code we sent to ${email}.`).waitFor();
    expect(await hasFocus(page, '#confirm-code')).toBe(true);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await drawer.getByText('This code is wrong or has expired.').waitFor();
    expect(await keyNames()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await drawer.getByLabel('Name').inputValue()).toBe('Night export');
    await drawer.getByRole('button', { name: 'Create key' }).click();
    await drawer.getByText(/^Enter the (?:newest )?code we sent/).waitFor();
    const isNew = (await drawer.getByText('Enter the newest code').count()) === 0;
    const after = isNew ? before + 1 : before;
    await page.keyboard.type(await codeFor(service.app, email, { after }));
    await page.keyboard.press('Enter');
    await drawer.getByText(/shown only once/).waitFor();
    expect(await keyNames()).toEqual(['Night export']);
    expect(new URL(page.url()).pathname).toBe(`${home}keys`);
    await drawer.getByRole('button', { name: 'Done' }).click();
    await page.locator('#keys').getByText('Night export').waitFor();
    expect(browser.complaints().join()).toContain('422');
  });

  it('brings a removed subscriber back with one click, also without JavaScript', async () => {
    const { subscribers } = service.app.services;
    const email = 'reader@example.com';
    const at = new Date(Date.now() + times.ahead);
    const row = {
      id: unknownId,
      email,
      created_at: at,
      confirmed_at: at,
      confirm_hash: 'hash',
      last_asked_at: at,
    };
    await subscribers.restore(row, bySystem);
    const before = await subscribers.list({ limit: 5 });
    expect(before.data).toMatchObject([{ email }]);
    for (const javaScriptEnabled of [true, false]) {
      const options = { as: admin.headers, javaScriptEnabled };
      const page = await browser.visit('status/subscribers', options);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Subscriber removed.').waitFor();
      expect((await subscribers.list({ limit: 5 })).data).toEqual([]);
      expect(page.url()).not.toContain('reader');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Subscriber restored.').waitFor();
      expect(await subscribers.list({ limit: 5 })).toEqual(before);
    }
  });

  it('is a page without JavaScript, and for those who open its link elsewhere', async () => {
    const page = await openDrawer(false);
    expect(new URL(page.url()).pathname).toBe(`${home}status/incidents/new`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Open incident');
    const shown = await browser.visit('status/incidents/new', { as: admin.headers });
    expect(await viewFaults(shown)).toEqual([]);
  });
});
