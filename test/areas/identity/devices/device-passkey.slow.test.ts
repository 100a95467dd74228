import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Authenticators, useAuthenticators } from '../../../support/browser/authenticators.ts';
import { hasBrowser, type OpenOptions, useBrowser } from '../../../support/browser/browser.ts';
import { useService } from '../../../support/browser/service.ts';
import { viewFaults } from '../../../support/browser/views.ts';
import {
  button,
  createDevicePages,
  expectState,
  type OnDevice,
  sameBrowser,
  stateTexts,
} from './device-pages.ts';

const texts = {
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

  const pages = createDevicePages(service, browser);
  const { ask, deviceOf, signIn } = pages;
  const requests = '/account/devices/requests';
  /** Where browsers are led on to. */
  const queue = '/api/svc/console/devices';
  const led = () => `${service.origin}/account/devices?next=%2Faccount%2Fdevices%2Frequests`;
  const use = (page: Page) => button(page, 'Use device passkey');
  const expectAlert = (page: Page, text: string) =>
    expect.poll(() => page.locator('form[data-passkey] [role=alert]').innerText()).toBe(text);

  /** A new browser profile, without authenticators. */
  async function profile(options: OpenOptions = {}) {
    const page = await browser.newPage(options);
    return { page, context: page.context(), ...(await useAuthenticators(page)) };
  }

  /** A profile with the same cookies, and an authenticator of its own. */
  async function thiefOf({ context }: OnDevice, options: OpenOptions = {}) {
    const thief = await profile(options);
    await thief.add();
    await thief.context.addCookies(await context.cookies());
    return thief.page;
  }

  /** An admin on an approved device, which is bound by its key. */
  async function cleared(options: OpenOptions = {}): Promise<OnDevice & Authenticators> {
    const opened = await pages.cleared(email, options);
    return { ...opened, ...(await useAuthenticators(opened.page)) };
  }

  async function addPasskey(page: Page): Promise<void> {
    await page.goto('/account/security');
    await page.getByLabel('Name').fill('This laptop');
    await button(page, 'Add passkey').click();
    await page.getByText('Passkey added.').waitFor();
  }

  it('opens admin pages, and copied cookies in another profile suspend the device', async () => {
    const owner = await cleared();
    const { context, page, add, userId } = owner;
    await add();
    await page.goto(requests);
    expect(page.url()).toBe(led());
    expect(await use(page).count()).toBe(0);
    expect(await page.getByText(texts.needed).count()).toBe(1);
    await page.getByRole('link', { name: 'Add a passkey in your account' }).click();
    await addPasskey(page);

    await page.goto(requests);
    expect(page.url()).toBe(led());
    expect(await page.getByText(texts.bound).count()).toBe(0);
    await page
      .getByRole('button', { name: 'Use device passkey', description: texts.needed })
      .click();
    await page.waitForURL(service.origin + queue);
    expect((await deviceOf(userId)).passkey_id).not.toBeNull();
    await page.goto('/account/devices');
    expect(await use(page).count()).toBe(0);
    expect(await page.getByText(texts.bound).count()).toBe(1);

    // Another session on the same device has to prove the passkey again; the key is not enough.
    await signIn(context, email);
    await page.goto(requests);
    expect(page.url()).toBe(led());
    await expect.poll(() => use(page).isVisible()).toBe(true);
    expect(await page.getByText('confirm with your device passkey again').count()).toBe(1);
    await use(page).click();
    await page.waitForURL(service.origin + queue);

    const thief = await thiefOf(owner, await sameBrowser(page));
    await thief.goto(requests);
    expect(thief.url()).toBe(led());
    await expectState(thief, stateTexts.suspended);
    expect(await use(thief).count()).toBe(0);
    expect(await deviceOf(userId)).toMatchObject({ state: 'suspended', reasons: ['key_missing'] });
  });

  it('can not be bound from a profile with copied cookies', async () => {
    const owner = await cleared();
    await owner.add();
    await addPasskey(owner.page);
    const thief = await thiefOf(owner);
    // Without the status call, so that the thief's page is not detected before the click.
    await thief.route('**/api/auth/blackops/status', (route) => route.abort());
    await thief.goto('/account/devices');
    const asked: string[] = [];
    thief.on('request', (request) => asked.push(new URL(request.url()).pathname));
    browser.complaints();
    await use(thief).click();
    await expectAlert(
      thief,
      'Your browser couldn’t read its device key. Restart the browser, then reload this page.',
    );
    expect(asked.filter((path) => path.includes('passkey'))).toEqual([]);
    expect((await deviceOf(owner.userId)).passkey_id).toBeNull();
    const expected = /net::ERR_FAILED|status of 40[013] /;
    expect(browser.complaints().filter((text) => !expected.test(text))).toEqual([]);
  });

  it('that is synced, or did not verify the user, is refused on the page', async () => {
    const { page, devtools, add, userId } = await cleared();
    const synced = await add({ isSynced: true });
    await addPasskey(page);
    await page.goto(led());
    await use(page).click();
    await expectAlert(page, texts.refused);
    expect(page.url()).toBe(led());
    expect(await use(page).getAttribute('aria-disabled')).toBeNull();

    await devtools.send('WebAuthn.setUserVerified', {
      authenticatorId: synced,
      isUserVerified: false,
    });
    await use(page).click();
    await expectAlert(page, 'Canceled or timed out. Nothing was changed. Try again.');
    expect((await deviceOf(userId)).passkey_id).toBeNull();
    await page.goto(requests);
    expect(page.url()).toBe(led());
  });

  it('can be bound to a pending device, and its page shows it without a reload', async () => {
    const { context, page, add } = await profile();
    const userId = await signIn(context, email);
    await add();
    await addPasskey(page);
    await ask(page);
    await use(page).click();
    await page.getByText(`Identified by: ${texts.bound}.`).waitFor();
    const news = page.locator('[role=status].visually-hidden');
    expect(await news.innerText()).toBe('Passkey accepted.');
    expect(await use(page).count()).toBe(0);
    expect(await deviceOf(userId)).toMatchObject({
      state: 'pending',
      passkey_id: expect.any(String) as string,
    });
    await pages.decide(userId, true);
    await expectState(page, stateTexts.cleared);
  });

  it('has an explanation on the page of where and how it works', async () => {
    const { context, page, add, userId } = await cleared();
    await add();
    await addPasskey(page);
    await context.addInitScript('delete PublicKeyCredential.parseRequestOptionsFromJSON');
    await page.goto('/account/devices');
    await use(page).click();
    await expectAlert(
      page,
      'This browser doesn’t support passkeys on this page. ' +
        'Update the browser, then try again.',
    );

    const at = service.origin.replace('localhost', '127.0.0.1');
    const { context: byNumber, page: other } = await profile();
    await signIn(byNumber, email, { url: at });
    await other.goto(`${at}/account/devices`);
    await button(other, 'Request approval').click();
    await use(other).click();
    await expectAlert(
      other,
      `Passkeys only work at ${service.origin}. Open that address and try again.`,
    );

    const plain = await profile({ javaScriptEnabled: false });
    await plain.context.addCookies(await context.cookies());
    await plain.page.goto('/account/devices');
    expect(await plain.page.getByText(texts.needed).isVisible()).toBe(true);
    expect(await plain.page.locator('form[data-passkey]').isVisible()).toBe(false);
    const devices = service.app.stores.db.selectFrom('devices').select('passkey_id');
    for (const { passkey_id: id } of await devices.where('user_id', '=', userId).execute())
      expect(id).toBeNull();
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
    await expectAlert(page, texts.refused);
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
    await signIn(context, email);
    await page.reload();
    await expect.poll(() => use(page).isVisible()).toBe(true);
    await expectGood(page);
  });
});
