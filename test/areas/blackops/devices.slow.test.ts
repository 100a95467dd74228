import { sql } from 'kysely';
import { generate } from 'otplib';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, type OpenOptions, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { codeFor } from '../../support/sign-in.ts';

interface Opened {
  context: BrowserContext;
  page: Page;
  userId: string;
}

describe.skipIf(!hasBrowser)('devices in a real browser', () => {
  let offset = 0;
  const clock = { now: () => Date.now() + offset };
  const service = useService({
    clock,
    env: { OTP_LIMITS: 'off', DEVICE_FIRST: 'nobody' },
    runsJobs: true,
  });
  // The browser reports requests that the tests expect to be refused.
  const browser = useBrowser({ at: service, expected: /status of 40[013] / });

  /** A new browser profile. */
  async function profile(
    options: OpenOptions = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    const page = await browser.newPage(options);
    return { context: page.context(), page };
  }

  /** A profile with a signed-in user on an unknown device. */
  async function signedIn(
    email: string,
    { roles = ['admin'], ...options }: OpenOptions & { roles?: ('admin' | 'viewer')[] } = {},
  ): Promise<Opened> {
    const { context, page } = await profile(options);
    const { user } = await service.app.services.users.signInAs(
      { kind: 'email', key: email, value: email },
      { name: email.split('@', 1).join('') },
    );
    await service.app.services.users.setRoles(user.id, roles);
    const { cookie } = await service.app.services.sessions.openCookie(user, {
      amr: ['otp'],
      acr: 'aal1',
      begun: clock.now(),
      client: 'Chrome on Linux',
    });
    await context.addCookies([
      { name: 'svc_session', value: cookie, url: service.origin, httpOnly: true, sameSite: 'Lax' },
    ]);
    return { context, page, userId: user.id };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const state = (page: Page) => page.locator('#device-state');
  const becomes = (page: Page, text: string) =>
    expect.poll(() => state(page).innerText(), { timeout: 10_000 }).toBe(text);
  const texts = {
    unknown: 'This device is not approved.',
    pending: 'This device is awaiting approval.',
    cleared: 'This device is approved.',
    suspended: 'This device is suspended.',
    denied: 'Approval of this device was denied.',
  };

  const deviceOf = async (userId: string) =>
    service.app.stores.db
      .selectFrom('devices')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('first_seen', 'desc')
      .executeTakeFirstOrThrow();
  const requestOf = async (userId: string) =>
    service.app.stores.db
      .selectFrom('clearance_requests')
      .selectAll()
      .where('user_id', '=', userId)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow();

  /** Decides on the open request with ADMIN_API_KEY. */
  async function decide(userId: string, isApproved: boolean): Promise<void> {
    const { id, number } = await requestOf(userId);
    await service.app.services.devices.decisions.decide(
      id,
      { isApproved, number, note: undefined },
      { actor: { kind: 'api_key', id: 'env' }, userId: undefined, deviceId: undefined },
    );
  }

  async function ask(
    page: Page,
    { name, reason }: { name?: string; reason?: string } = {},
  ): Promise<void> {
    await page.goto(`/account/devices`);
    if (name !== undefined) await page.getByLabel('Device name').fill(name);
    if (reason !== undefined) await page.getByLabel('Reason').fill(reason);
    await button(page, 'Request approval').click();
    await becomes(page, texts.pending);
  }

  /** A user on a cleared device, on the device page. */
  async function cleared(
    email: string,
    options: Parameters<typeof signedIn>[1] = {},
  ): Promise<Opened> {
    const opened = await signedIn(email, options);
    await ask(opened.page);
    await decide(opened.userId, true);
    if (options.javaScriptEnabled === false) await opened.page.reload();
    await becomes(opened.page, texts.cleared);
    return opened;
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
    const { context, page, userId } = await cleared(email);
    expect(await deviceOf(userId)).toMatchObject({
      state: 'cleared',
      jkt: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    await page.goto(`/account/devices/requests`);
    expect(await page.title()).toMatch(/^Device requests/);

    // The thief's browser has the same version, so that no other rule applies.
    const thief = await profile({
      userAgent: (await page.evaluate<string>('navigator.userAgent')).replace(
        /Chrome\/\d+/,
        'Chrome/999',
      ),
    });
    await thief.context.addCookies(await context.cookies());
    const answer = await thief.page.goto(`/account/devices/requests`);
    expect({
      answerUrl: answer?.request().redirectedFrom()?.url(),
      thiefUrl: thief.page.url(),
    }).toEqual({
      answerUrl: `${service.origin}/account/devices/requests`,
      thiefUrl: `${service.origin}/account/devices?next=%2Faccount%2Fdevices%2Frequests`,
    });
    await becomes(thief.page, texts.suspended);
    expect(await deviceOf(userId)).toMatchObject({ state: 'suspended', reasons: ['key_missing'] });

    await page.goto(`/account/devices/requests`);
    expect(page.url()).toBe(
      `${service.origin}/account/devices?next=%2Faccount%2Fdevices%2Frequests`,
    );
    expect(await state(page).innerText()).toBe(texts.suspended);
    expect(await page.getByText('The device was used without its key.').count()).toBe(1);

    // The owner can't restore it without a second factor.
    expect(await button(page, 'Restore device').count()).toBe(0);
    const code = await withApp(userId);
    await page.reload();
    await button(page, 'Restore device').click();
    await page.waitForURL(`${service.origin}/login?next=/account/devices&reason=second_factor`);
    await signInAgain(page, email, code);
    await page.waitForURL(`${service.origin}/account/devices`);
    const before = (await context.cookies()).find(({ name }) => name === 'svc_device')?.value;
    await button(page, 'Restore device').click();
    await becomes(page, texts.cleared);
    expect(await page.getByText('no longer work.').count()).toBe(1);
    expect((await context.cookies()).find(({ name }) => name === 'svc_device')?.value).not.toBe(
      before,
    );
    await page.goto(`/account/devices/requests`);
    expect(await page.title()).toMatch(/^Device requests/);

    await thief.page.goto(`/account/devices/requests`);
    expect(thief.page.url()).toBe(`${service.origin}/login?next=/account/devices/requests`);
    expect(await deviceOf(userId)).toMatchObject({ state: 'cleared' });
  });

  it('an admin clears a device by keyboard alone; its page updates without a reload', async () => {
    const approver = await cleared('first@example.com');
    const asking = await signedIn('second@example.com');
    await ask(asking.page, { name: 'New laptop', reason: 'The old one is broken' });
    const number = await asking.page.locator('.number').innerText();
    expect(number).toMatch(/^\d\d$/);

    const { page } = approver;
    await page.goto(`/account/devices/requests`);
    expect(await page.content()).not.toContain(`>${number}<`);
    const focused = () =>
      page.evaluate<string>(`(() => {
        const element = document.querySelector(':focus-visible');
        return element?.labels?.[0]?.innerText || element?.innerText || '';
      })()`);
    const tabTo = async (name: string) => {
      for (let at = 0; at < 20 && (await focused()) !== name; at += 1)
        await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await tabTo('Number on the device');
    await page.keyboard.type(number === '00' ? '01' : '00');
    await page.keyboard.press('Enter');
    await page.getByText('The device shows a different number.').waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    // The focus is in the invalid field, which is described by its error.
    expect(await focused()).toBe('Number on the device');
    expect(
      await page
        .getByRole('textbox', {
          name: 'Number on the device',
          description: /The device shows a different number/,
        })
        .count(),
    ).toBe(1);
    await page.keyboard.type(number);
    await tabTo('Approve');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.origin}/account/devices/requests?done=approved`);
    expect(await page.getByText('Device approved.').count()).toBe(1);
    expect(await page.getByText('New laptop, second, second@example.com').count()).toBe(1);

    await becomes(asking.page, texts.cleared);
    const news = asking.page.locator('[role=status].visually-hidden');
    expect(await news.innerText()).toBe(texts.cleared);
    await asking.page.getByRole('link', { name: 'Device requests' }).click();
    expect(await asking.page.title()).toMatch(/^Device requests/);
  });

  it('the key can not be extracted from the browser', async () => {
    const { page } = await cleared('key@example.com');
    const found = await page.evaluate<{
      count: number;
      extractable: boolean;
      type: string;
      refusals: string[];
    }>(`(async () => {
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
    expect(found).toMatchObject({ count: 1, extractable: false, type: 'private' });
    expect(found.refusals).toEqual([
      'InvalidAccessError',
      'InvalidAccessError',
      'InvalidAccessError',
    ]);
  });

  it('the browser returns to the requested page once its key is proved again', async () => {
    const { page } = await cleared('onward@example.com');
    offset += 6 * 60_000;
    try {
      await page.goto(`/account/devices/requests`);
      await page.waitForURL(`${service.origin}/account/devices/requests`);
      expect(await page.title()).toMatch(/^Device requests/);
    } finally {
      offset -= 6 * 60_000;
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
    await becomes(page, texts.cleared);
    await page.goto(`/account/devices/requests`);
    expect(await page.title()).toMatch(/^Device requests/);
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
    const { user } = await service.app.services.users.signInAs({
      kind: 'email',
      key: 'two@example.com',
      value: 'two@example.com',
    });
    const { cookie } = await service.app.services.sessions.openCookie(user, {
      amr: ['otp'],
      acr: 'aal1',
      begun: clock.now(),
      client: 'Chrome on Linux',
    });
    const session = (value: string) => ({
      name: 'svc_session',
      value,
      url: service.origin,
      httpOnly: true,
      sameSite: 'Lax' as const,
    });
    await one.context.addCookies([session(cookie)]);
    await ask(one.page);
    await one.context.addCookies([
      session(first.find(({ name }) => name === 'svc_session')?.value ?? ''),
    ]);
    await one.page.goto(`/account/devices`);
    await becomes(one.page, texts.cleared);
    expect((await deviceOf(one.userId)).state).toBe('cleared');
    expect((await deviceOf(user.id)).jkt).toBe((await deviceOf(one.userId)).jkt);
  });

  it('without JavaScript, devices are bound by their cookies', async () => {
    const options = { javaScriptEnabled: false };
    const { page: approver } = await cleared('plain-first@example.com', options);
    const asking = await signedIn('plain-second@example.com', options);
    await ask(asking.page);
    expect(await deviceOf(asking.userId)).toMatchObject({ state: 'pending', jkt: null });
    const number = await asking.page.locator('.number').innerText();
    await approver.goto(`${service.origin}/account/devices/requests`);
    const request = approver.locator('article').filter({ hasText: 'plain-second' });
    await request.getByLabel('Number on the device').fill(number === '00' ? '01' : '00');
    await request.getByRole('button', { name: 'Approve' }).click();
    expect(await approver.getByText('The device shows a different number.').count()).toBe(1);
    await request.getByLabel('Number on the device').fill(number);
    await request.getByRole('button', { name: 'Approve' }).click();
    expect(approver.url()).toBe(`${service.origin}/account/devices/requests?done=approved`);
    await asking.page.reload();
    expect(await state(asking.page).innerText()).toBe(texts.cleared);
    await asking.page.goto(`/account/devices/requests`);
    expect(await asking.page.title()).toMatch(/^Device requests/);

    await asking.page.goto(`/account/devices`);
    await asking.page.locator('summary').click();
    await asking.page.getByLabel('New name').fill('Plain & simple');
    await button(asking.page, 'Rename').click();
    expect(await asking.page.getByText('Plain & simple').count()).toBe(1);
    await button(asking.page, 'Remove this device and sign out').click();
    expect(asking.page.url()).toBe(`${service.origin}/login?next=/account/devices&done=signed_out`);
    expect(await asking.context.cookies()).toEqual([]);
  });

  describe('in each view', () => {
    async function expectGood(page: Page, name: string): Promise<void> {
      expect(await viewFaults(page, { picture: `device-${name}` }), name).toEqual([]);
    }

    it('is accessible and fits the window in every state of a device of a device', async () => {
      const email = 'axe-device@example.com';
      const { page, userId } = await signedIn(email);
      await page.goto(`/account/devices?next=/account/devices/requests`);
      await expectGood(page, 'unknown');
      await ask(page, {
        name: 'A name that is rather long, as long as a name may be, and a bit',
      });
      await expectGood(page, 'pending');
      await decide(userId, false);
      await becomes(page, texts.denied);
      await expectGood(page, 'denied');
      await button(page, 'Remove device and start over').click();
      await page.waitForURL(/\/login/);

      const other = await cleared(email);
      const third = await cleared(email, {
        userAgent:
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
          'Chrome/130.0.0.0 Safari/537.36',
      });
      await third.page.reload();
      await expectGood(third.page, 'cleared-with-another');
      await button(third.page, 'Suspend').click();
      await third.page.getByText('Device suspended.').waitFor();
      await other.page.reload();
      await expectGood(other.page, 'suspended');
      await withApp(userId);
      await other.page.reload();
      await expectGood(other.page, 'suspended-restorable');
      const device = await deviceOf(userId);
      await service.app.services.devices.management.get(device.id, 'all');
      await sql`
          update devices set expires_at = now() - interval '1 second'
          where id = ${device.id}::uuid`.execute(service.app.stores.db);
      await third.page.reload();
      await becomes(third.page, 'The approval expired, or no admin decided in time.');
      await expectGood(third.page, 'expired');
      await button(third.page, 'Remove').click();
      await third.page.getByText('Device removed.').waitFor();
      await expectGood(third.page, 'no-other');
    }, 90_000);

    it('is accessible and fits the window on the page of requests', async () => {
      const { page, userId } = await cleared('axe-approver@example.com');
      const asking = await signedIn('axe-asking@example.com');
      await ask(asking.page, {
        name: 'A laptop',
        reason:
          'A reason that goes on for a while, so that it takes more than one line ' +
          'wherever it is shown',
      });
      const own = await signedIn('axe-approver@example.com');
      await ask(own.page, { name: 'My other laptop' });
      await page.goto(`/account/devices/requests`);
      await expectGood(page, 'requests');
      const request = page.locator('article').filter({ hasText: 'axe-asking' });
      await request
        .getByLabel('Number on the device')
        .fill((await requestOf(asking.userId)).number === '00' ? '01' : '00');
      await request.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The device shows a different number.').waitFor();
      await expectGood(page, 'requests-wrong');
      await decide(asking.userId, true);
      await decide(userId, false);
      await page.goto(`/account/devices/requests`);
      await expectGood(page, 'requests-decided');
    }, 90_000);
  });
});
