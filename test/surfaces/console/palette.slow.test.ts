import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { axeViolations } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { home, personOf } from './pages.ts';

describe.skipIf(!hasBrowser)('the palette of the console', () => {
  const browser = useConsole();
  const { service } = browser;
  let admin: Record<string, string>;
  let viewer: Record<string, string>;
  let userId: string;

  beforeAll(async () => {
    admin = (await personOf(service.app, 'ada@example.com', ['admin'])).headers;
    viewer = (await personOf(service.app, 'vic@example.com', ['viewer'])).headers;
    const { user } = await service.app.services.users.signInAs(
      { kind: 'email', key: 'yui@studio.example', value: 'yui@studio.example' },
      { profile: { name: 'Yui Tanaka' } },
    );
    userId = user.id;
  });

  const options = (page: Page) => page.locator('#palette [role=option]');
  const active = (page: Page) => page.locator('#palette [aria-selected=true]').innerText();
  async function opened(as: Record<string, string>, path = ''): Promise<Page> {
    const page = await browser.visit(path, { as });
    await page.keyboard.press('Control+k');
    await page.locator('#palette[open]').waitFor();
    return page;
  }

  it('finds a user by surname with one click and typing', async () => {
    const page = await browser.visit('', { as: admin });
    await page.getByText('Search or jump to…').click();
    await page.keyboard.type('tanaka');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${home}users/${userId}`);
    expect(page.url()).not.toContain('tanaka');
  });

  it.each(['qr', 'nfc', 'invite', 'dark', 'audit', 'setti'])(
    'finds something for %s',
    async (text) => {
      const page = await opened(admin);
      await page.keyboard.type(text);
      expect(await active(page)).toMatch(new RegExp(text, 'i'));
    },
  );

  it('says that nothing was found, and for what, and announces it', async () => {
    const page = await opened(admin);
    await page.keyboard.type('zzz');
    await page.locator('#palette').getByText('Nothing found for “zzz”').waitFor();
    expect(await options(page).allInnerTexts()).toEqual(['All pages and actions']);
    expect(await page.locator('#said').textContent()).toBe('No results');
  });

  it('sends one request for each pause in typing, with the text in its body alone', async () => {
    const page = await opened(admin);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await page.keyboard.type('tanaka');
    await page.locator('#palette').getByText('Users', { exact: true }).waitFor();
    expect(sent).toEqual([`POST ${service.origin}${home}search`]);
  });

  it('moves with the arrows, Home and End, scrolls along, and closes with Escape', async () => {
    const page = await opened(admin);
    const names = (await options(page).allInnerTexts()).map((each) => each.trim());
    expect(names.length).toBeGreaterThan(20);
    expect(await active(page)).toBe(names[0]);
    await page.keyboard.press('ArrowDown');
    expect(await active(page)).toBe(names[1]);
    await page.keyboard.press('End');
    expect(await active(page)).toBe(names.at(-1));
    const box = await page.locator('#palette [aria-selected=true]').boundingBox();
    const list = await page.locator('#palette-list').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(
      (list?.y ?? 0) + (list?.height ?? 0) + 1,
    );
    await page.keyboard.press('ArrowDown');
    expect(await active(page)).toBe(names[0]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    expect(await active(page)).toBe(names[0]);
    const field = page.getByRole('combobox');
    expect(await field.getAttribute('aria-activedescendant')).toBe('palette-0');
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('#palette[open]').count()).toBe(0);
  });

  it('has what was opened before at its top', async () => {
    const page = await browser.visit(`users/${userId}`, { as: admin });
    await page.goto(`${home}status`);
    await page.keyboard.press('/');
    expect(await active(page)).toContain('Tanaka');
  });

  it('turns the theme dark', async () => {
    const page = await opened(viewer, 'status');
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate('getComputedStyle(document.documentElement).colorScheme'))
      .toBe('dark');
    expect(new URL(page.url()).pathname).toBe(`${home}status`);
  });

  it('leaves out for viewers what they may not do', async () => {
    const page = await opened(viewer);
    const all = (await options(page).allInnerTexts()).join();
    expect(all).toContain('Dark theme');
    expect(all).not.toMatch(/Invite|API keys|Audit|Create/);
    await page.keyboard.type('tanaka');
    await page.locator('#palette').getByText('Nothing found for “tanaka”').waitFor();
  });

  it('is a page that finds the same without JavaScript', async () => {
    const page = await browser.visit('', { as: admin, javaScriptEnabled: false });
    await page.getByText('Search or jump to…').click();
    await page.getByRole('searchbox').fill('tanaka');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /Yui Tanaka/ }).click();
    await page.waitForURL(`**${home}users/${userId}`);
    await page.goto(`${home}search`);
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.waitForURL(`**${home}search`);
  });
});
