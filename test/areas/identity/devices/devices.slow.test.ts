import { sql } from 'kysely';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { hasBrowser, useBrowser } from '../../../support/browser/browser.ts';
import { useService } from '../../../support/browser/service.ts';
import { viewFaults, type ViewOptions } from '../../../support/browser/views.ts';
import { chromeOnMac } from '../../../support/devices.ts';
import { rounds } from '../../../support/rounds.ts';
import { codeFor } from '../../../support/sign-in.ts';
import { button, createDevicePages, expectState, sameBrowser, stateTexts } from './device-pages.ts';
import { createTestClock, wrongNumber } from './support.ts';

describe.skipIf(!hasBrowser)('devices in a real browser', () => {
  const clock = createTestClock();
  const service = useService({
    clock,
    env: { OTP_LIMITS: 'off', DEVICE_FIRST: 'nobody' },
    runsJobs: true,
  });
  // The browser reports requests that the tests expect to be refused.
  const browser = useBrowser({ at: service, expected: /status of 40[013] / });

  const { ask, cleared, decide, deviceOf, openRequest, signedIn, signIn } = createDevicePages(
    service,
    browser,
    clock.now,
  );
  const requests = '/account/devices/requests';
  const queue = '/api/svc/console/devices';
  /** Browsers are led on to the console. */
  async function expectRequests(page: Page): Promise<void> {
    await page.goto(requests);
    expect(page.url()).toBe(service.origin + queue);
    expect(await page.title()).toMatch(/^Devices/);
  }
  /** Sets up an authenticator app for the user. */
  async function withApp(userId: string): Promise<() => Promise<string>> {
    const { secret } = await service.app.services.secondFactor.enrolTotp(userId, 'person');
    await sql`update totp_factors set verified_at = now() where user_id = ${userId}::uuid`.execute(
      service.app.stores.db,
    );
    return () => generate({ secret, epoch: Math.floor(clock.now() / 1000) });
  }

  /** Signs in with both factors on the sign-in page. */
  async function signInAgain(
    page: Page,
    email: string,
    code: () => Promise<string>,
  ): Promise<void> {
    const after = service.app.services.outbox.list(email).length;
    await page.getByLabel('Email or phone number').fill(email);
    await button(page, 'Send code').click();
    await page.getByLabel(/^Code/).fill(await codeFor(service.app, email, { after }));
    await button(page, 'Sign in').click();
    await page.getByLabel(/^Code from your app/).fill(await code());
    await button(page, 'Sign in').click();
  }

  it('copied cookies give no access, and are dead after a restore', async () => {
    const email = 'owner@example.com';
    const led = `${service.origin}/account/devices?next=%2Faccount%2Fdevices%2Frequests`;
    const { context, page, userId } = await cleared(email);
    expect(await deviceOf(userId)).toMatchObject({
      state: 'cleared',
      jkt: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    await expectRequests(page);

    // The thief's browser has the same version, so that no other rule applies.
    const thief = await browser.newPage(await sameBrowser(page));
    await thief.context().addCookies(await context.cookies());
    const response = await thief.goto(requests);
    expect(response?.request().redirectedFrom()?.url()).toBe(service.origin + requests);
    expect(thief.url()).toBe(led);
    await expectState(thief, stateTexts.suspended);
    expect(await deviceOf(userId)).toMatchObject({ state: 'suspended', reasons: ['key_missing'] });

    // The page that the owner is on notices it.
    await page.waitForURL(`${service.origin}/account/devices?next=${encodeURIComponent(queue)}`);
    await expectState(page, stateTexts.suspended);
    expect(await page.getByText('The device was used without its key.').count()).toBe(1);

    // The owner can't restore it without a second factor.
    expect(await button(page, 'Restore device').count()).toBe(0);
    const code = await withApp(userId);
    await page.reload();
    await button(page, 'Restore device').click();
    await page.waitForURL(`${service.origin}/login?next=/account/devices&reason=second_factor`);
    await signInAgain(page, email, code);
    await page.waitForURL(`${service.origin}/account/devices`);
    const deviceCookie = async () =>
      (await context.cookies()).find(({ name }) => name === 'svc_device')?.value;
    const before = await deviceCookie();
    await button(page, 'Restore device').click();
    await expectState(page, stateTexts.cleared);
    expect(await page.getByText('no longer work.').count()).toBe(1);
    expect(await deviceCookie()).not.toBe(before);
    await expectRequests(page);

    await thief.goto(requests);
    expect(thief.url()).toBe(`${service.origin}/login?next=/account/devices/requests`);
    expect(await deviceOf(userId)).toMatchObject({ state: 'cleared' });
  });

  it('an admin clears a device by keyboard alone; its page updates without a reload', async () => {
    const approver = await cleared('first@example.com');
    const asking = await signedIn('second@example.com');
    await ask(asking.page, { name: 'New laptop', reason: 'The old one is broken' });
    const number = await asking.page.locator('.number').innerText();
    expect(number).toMatch(/^\d\d$/);

    const { page } = approver;
    await page.goto(`${queue}/requests/${(await openRequest(asking.userId)).id}`);
    expect(await page.content()).not.toContain(`>${number}<`);
    const focused = () =>
      page.evaluate<string>(`(() => {
        const element = document.querySelector(':focus-visible');
        return element?.labels?.[0]?.innerText || element?.innerText || '';
      })()`);
    const tabTo = async (name: string) => {
      for (let at = 0; at < 60 && (await focused()) !== name; at += 1)
        await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await tabTo('Number shown on the device');
    await page.keyboard.type(wrongNumber(number));
    await page.keyboard.press('Enter');
    await page.getByText('The number doesn’t match the device').waitFor();
    await tabTo('Number shown on the device');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(number);
    await tabTo('Approve');
    await page.keyboard.press('Enter');
    await page.getByText('Device approved.').waitFor();

    await expectState(asking.page, stateTexts.cleared);
    const news = asking.page.locator('[role=status].visually-hidden');
    expect(await news.innerText()).toBe(stateTexts.cleared);
    await asking.page.getByRole('link', { name: 'Device requests' }).click();
    await asking.page.waitForURL(service.origin + queue);
  });

  it('the key can not be extracted from the browser', async () => {
    const { page } = await cleared('key@example.com');
    const found = await page.evaluate(`(async () => {
      const resultOf = (request) => new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
      const database = await resultOf(indexedDB.open('device'));
      const keys = await resultOf(database.transaction('keys').objectStore('keys').getAll());
      const [{ privateKey }] = keys;
      const refusals = [];
      for (const format of ['jwk', 'pkcs8', 'raw'])
        await crypto.subtle.exportKey(format, privateKey)
          .catch((error) => refusals.push(error.name));
      const { extractable, type } = privateKey;
      return { count: keys.length, extractable, type, refusals };
    })()`);
    const refusals = ['InvalidAccessError', 'InvalidAccessError', 'InvalidAccessError'];
    expect(found).toEqual({ count: 1, extractable: false, type: 'private', refusals });
  });

  it('the browser returns to the requested page once its key is proved again', async () => {
    const { page } = await cleared('onward@example.com');
    clock.pass(6 * minuteMs);
    try {
      await page.goto(requests);
      await page.waitForURL(service.origin + queue);
    } finally {
      clock.pass(-6 * minuteMs);
    }
  });

  it('a browser without storage binds the device by its cookie', async () => {
    const { context, page, userId } = await signedIn('private@example.com');
    await context.addInitScript(
      "indexedDB.open = () => { throw new DOMException('not here', 'InvalidStateError'); }",
    );
    await ask(page);
    expect(await deviceOf(userId)).toMatchObject({ state: 'pending', jkt: null });
    await decide(userId, true);
    await page.reload();
    await expectState(page, stateTexts.cleared);
    await expectRequests(page);
  });

  it('a key that is temporarily unreadable does not suspend the device', async () => {
    const { context, page, userId } = await cleared('unreadable@example.com');
    await context.addInitScript(
      "indexedDB.open = () => { throw new DOMException('not now', 'UnknownError'); }",
    );
    await page.reload();
    await page.getByText('Your browser couldn’t read its device key.').waitFor();
    expect(await deviceOf(userId)).toMatchObject({ state: 'cleared' });
  });

  it('two users of one browser keep their own devices, and share one key', async () => {
    const one = await cleared('one@example.com');
    const first = await one.context.cookies();
    const two = await signIn(one.context, 'two@example.com', { roles: [] });
    await ask(one.page);
    await one.context.addCookies(first.filter(({ name }) => name === 'svc_session'));
    await one.page.goto('/account/devices');
    await expectState(one.page, stateTexts.cleared);
    expect((await deviceOf(one.userId)).state).toBe('cleared');
    expect((await deviceOf(two)).jkt).toBe((await deviceOf(one.userId)).jkt);
  });

  it('without JavaScript, devices are bound by their cookies', async () => {
    const options = { javaScriptEnabled: false };
    const { page: approver } = await cleared('plain-first@example.com', options);
    const asking = await signedIn('plain-second@example.com', options);
    await ask(asking.page);
    expect(await deviceOf(asking.userId)).toMatchObject({ state: 'pending', jkt: null });
    const number = await asking.page.locator('.number').innerText();
    await approver.goto(service.origin + requests);
    const request = approver.locator('#queue tr').filter({ hasText: 'plain-second' });
    await request.getByRole('link', { name: 'Review' }).click();
    await approver.getByLabel('Number shown on the device').fill(wrongNumber(number));
    await button(approver, 'Approve').click();
    await approver.getByText('The number doesn’t match the device').waitFor();
    await approver.getByLabel('Number shown on the device').fill(number);
    await button(approver, 'Approve').click();
    await approver.getByText('Device approved.').waitFor();
    await asking.page.reload();
    expect(await asking.page.locator('#device-state').innerText()).toBe(stateTexts.cleared);
    await expectRequests(asking.page);

    await asking.page.goto('/account/devices');
    await button(asking.page, 'Rename').click();
    await asking.page.getByLabel('New name').fill('Plain & simple');
    await button(asking.page, 'Save name').click();
    expect(await asking.page.locator('#this-device').innerText()).toContain('Plain & simple');
    await button(asking.page, 'Remove this device and sign out').click();
    expect(asking.page.url()).toBe(`${service.origin}/login?next=/account/devices&done=signed_out`);
    expect(await asking.context.cookies()).toEqual([]);
  });

  describe('in each view', () => {
    async function expectGood(page: Page, name: string, options: ViewOptions = {}): Promise<void> {
      const picture = `device-${name}`;
      expect(await viewFaults(page, { picture, ...options }), name).toEqual([]);
    }
    /** For pages that have less on them than others that are checked in all views. */
    const similar: ViewOptions = rounds(0, 1) === 0 ? { widths: [320] } : {};

    it('is accessible and fits the window in every state of a device', async () => {
      const email = 'axe-device@example.com';
      const { page, userId } = await signedIn(email);
      await page.goto(`/account/devices?next=/account/devices/requests`);
      await expectGood(page, 'unknown');
      await ask(page, {
        name: 'A name that is rather long, as long as a name may be, and a bit',
      });
      await expectGood(page, 'pending');
      await decide(userId, false);
      await page.reload();
      await expectState(page, stateTexts.denied);
      await expectGood(page, 'denied', similar);
      await button(page, 'Remove device and start over').click();
      await page.waitForURL(/\/login/);

      const other = await cleared(email);
      const third = await cleared(email, { userAgent: chromeOnMac });
      await expectGood(third.page, 'cleared-with-another');
      await button(third.page, 'Suspend').click();
      await third.page.getByText('Device suspended.').waitFor();
      await other.page.reload();
      await expectGood(other.page, 'suspended', similar);
      await withApp(userId);
      await other.page.reload();
      await expectGood(other.page, 'suspended-restorable');
      const device = await deviceOf(userId);
      await sql`
          update devices set expires_at = now() - interval '1 second'
          where id = ${device.id}::uuid`.execute(service.app.stores.db);
      await third.page.reload();
      await expectState(
        third.page,
        'This device’s approval has expired, or no admin responded to your request in time.',
      );
      await expectGood(third.page, 'expired', similar);
      await button(third.page, 'Remove').click();
      await third.page.getByText('Device removed.').waitFor();
      await expectGood(third.page, 'no-other', similar);
    }, 90_000);
  });
});
