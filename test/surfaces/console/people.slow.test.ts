import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { gotoLive, hasBrowser, type OpenOptions } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { axeViolations, viewFaults } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { deviceState, home, type Person, personOf, requestApproval } from './pages.ts';

describe.skipIf(!hasBrowser)('people, devices and keys in the console, in a real browser', () => {
  const browser = useConsole();
  const { service } = browser;
  let admin: Person;
  let grace: Person;

  beforeAll(async () => {
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
    grace = await personOf(service.app, 'grace@example.com', ['viewer']);
    await requestApproval(
      service.app,
      'waiting@example.com',
      'Somebody’s very long name of a laptop',
    );
    await service.app.services.apiKeys.create({
      name: 'Nightly import',
      scopes: ['analytics:write', 'analytics:read'],
      expires_at: null,
    });
  });

  const visit = (path: string, options: OpenOptions = {}) =>
    browser.visit(path, { as: admin.headers, ...options });
  /** The page of devices, once it sees new requests. */
  async function openDevices(): Promise<Page> {
    const page = await browser.newPage({ as: admin.headers });
    await gotoLive(page, `${home}devices`);
    return page;
  }
  const noticeText = (page: Page) => page.locator('#notice').innerText();

  describe('in each view', () => {
    const visitAs = browser.usePage(() => admin.headers);

    it.each([
      'users',
      'users/invitations',
      'users/invitations/new',
      'user',
      'user/messages',
      'user/devices',
      'user/activity',
      'user/roles/admin',
      'user/suspend',
      'devices',
      'keys',
      'keys/webhook',
      'audit',
      'search',
    ])('has an accessible page /%s that fits the window', async (name) => {
      const ofUser = name.replace(/^user(?!s)/, `users/${grace.userId}`);
      const page = await visitAs(name === 'user' ? `${ofUser}?done=viewer_given` : ofUser);
      const picture = `console-people-${name.replaceAll('/', '-')}`;
      expect(await viewFaults(page, { picture })).toEqual([]);
    });
  });

  describe.each([
    ['with', true],
    ['without', false],
  ] as const)('%s JavaScript', (word, javaScriptEnabled) => {
    it('finds a user, and ends a session', async () => {
      const { userId } = await personOf(service.app, `find.${word}@example.com`);
      const before = (await service.app.services.sessions.list(userId)).length;
      const page = await visit('users', { javaScriptEnabled });
      await page.getByLabel('Name, email or phone number').fill(`FIND.${word}`);
      await page.keyboard.press('Enter');
      await page.getByText('1 user matches').waitFor();
      await page.getByRole('link', { name: `find.${word}@example.com` }).click();
      await page.getByRole('link', { name: 'Sessions and devices' }).click();
      const buttons = page
        .locator('#sessions')
        .getByRole('button', { name: 'End session', exact: true });
      await buttons.first().click();
      await page.getByText('Session ended.').waitFor();
      expect((await service.app.services.sessions.list(userId)).length).toBe(before - 1);
    });

    it('makes an admin after a summary, and undoes it', async () => {
      const { userId } = await personOf(service.app, `role.${word}@example.com`);
      const rolesOf = async () => (await service.app.services.users.get(userId)).roles;
      const page = await visit(`users/${userId}`, { javaScriptEnabled });
      await page.locator('#access').getByRole('link', { name: 'Make admin' }).click();
      await page.getByText('An admin can:').waitFor();
      expect(await rolesOf()).toEqual([]);
      await page.getByRole('button', { name: 'Make admin' }).click();
      await page.getByText('is now an admin').waitFor();
      expect(await rolesOf()).toEqual(['admin']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Admin role removed.').waitFor();
      expect(await rolesOf()).toEqual([]);
    });

    it('clears a device with its number, after a wrong one was refused', async () => {
      const email = `device.${word}@example.com`;
      const { device, number } = await requestApproval(service.app, email, `Laptop ${word}`);
      const page = await visit('devices', { javaScriptEnabled });
      const row = page.locator('#queue tr', { hasText: `Laptop ${word}` });
      await row.getByRole('link', { name: 'Review' }).click();
      const wrong = String((Number(number) + 1) % 100).padStart(2, '0');
      await page.getByLabel('Number shown on the device').fill(wrong);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The number doesn’t match the device').waitFor();
      if (javaScriptEnabled)
        expect(browser.complaints()).toEqual([
          'Failed to load resource: the server responded with a status of 400 (Bad Request)',
        ]);
      else browser.complaints();
      expect(await deviceState(service.app, device)).toBe('pending');
      await page.getByLabel('Number shown on the device').fill(number);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Device approved.').waitFor();
      expect(await deviceState(service.app, device)).toBe('cleared');
      expect(await row.getByRole('link', { name: 'Review' }).count()).toBe(0);
    });

    it('denies a device without a number, with a note', async () => {
      const email = `denied.${word}@example.com`;
      const { device } = await requestApproval(service.app, email, `Strange ${word}`);
      const page = await visit('devices', { javaScriptEnabled });
      const row = page.locator('#queue tr', { hasText: `Strange ${word}` });
      await row.getByRole('link', { name: 'Review' }).click();
      await page.getByLabel('Note (optional)').fill('Nobody here knows it');
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Device denied.').waitFor();
      expect(await deviceState(service.app, device)).toBe('denied');
      await page.getByText('Recent decisions', { exact: true }).click();
      expect(await page.locator('#queue details').innerText()).toContain('Nobody here knows it');
    });

    it('creates a key, shows it once, and revokes it after a summary', async () => {
      const page = await visit('keys', { javaScriptEnabled });
      await page.getByRole('link', { name: 'Create key' }).click();
      await page.getByLabel('Name', { exact: true }).fill(`Board ${word}`);
      await page.getByLabel('Read analytics').check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('It’s shown only once').waitFor();
      const key = (await page.locator('[data-copy] code').first().textContent()) ?? '';
      expect(await service.app.services.apiKeys.authenticate(key)).toMatchObject({
        scopes: ['analytics:read'],
      });
      if (javaScriptEnabled) {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.getByRole('button', { name: 'Copy' }).first().click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
      }
      // axe needs JavaScript.
      if (javaScriptEnabled) expect(await axeViolations(page)).toEqual([]);
      const list = await visit('keys', { javaScriptEnabled });
      expect(await list.content()).not.toContain(key);
      await list
        .locator('tr', { hasText: `Board ${word}` })
        .getByRole('link', { name: 'Revoke' })
        .click();
      await list.getByRole('button', { name: 'Revoke key' }).click();
      await list.getByText('Key revoked.').waitFor();
      expect(await service.app.services.apiKeys.authenticate(key)).toBeUndefined();
    });

    it('finds an entry of the audit log, and opens its details', async () => {
      await service.app.services.audit.record({
        action: 'otp.failed',
        outcome: 'failure',
        reason: 'otp.invalid',
        actor: { kind: 'anonymous' },
        address: '192.0.2.7',
        details: { word },
      });
      const page = await visit('audit', { javaScriptEnabled });
      await page.getByLabel('Action', { exact: true }).selectOption('otp.*');
      await page.getByLabel('Outcome').selectOption('failure');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('link', { name: 'Remove filter: Outcome: Failed' }).waitFor();
      const address = page.url();
      await page.locator('.activity-time').first().click();
      await page.getByText('192.0.2.7').waitFor();
      const sentence = 'A wrong code was entered for someone: the code was wrong or had expired';
      await page.getByRole('heading', { name: sentence }).waitFor();
      await page.goto(address);
      await page.getByRole('link', { name: 'Remove filter: Outcome: Failed' }).click();
      expect(new URL(page.url()).search).toBe('?action=otp.*');
    });
  });

  it('puts entries of the audit log under days of the viewer', async () => {
    await service.app.services.audit.record({
      action: 'settings.mail_tested',
      actor: { kind: 'system' },
      address: '192.0.2.7',
    });
    // So far from UTC that it is always another day there.
    const zones = ['Pacific/Kiritimati', 'Etc/GMT+12'];
    const timezoneId = zones[new Date().getUTCHours() < 12 ? 1 : 0];
    const page = await visit('audit', { ...(timezoneId === undefined ? {} : { timezoneId }) });
    await page.locator('.activity').first().waitFor();
    await expect
      .poll(() => page.locator('.activity-day').first().innerText())
      .toMatch(/^(Today|Yesterday)$/);
    for (const list of await page.locator('[data-days] > ol').all()) {
      const shown = await list.locator('time').allInnerTexts();
      const days = new Set(shown.map((text) => text.replace(/,?\s*\d\d:\d\d$/, '')));
      expect(days.size).toBe(1);
    }
  }, 30_000);

  it('says why no code came in two clicks from the list of users', async () => {
    const { userId } = await personOf(service.app, 'nocode@example.com');
    const page = await visit('users');
    const click = countClicks();
    await click(page.getByRole('link', { name: 'nocode@example.com' }));
    await click(page.getByRole('link', { name: 'Messages' }));
    await page.getByRole('heading', { name: 'Sent to this person' }).waitFor();
    expect(page.url()).toContain(`users/${userId}/messages`);
    expect(click.count()).toBe(2);
  }, 20_000);

  it('creates a key in two clicks besides its scopes, and shows it whole with a copy', async () => {
    const page = await visit('keys');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const click = countClicks();
    await click(page.getByRole('link', { name: 'Create key' }));
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name', { exact: true }).fill('Counted');
    await drawer.getByLabel('Read analytics').check();
    await click(drawer.getByRole('button', { name: 'Create key' }));
    await page.getByText('It’s shown only once').waitFor();
    expect(click.count()).toBe(2);
    const shown = page.locator('[data-copy] code').first();
    const key = (await shown.textContent()) ?? '';
    const isWhole = 'document.querySelector("[data-copy] code").scrollWidth <= innerWidth';
    expect(await page.evaluate<boolean>(isWhole)).toBe(true);
    await click(page.getByRole('button', { name: 'Copy' }).first());
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
    const { scopes } = (await service.app.services.apiKeys.authenticate(key)) ?? {};
    expect(scopes).toEqual(['analytics:read']);
  }, 20_000);

  it('removes a device in two clicks, after a summary, and undoes it in one', async () => {
    const email = 'lost@example.com';
    const { device, number } = await requestApproval(service.app, email, 'Lost laptop');
    const page = await openDevices();
    await page
      .locator('#queue tr', { hasText: 'Lost laptop' })
      .getByRole('link', { name: 'Review' })
      .click();
    await page.getByLabel('Number shown on the device').fill(number);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Device approved.').waitFor();
    const click = countClicks();
    const row = page.locator('#list tr', { hasText: 'Lost laptop' });
    await click(row.getByRole('link', { name: 'Remove' }));
    await page.getByText('You can undo this for 10 minutes.').waitFor();
    expect(await deviceState(service.app, device)).toBe('cleared');
    await click(page.getByRole('button', { name: 'Remove device' }));
    await page.getByText('Device removed.').waitFor();
    expect(click.count()).toBe(2);
    expect(await deviceState(service.app, device)).toBe('suspended');
    expect(await row.innerText()).toMatch(/Removed\s+Undo until/);
    await click(page.locator('#notice').getByRole('button', { name: 'Undo' }));
    await page.getByText('Device restored.').waitFor();
    expect(await deviceState(service.app, device)).toBe('cleared');
    expect(click.count()).toBe(3);
  }, 20_000);

  it('suspends a device in one click, undoes it, and shows it in a drawer', async () => {
    const email = 'tablet@example.com';
    const { device, number } = await requestApproval(service.app, email, 'Kitchen tablet');
    const page = await openDevices();
    const row = page.locator('#list tr', { hasText: 'Kitchen tablet' });
    await page
      .locator('#queue tr', { hasText: 'Kitchen tablet' })
      .getByRole('link', { name: 'Review' })
      .click();
    await page.getByLabel('Number shown on the device').fill(number);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Device approved.').waitFor();
    const click = countClicks();
    await click(row.getByRole('button', { name: 'Suspend' }));
    await page.getByText('Device suspended.').waitFor();
    expect(await deviceState(service.app, device)).toBe('suspended');
    await click(page.locator('#notice').getByRole('button', { name: 'Undo' }));
    await page.getByText('Device restored.').waitFor();
    expect(await deviceState(service.app, device)).toBe('cleared');
    expect(click.count()).toBe(2);
    await row.getByRole('link', { name: 'Kitchen tablet' }).click();
    const drawer = page.getByRole('dialog', { name: 'Kitchen tablet' });
    await drawer.getByText('You can undo this for 10 minutes.').waitFor();
    expect(await drawer.innerText()).toContain('Approved until');
    expect(await axeViolations(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Device suspended.').waitFor();
  }, 30_000);

  it('shows a new request for approval at once', async () => {
    const page = await openDevices();
    await requestApproval(service.app, 'live@example.com', 'Just now');
    await page.locator('#queue tr', { hasText: 'Just now' }).waitFor();
  }, 20_000);

  it('keeps the focus on its row while the lists grow', async () => {
    await requestApproval(service.app, 'first@example.com', 'Mine');
    const page = await openDevices();
    const request = page.locator('#queue tr', { hasText: 'Mine' });
    await request.getByRole('link', { name: 'Review' }).focus();
    await requestApproval(service.app, 'third@example.com', 'Meanwhile');
    await page.locator('#queue tr', { hasText: 'Meanwhile' }).waitFor();
    expect(await request.locator('a:focus').innerText()).toBe('Review');
    const row = page.locator('#list tr', { hasText: 'Mine' });
    await row.getByRole('link', { name: 'Remove' }).focus();
    await requestApproval(service.app, 'second@example.com', 'Above');
    await page.locator('#list tr', { hasText: 'Above' }).waitFor();
    expect(await row.locator('a:focus').innerText()).toBe('Remove');
  }, 20_000);

  it('keeps what is typed in a drawer while the page behind it changes', async () => {
    await requestApproval(service.app, 'typing@example.com', 'Typing');
    const page = await openDevices();
    await page
      .locator('#queue tr', { hasText: 'Typing' })
      .getByRole('link', { name: 'Review' })
      .click();
    const note = page.getByLabel('Note (optional)');
    await note.fill('Asked by pho');
    await requestApproval(service.app, 'fourth@example.com', 'Later');
    await page.keyboard.type('ne');
    expect(await note.inputValue()).toBe('Asked by phone');
    await page.getByLabel('Number shown on the device').fill('4');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('#queue tr', { hasText: 'Later' }).waitFor();
  }, 30_000);

  it('finds a person in the palette, and opens their page', async () => {
    const page = await visit('');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('grace');
    await page.getByRole('option', { name: /grace@example.com/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'grace@example.com' }).waitFor();
    expect(await noticeText(page)).toBe('');
  });
});
