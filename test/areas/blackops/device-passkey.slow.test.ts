import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Authenticators, useAuthenticators } from '../../support/browser/authenticators.ts';
import { hasBrowser, type OpenOptions, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { viewFaults } from '../../support/browser/views.ts';

interface Opened extends Authenticators {
  context: BrowserContext;
  page: Page;
}

const texts = {
  pending: 'This device is awaiting approval.',
  cleared: 'This device is approved.',
  suspended: 'This device is suspended.',
  needed:
    'Admin actions also require a passkey on this device. It must be stored only on this device, ' +
    'not synced, and must verify you by fingerprint, face or PIN.',
  bound: 'Browser key and device passkey',
  refused:
    'Passkey not accepted. Use one that is stored only on this device, isn’t synced, ' +
    'and verifies you by fingerprint, face or PIN.',
};

describe.skipIf(!hasBrowser)('the passkey of a device, in a real browser', () => {
  let people = 0;
  let email = '';
  const service = useService({
    env: { OTP_LIMITS: 'off', DEVICE_FIRST: 'nobody', DEVICE_BINDING: 'webauthn' },
    runsJobs: true,
  });
  const browser = useBrowser({
    at: service,
    // One test visits the service by its IP address.
    mayLeave: true,
    // The browser reports requests that the tests expect to be refused.
    expected: /status of 40[013] /,
  });
  beforeEach(() => {
    email = `owner-${(people += 1)}@example.com`;
  });

  /** A new browser profile, without authenticators. */
  async function profile(options: OpenOptions = {}): Promise<Opened> {
    const page = await browser.newPage(options);
    return { page, context: page.context(), ...(await useAuthenticators(page)) };
  }

  async function signIn(context: BrowserContext, at = service.origin): Promise<string> {
    const { user } = await service.app.services.users.signInAs({
      kind: 'email',
      key: email,
      value: email,
    });
    await service.app.services.users.setRoles(user.id, ['admin']);
    const { cookie } = await service.app.services.sessions.openCookie(user, {
      amr: ['otp'],
      acr: 'aal1',
      begun: Date.now(),
      client: 'Chrome on Linux',
    });
    await context.addCookies([
      { name: 'svc_session', value: cookie, url: at, httpOnly: true, sameSite: 'Lax' },
    ]);
    return user.id;
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const use = (page: Page) => button(page, 'Use device passkey');
  const alertOf = (page: Page) => page.locator('form[data-passkey] [role=alert]');
  const becomes = (page: Page, text: string) =>
    expect.poll(() => page.locator('#device-state').innerText(), { timeout: 10_000 }).toBe(text);
  const deviceOf = async (userId: string) =>
    service.app.stores.db
      .selectFrom('devices')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
  const led = () => `${service.origin}/account/devices?next=%2Faccount%2Fdevices%2Frequests`;

  async function ask(page: Page): Promise<void> {
    await page.goto(`/account/devices`);
    await button(page, 'Request approval').click();
    await becomes(page, texts.pending);
  }

  /** Clears the device with ADMIN_API_KEY. */
  async function approve(userId: string): Promise<void> {
    const { id, number } = await service.app.stores.db
      .selectFrom('clearance_requests')
      .selectAll()
      .where('user_id', '=', userId)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow();
    await service.app.services.devices.decisions.decide(
      id,
      { isApproved: true, number, note: undefined },
      { actor: { kind: 'api_key', id: 'env' }, userId: undefined, deviceId: undefined },
    );
  }

  /** An admin on a cleared device, which is bound by its key. */
  async function cleared(options: OpenOptions = {}): Promise<Opened & { userId: string }> {
    const opened = await profile(options);
    const userId = await signIn(opened.context);
    await ask(opened.page);
    await approve(userId);
    await becomes(opened.page, texts.cleared);
    return { ...opened, userId };
  }

  async function addPasskey(page: Page): Promise<void> {
    await page.goto(`/account`);
    await page.getByLabel('Name').fill('This laptop');
    await button(page, 'Add passkey').click();
    await page.getByText('Passkey added.').waitFor();
  }

  it('opens admin pages, and copied cookies in another profile suspend the device', async () => {
    const { context, page, add, userId } = await cleared();
    await add();
    await page.goto(`/account/devices/requests`);
    expect(page.url()).toBe(led());
    expect({
      first: await use(page).count(),
      second: await page.getByText(texts.needed).count(),
    }).toEqual({ first: 0, second: 1 });
    await page.getByRole('link', { name: 'Add a passkey in your account' }).click();
    await addPasskey(page);

    await page.goto(`/account/devices/requests`);
    expect(page.url()).toBe(led());
    expect(await page.getByText(texts.bound).count()).toBe(0);
    await page
      .getByRole('button', { name: 'Use device passkey', description: texts.needed })
      .click();
    await page.waitForURL(`${service.origin}/account/devices/requests`);
    expect(await page.title()).toMatch(/^Device requests/);
    expect((await deviceOf(userId)).passkey_id).not.toBeNull();
    await page.goto(`/account/devices`);
    expect({
      first: await use(page).count(),
      second: await page.getByText(texts.bound).count(),
    }).toEqual({ first: 0, second: 1 });

    // Another session on the same device has to prove the passkey again; the key is not enough.
    await signIn(context);
    await page.goto(`/account/devices/requests`);
    expect(page.url()).toBe(led());
    await expect.poll(() => use(page).isVisible()).toBe(true);
    expect(await page.getByText('confirm with your device passkey again').count()).toBe(1);
    await use(page).click();
    await page.waitForURL(`${service.origin}/account/devices/requests`);

    const thief = await profile({
      userAgent: (await page.evaluate<string>('navigator.userAgent')).replace(
        /Chrome\/\d+/,
        'Chrome/999',
      ),
    });
    await thief.add();
    await thief.context.addCookies(await context.cookies());
    await thief.page.goto(`/account/devices/requests`);
    expect(thief.page.url()).toBe(led());
    await becomes(thief.page, texts.suspended);
    expect(await use(thief.page).count()).toBe(0);
    expect(await deviceOf(userId)).toMatchObject({ state: 'suspended', reasons: ['key_missing'] });
  });

  it('can not be bound from a profile with copied cookies', async () => {
    const { context, page, add, userId } = await cleared();
    await add();
    await addPasskey(page);
    const thief = await profile();
    await thief.add();
    await thief.context.addCookies(await context.cookies());
    // Without the status call, so that the thief's page is not detected before the click.
    await thief.page.route('**/api/auth/blackops/status', (route) => route.abort());
    await thief.page.goto(`/account/devices`);
    const asked: string[] = [];
    thief.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    browser.complaints();
    await use(thief.page).click();
    await expect
      .poll(() => alertOf(thief.page).innerText())
      .toBe('Your browser couldn’t read its device key. Restart it, then reload this page.');
    expect(asked.filter((path) => path.includes('passkey'))).toEqual([]);
    expect((await deviceOf(userId)).passkey_id).toBeNull();
    const expected = /net::ERR_FAILED|status of 40[013] /;
    expect(browser.complaints().filter((text) => !expected.test(text))).toEqual([]);
  });

  it('that is synced, or did not verify the user, is refused on the page', async () => {
    const { page, devtools, add, userId } = await cleared();
    const synced = await add({ isSynced: true });
    await addPasskey(page);
    await page.goto(led());
    await use(page).click();
    await expect.poll(() => alertOf(page).innerText()).toBe(texts.refused);
    expect(page.url()).toBe(led());
    expect(await use(page).getAttribute('aria-disabled')).toBeNull();

    await devtools.send('WebAuthn.setUserVerified', {
      authenticatorId: synced,
      isUserVerified: false,
    });
    await use(page).click();
    await expect
      .poll(() => alertOf(page).innerText())
      .toBe('Canceled or timed out. Nothing was changed. Try again.');
    expect((await deviceOf(userId)).passkey_id).toBeNull();
    await page.goto(`/account/devices/requests`);
    expect(page.url()).toBe(led());
  });

  it('can be bound to a pending device, and its page shows it without a reload', async () => {
    const { context, page, add } = await profile();
    const userId = await signIn(context);
    await add();
    await addPasskey(page);
    await ask(page);
    await use(page).click();
    await page.getByText(`Identified by: ${texts.bound}.`).waitFor();
    const news = page.locator('[role=status].visually-hidden');
    expect({ news: await news.innerText(), count: await use(page).count() }).toEqual({
      news: 'Passkey accepted.',
      count: 0,
    });
    expect(await deviceOf(userId)).toMatchObject({
      state: 'pending',
      passkey_id: expect.any(String) as string,
    });
    await approve(userId);
    await becomes(page, texts.cleared);
    await page.goto(`/account/devices/requests`);
    expect(await page.title()).toMatch(/^Device requests/);
  });

  it('has an explanation on the page of where and how it works', async () => {
    const { context, page, add, userId } = await cleared();
    await add();
    await addPasskey(page);
    await context.addInitScript('delete PublicKeyCredential.parseRequestOptionsFromJSON');
    await page.goto(`/account/devices`);
    await use(page).click();
    await expect
      .poll(() => alertOf(page).innerText())
      .toBe(
        'This browser doesn’t support passkeys on this page. ' +
          'Update the browser, then try again.',
      );

    const at = service.origin.replace('localhost', '127.0.0.1');
    const { context: byNumber, page: other } = await profile();
    await signIn(byNumber, at);
    await other.goto(`${at}/account/devices`);
    await button(other, 'Request approval').click();
    await use(other).click();
    await expect
      .poll(() => alertOf(other).innerText())
      .toBe(`Passkeys only work at ${service.origin}. Open that address and try again.`);

    const plain = await profile({ javaScriptEnabled: false });
    await plain.context.addCookies(await context.cookies());
    await plain.page.goto(`/account/devices`);
    expect({
      isNeededShown: await plain.page.getByText(texts.needed).isVisible(),
      isFormShown: await plain.page.locator('form[data-passkey]').isVisible(),
    }).toEqual({ isNeededShown: true, isFormShown: false });
    expect(
      (
        await service.app.stores.db
          .selectFrom('devices')
          .select('passkey_id')
          .where('user_id', '=', userId)
          .execute()
      ).every(({ passkey_id: id }) => id === null),
    ).toBe(true);
  });

  it('is accessible and fits a narrow window in every state of its page', async () => {
    const expectGood = async (page: Page) =>
      expect(await viewFaults(page, { widths: [320] })).toEqual([]);
    const { context, page, devtools, add } = await cleared({
      viewport: { width: 320, height: 640 },
    });
    const synced = await add({ isSynced: true });
    await page.reload();
    await expectGood(page);
    await addPasskey(page);
    await page.goto('/account/devices');
    await use(page).click();
    await expect.poll(() => alertOf(page).innerText()).toBe(texts.refused);
    await expectGood(page);

    // Replaces the synced authenticator by another one.
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: synced });
    await service.app.stores.db.deleteFrom('passkeys').execute();
    await add();
    await addPasskey(page);
    await page.goto('/account/devices');
    await use(page).click();
    await page.getByText(texts.bound).waitFor();
    await expectGood(page);
    await signIn(context);
    await page.reload();
    await expect.poll(() => use(page).isVisible()).toBe(true);
    await expectGood(page);
  });
});
