import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Role } from '../../../../src/lib/access.ts';
import type { OpenOptions, TestBrowser } from '../../../support/browser/browser.ts';
import type { TestService } from '../../../support/browser/service.ts';
import { openRequestOf } from './support.ts';

export const stateTexts = {
  unknown: 'One more step: an admin needs to approve this browser.',
  pending: 'This device is awaiting approval.',
  cleared: 'This device is approved.',
  suspended: 'This device is suspended.',
  denied: 'The approval request for this device was denied.',
};

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Waits until the page shows this state of the device. */
export const expectState = (page: Page, text: string) =>
  expect.poll(() => page.locator('#device-state').innerText(), { timeout: 10_000 }).toBe(text);

/** The options of a browser that looks like this one, but whose version is the highest. */
export const sameBrowser = async (page: Page): Promise<OpenOptions> => ({
  userAgent: (await page.evaluate<string>('navigator.userAgent')).replace(
    /Chrome\/\d+/,
    'Chrome/999',
  ),
});

export interface OnDevice {
  context: BrowserContext;
  page: Page;
  userId: string;
}

type SignInOptions = OpenOptions & { roles?: Role[] };

/** People who use the pages of devices in a real browser. */
export function createDevicePages(
  service: TestService,
  browser: TestBrowser,
  now: () => number = Date.now,
) {
  async function signIn(
    context: BrowserContext,
    email: string,
    { roles = ['admin'], url = service.origin }: { roles?: Role[]; url?: string } = {},
  ): Promise<string> {
    const { users, sessions } = service.app.services;
    const identity = { kind: 'email', key: email, value: email } as const;
    const { user } = await users.signInAs(identity, {
      profile: { name: email.split('@', 1).join('') },
    });
    await users.setRoles(user.id, roles);
    const { cookie: value } = await sessions.openCookie(user, {
      amr: ['otp'],
      acr: 'aal1',
      begun: now(),
      client: 'Chrome on Linux',
    });
    await context.addCookies([
      { name: 'svc_session', value, url, httpOnly: true, sameSite: 'Lax' },
    ]);
    return user.id;
  }

  /** Signs in on an unknown device: a new browser profile. */
  async function signedIn(
    email: string,
    { roles = ['admin'], ...options }: SignInOptions = {},
  ): Promise<OnDevice> {
    const page = await browser.newPage(options);
    const context = page.context();
    return { context, page, userId: await signIn(context, email, { roles }) };
  }

  async function ask(
    page: Page,
    { name, reason }: { name?: string; reason?: string } = {},
  ): Promise<void> {
    await page.goto('/account/devices');
    if (name !== undefined) await page.getByLabel('Device name').fill(name);
    if (reason !== undefined) await page.getByLabel('Reason').fill(reason);
    await button(page, 'Request approval').click();
    await expectState(page, stateTexts.pending);
  }

  const openRequest = (userId: string) => openRequestOf(service.app, userId);

  /** Decides on the open request with ADMIN_API_KEY. */
  async function decide(userId: string, isApproved: boolean): Promise<void> {
    const { id, number } = await openRequest(userId);
    await service.app.services.devices.decisions.decide(
      id,
      { isApproved, number, note: undefined },
      { actor: { kind: 'api_key', id: 'env' }, userId: undefined, deviceId: undefined },
    );
  }

  /** Signs in on an approved device, and stays on its page. */
  async function cleared(email: string, options: SignInOptions = {}): Promise<OnDevice> {
    const opened = await signedIn(email, options);
    await ask(opened.page);
    await decide(opened.userId, true);
    // The page would notice by itself, but not at once.
    await opened.page.reload();
    await expectState(opened.page, stateTexts.cleared);
    return opened;
  }

  return {
    signIn,
    signedIn,
    ask,
    openRequest,
    decide,
    cleared,
    /** The newest device of a user. */
    deviceOf: (userId: string) =>
      service.app.stores.db
        .selectFrom('devices')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('first_seen', 'desc')
        .executeTakeFirstOrThrow(),
  };
}
