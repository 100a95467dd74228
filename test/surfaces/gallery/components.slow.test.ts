import { describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { viewFaults } from '../../support/browser/views.ts';

describe.skipIf(!hasBrowser)('the page of all components', () => {
  const service = useService();
  const browser = useBrowser({ at: service, context: { reducedMotion: 'reduce' } });
  const open = (options = {}) => browser.open('/dev/components', options);

  it('is accessible and fits wide and narrow windows, in light and dark', async () => {
    expect(await viewFaults(await open(), { picture: 'components' })).toEqual([]);
  });

  it('opens menu and dialog by keyboard, and Escape returns the focus', async () => {
    const page = await open();
    for (const id of ['sample-menu', 'sample-dialog']) {
      const button = page.locator(`[popovertarget=${id}]`).first();
      await button.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(true);
      await page.keyboard.press('Tab');
      expect(await page.locator(`#${id} :focus, #${id}:focus`).count()).toBe(1);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(false);
      expect(await page.locator(`[popovertarget=${id}]:focus`).count()).toBe(1);
    }
  });

  it('opens them without JavaScript too, and filters its list', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.click('[popovertarget=sample-dialog]');
    expect(await page.locator('#sample-dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.fill('#q', 'blog');
    await page.click('#exampleList form[method=get] button');
    await page.waitForURL(/[?&]q=blog/);
    expect(await page.locator('#exampleList tbody th').allTextContents()).toEqual(['Blog']);
    await page.fill('#q', 'nothing like it');
    await page.click('#exampleList form[method=get] button');
    await page.waitForURL(/[?&]q=nothing/);
    expect(await page.locator('#exampleList .empty-state').textContent()).toContain(
      'No project matches “nothing like it”.',
    );
  });

  it('switches the theme without a script, and keeps it on other pages', async () => {
    const page = await open({ javaScriptEnabled: false, colorScheme: 'light' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.click('.theme-switch button[value=dark]');
    await expect.poll(ground).not.toBe(light);
    expect(page.url()).toContain('/dev/components');
    const dark = await ground();
    await page.goto('/login');
    expect(await ground()).toBe(dark);
    await page.click('.theme-switch button[value=system]');
    await expect.poll(ground).toBe(light);
  });
});
