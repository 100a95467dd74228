import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { freePort } from '../../support/redis-server.ts';
import { findChromium } from '../../surfaces/pages/chromium.ts';

const program = findChromium();
if (program === undefined)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): the browser tests of ' +
      'passkeys of devices are left out.\n',
  );

interface Opened {
  context: BrowserContext;
  page: Page;
  devtools: CDPSession;
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

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

describe.skipIf(program === undefined)('the passkey of a device, in a real browser', () => {
  let app: FreshApp;
  let browser: Browser;
  let origin = '';
  let port = 0;
  let people = 0;
  let email = '';
  let complaints: string[] = [];
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    port = await freePort();
    origin = `http://localhost:${port}`;
    app = await freshApp({
      env: {
        PORT: String(port),
        OTP_LIMITS: 'off',
        DEVICE_FIRST: 'nobody',
        DEVICE_BINDING: 'webauthn',
      },
    });
    await app.services.queues.start();
    await app.http.listen({ port, host: '127.0.0.1' });
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });
  beforeEach(() => {
    complaints = [];
    email = `owner-${(people += 1)}@example.com`;
    return async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      // The browser console also reports responses that the tests expect to be refused.
      expect(complaints.filter((text) => !/status of 40[013] /.test(text)).join('\n')).toBe('');
    };
  });

  /** A new browser profile, without authenticators. */
  async function profile(options: ContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext(options);
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (!message.text().startsWith('Autofocus processing was blocked'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    return { context, page, devtools };
  }

  async function signIn(context: BrowserContext, at = origin): Promise<string> {
    const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
    await app.services.users.setRoles(user.id, ['admin']);
    const { cookie } = await app.services.sessions.openCookie(user, {
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

  /** A device with passkeys, as the browser sees it: its user agrees at once. */
  const addAuthenticator = async (devtools: CDPSession, isSynced = false): Promise<string> =>
    (
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
          defaultBackupEligibility: isSynced,
          defaultBackupState: isSynced,
        },
      })
    ).authenticatorId;

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const use = (page: Page) => button(page, 'Use device passkey');
  const alertOf = (page: Page) => page.locator('form[data-passkey] [role=alert]');
  const becomes = (page: Page, text: string) =>
    expect.poll(() => page.locator('#device-state').innerText(), { timeout: 10_000 }).toBe(text);
  const deviceOf = async (userId: string) =>
    app.stores.db
      .selectFrom('devices')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
  const led = () => `${origin}/account/devices?next=%2Faccount%2Fdevices%2Frequests`;

  async function ask(page: Page): Promise<void> {
    await page.goto(`${origin}/account/devices`);
    await button(page, 'Request approval').click();
    await becomes(page, texts.pending);
  }

  /** Clears the device with ADMIN_API_KEY. */
  async function approve(userId: string): Promise<void> {
    const { id, number } = await app.stores.db
      .selectFrom('clearance_requests')
      .selectAll()
      .where('user_id', '=', userId)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow();
    await app.services.devices.decisions.decide(
      id,
      { isApproved: true, number, note: undefined },
      { actor: { kind: 'api_key', id: 'env' }, userId: undefined, deviceId: undefined },
    );
  }

  /** An admin on a cleared device, which is bound by its key. */
  async function cleared(options: ContextOptions = {}): Promise<Opened & { userId: string }> {
    const opened = await profile(options);
    const userId = await signIn(opened.context);
    await ask(opened.page);
    await approve(userId);
    await becomes(opened.page, texts.cleared);
    return { ...opened, userId };
  }

  async function addPasskey(page: Page): Promise<void> {
    await page.goto(`${origin}/account`);
    await page.getByLabel('Name').fill('This laptop');
    await button(page, 'Add passkey').click();
    await page.getByText('Passkey added.').waitFor();
  }

  it('opens admin pages, and copied cookies in another profile suspend the device', async () => {
    const { context, page, devtools, userId } = await cleared();
    await addAuthenticator(devtools);
    await page.goto(`${origin}/account/devices/requests`);
    expect(page.url()).toBe(led());
    expect([await use(page).count(), await page.getByText(texts.needed).count()]).toEqual([0, 1]);
    await page.getByRole('link', { name: 'Add a passkey in your account' }).click();
    await addPasskey(page);

    await page.goto(`${origin}/account/devices/requests`);
    expect(page.url()).toBe(led());
    expect(await page.getByText(texts.bound).count()).toBe(0);
    await page
      .getByRole('button', { name: 'Use device passkey', description: texts.needed })
      .click();
    await page.waitForURL(`${origin}/account/devices/requests`);
    expect(await page.title()).toMatch(/^Device requests/);
    expect((await deviceOf(userId)).passkey_id).not.toBeNull();
    await page.goto(`${origin}/account/devices`);
    expect([await use(page).count(), await page.getByText(texts.bound).count()]).toEqual([0, 1]);

    // Another session on the same device has to prove the passkey again; the key is not enough.
    await signIn(context);
    await page.goto(`${origin}/account/devices/requests`);
    expect(page.url()).toBe(led());
    await expect.poll(() => use(page).isVisible()).toBe(true);
    expect(await page.getByText('confirm with your device passkey again').count()).toBe(1);
    await use(page).click();
    await page.waitForURL(`${origin}/account/devices/requests`);

    const thief = await profile({
      userAgent: (await page.evaluate<string>('navigator.userAgent')).replace(
        /Chrome\/\d+/,
        'Chrome/999',
      ),
    });
    await addAuthenticator(thief.devtools);
    await thief.context.addCookies(await context.cookies());
    await thief.page.goto(`${origin}/account/devices/requests`);
    expect(thief.page.url()).toBe(led());
    await becomes(thief.page, texts.suspended);
    expect(await use(thief.page).count()).toBe(0);
    expect(await deviceOf(userId)).toMatchObject({ state: 'suspended', reasons: ['key_missing'] });
  }, 60_000);

  it('can not be bound from a profile with copied cookies', async () => {
    const { context, page, devtools, userId } = await cleared();
    await addAuthenticator(devtools);
    await addPasskey(page);
    const thief = await profile();
    await addAuthenticator(thief.devtools);
    await thief.context.addCookies(await context.cookies());
    // Without the status call, so that the thief's page is not detected before the click.
    await thief.page.route('**/api/auth/blackops/status', (route) => route.abort());
    await thief.page.goto(`${origin}/account/devices`);
    const asked: string[] = [];
    thief.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    complaints = [];
    await use(thief.page).click();
    await expect
      .poll(() => alertOf(thief.page).innerText())
      .toBe('Your browser couldn’t read its device key. Restart it, then reload this page.');
    expect(asked.filter((path) => path.includes('passkey'))).toEqual([]);
    expect((await deviceOf(userId)).passkey_id).toBeNull();
    complaints = complaints.filter((text) => !text.includes('net::ERR_FAILED'));
  }, 40_000);

  it('that is synced, or did not verify the user, is refused on the page', async () => {
    const { page, devtools, userId } = await cleared();
    const synced = await addAuthenticator(devtools, true);
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
    await page.goto(`${origin}/account/devices/requests`);
    expect(page.url()).toBe(led());
  }, 40_000);

  it('can be bound to a pending device, and its page shows it without a reload', async () => {
    const { context, page, devtools } = await profile();
    const userId = await signIn(context);
    await addAuthenticator(devtools);
    await addPasskey(page);
    await ask(page);
    await use(page).click();
    await page.getByText(`Identified by: ${texts.bound}.`).waitFor();
    const news = page.locator('[role=status].visually-hidden');
    expect([await news.innerText(), await use(page).count()]).toEqual(['Passkey accepted.', 0]);
    expect(await deviceOf(userId)).toMatchObject({
      state: 'pending',
      passkey_id: expect.any(String) as string,
    });
    await approve(userId);
    await becomes(page, texts.cleared);
    await page.goto(`${origin}/account/devices/requests`);
    expect(await page.title()).toMatch(/^Device requests/);
  }, 40_000);

  it('has an explanation on the page of where and how it works', async () => {
    const { context, page, devtools, userId } = await cleared();
    await addAuthenticator(devtools);
    await addPasskey(page);
    await context.addInitScript('delete PublicKeyCredential.parseRequestOptionsFromJSON');
    await page.goto(`${origin}/account/devices`);
    await use(page).click();
    await expect
      .poll(() => alertOf(page).innerText())
      .toBe(
        'This browser doesn’t support passkeys on this page. ' +
          'Update the browser, then try again.',
      );

    const at = `http://127.0.0.1:${port}`;
    const { context: byNumber, page: other } = await profile();
    await signIn(byNumber, at);
    await other.goto(`${at}/account/devices`);
    await button(other, 'Request approval').click();
    await use(other).click();
    await expect
      .poll(() => alertOf(other).innerText())
      .toBe(`Passkeys only work at ${origin}. Open that address and try again.`);

    const plain = await profile({ javaScriptEnabled: false });
    await plain.context.addCookies(await context.cookies());
    await plain.page.goto(`${origin}/account/devices`);
    expect([
      await plain.page.getByText(texts.needed).isVisible(),
      await plain.page.locator('form[data-passkey]').isVisible(),
    ]).toEqual([true, false]);
    expect(
      (
        await app.stores.db
          .selectFrom('devices')
          .select('passkey_id')
          .where('user_id', '=', userId)
          .execute()
      ).every(({ passkey_id: id }) => id === null),
    ).toBe(true);
  }, 40_000);

  it.each(['light', 'dark'] as const)(
    'passes axe and fits into 320 pixels, in %s',
    async (colorScheme) => {
      const isGood = async (page: Page) => {
        expect(await axeViolations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          320,
        );
      };
      const { context, page, devtools } = await cleared({
        colorScheme,
        viewport: { width: 320, height: 640 },
      });
      const synced = await addAuthenticator(devtools, true);
      await page.reload();
      await isGood(page);
      await addPasskey(page);
      await page.goto(`${origin}/account/devices`);
      await use(page).click();
      await expect.poll(() => alertOf(page).innerText()).toBe(texts.refused);
      await isGood(page);

      // Replaces the synced authenticator by another one.
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: synced });
      await app.stores.db.deleteFrom('passkeys').execute();
      await addAuthenticator(devtools);
      await addPasskey(page);
      await page.goto(`${origin}/account/devices`);
      await use(page).click();
      await page.getByText(texts.bound).waitFor();
      await isGood(page);
      await signIn(context);
      await page.reload();
      await expect.poll(() => use(page).isVisible()).toBe(true);
      await isGood(page);
    },
    60_000,
  );
});
