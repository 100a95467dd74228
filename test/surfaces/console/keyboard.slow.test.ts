import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { useConsole } from './browser.ts';
import { send, shopEvents } from './events.ts';
import { home, personOf } from './pages.ts';

/** Returns the name that a screen reader announces for the focused element. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
  const at = document.activeElement;
  if (at === document.body || at.localName === 'main') return '';
  const label = at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent;
  return label.trim().replace(/\\s+/g, ' ');
})()`);

/**
 * Presses Tab until an element with this name has the focus, at most as often as the page has
 * focusable elements.
 */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const stops = await page.evaluate<number>(
    `document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [tabindex]',
    ).length`,
  );
  for (let at = 0; at <= stops; at += 1) {
    if (name.test(await focusedName(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`nothing with the name ${String(name)} can be reached by Tab`);
}

/** Whether the focused element and its focus outline are visible. */
async function isFocusVisible(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const at = document.activeElement;
    const { width, height, top, bottom } = at.getBoundingClientRect();
    const hasOutline = getComputedStyle(at).outlineStyle !== 'none';
    return width > 0 && height > 0 && bottom > 0 && top < innerHeight && hasOutline;
  })()`);
}

describe.skipIf(!hasBrowser)('five tasks in the console with the keyboard alone', () => {
  const browser = useConsole();
  const { service } = browser;
  let admin: Record<string, string>;

  beforeAll(async () => {
    await send(service.app, shopEvents(Date.now()));
    admin = (await personOf(service.app, 'ada@example.com', ['admin'])).headers;
    await personOf(service.app, 'grace@example.com');
  });

  it('1. opens a page by the palette, which restores the focus when it closes', async () => {
    const page = await browser.visit('', { as: admin });
    await tabTo(page, /^Analytics$/);
    await page.keyboard.press('Control+k');
    expect(await focusedName(page)).toMatch(/^Search people, codes/);
    await page.keyboard.press('Escape');
    expect(await focusedName(page)).toBe('Analytics');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${home}audit`);
  });

  it('2. finds a person, and opens their page', async () => {
    const page = await browser.visit('', { as: admin });
    await page.keyboard.press('/');
    expect(await focusedName(page)).toMatch(/^Search people/);
    await page.keyboard.type('grace');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${home}users/*`);
    await page.getByText('grace@example.com').first().waitFor();
  });

  it('3. filters the figures by a country, and removes the filter', async () => {
    const page = await browser.visit('analytics', { as: admin });
    await page.keyboard.press('Tab');
    expect(await focusedName(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(`document.querySelector('main').contains(document.activeElement)`),
    ).toBe(true);
    await tabTo(page, /^Germany$/);
    expect(await isFocusVisible(page)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/analytics?*filter=country*');
    await tabTo(page, /Remove filter: Country is Germany/);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.search.includes('filter'));
  });

  it('4. opens an incident, and resolves it', async () => {
    const page = await browser.visit('status', { as: admin });
    await tabTo(page, /^Open incident$/);
    await page.keyboard.press('Enter');
    await page.locator('#incident-name:focus').waitFor();
    await page.keyboard.type('Website is slow');
    await tabTo(page, /message/i);
    await page.keyboard.type('We are looking into it.');
    await tabTo(page, /^Open incident$/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/status/incidents/*');
    expect(service.app.services.status.state().incidents.map(({ name }) => name)).toEqual([
      'Website is slow',
    ]);
  });

  it('5. makes a key for a program, and revokes it', async () => {
    const page = await browser.visit('keys', { as: admin });
    await tabTo(page, /^Create key$/);
    await page.keyboard.press('Enter');
    await page.locator('#key-name:focus').waitFor();
    await page.keyboard.type('ci');
    await tabTo(page, /^Send events/);
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel('Read analytics').isChecked()).toBe(true);
    await tabTo(page, /^Create key$/);
    await page.keyboard.press('Enter');
    await page
      .getByText(/shown only once/i)
      .first()
      .waitFor();
    await page.goto(`${home}keys`);
    await tabTo(page, /^Revoke$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Revoke “ci”?' }).waitFor();
    await tabTo(page, /^Revoke key$/);
    await page.keyboard.press('Enter');
    await expect
      .poll(
        async () =>
          (await service.app.services.apiKeys.list({ limit: 10 })).data.filter(
            ({ revoked_at: at }) => at === null,
          ).length,
      )
      .toBe(0);
    // Closing a window during a navigation can block Chromium.
    await page.getByText('Key revoked.').waitFor();
  });
});
