import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { codeFor } from '../../support/sign-in.ts';
import { button, codeField, enterEmail, signOut } from './sign-in-page.ts';

/** The pages that change the account. */
const accountPages = [
  '/account/security',
  '/account/sessions',
  '/account/data',
  '/account/profile',
  '/account/email',
  '/account/phone',
  '/account/delete',
  '/account/devices',
];

describe.skipIf(!hasBrowser)('in a real browser, without JavaScript', () => {
  let offset = 0;
  const clock = { now: () => Date.now() + offset };
  const service = useService({ clock, runsJobs: true });
  const browser = useBrowser({
    at: service,
    context: { javaScriptEnabled: false },
    expected: /status of 400 /,
  });

  const signInTo = (page: Page, email: string, url?: string) =>
    enterEmail(service, page, email, url);

  /** Sets up an authenticator app; returns its key and the backup codes. */
  async function enrol(page: Page): Promise<{ secret: string; codes: string[] }> {
    await page.goto('/account/security');
    await button(page, 'Set up authenticator app').click();
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
    const picture = await page.getByRole('img').boundingBox();
    expect(picture?.width).toBeGreaterThan(100);
    await codeField(page).fill(await generate({ secret, epoch: Math.floor(clock.now() / 1000) }));
    await button(page, 'Confirm code').click();
    const codes = await page.locator('ul.codes li').allInnerTexts();
    offset += 30_000;
    return { secret, codes };
  }

  it('signs in by email, keeps the session, signs out', async () => {
    const page = await browser.newPage();
    await page.goto('/account');
    expect(page.url()).toBe(`${service.origin}/login?next=/account`);
    await signInTo(page, 'browser@example.com', '/login?next=/account');
    expect(page.url()).toBe(`${service.origin}/account`);
    expect(
      await page.locator('main').getByText('browser@example.com', { exact: true }).count(),
    ).toBe(1);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: 'svc_session',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      domain: 'localhost',
    });
    await page.goto('/account/sessions');
    expect(await page.getByText('Chrome on').count()).toBe(1);
    await signOut(service, page);
    // The device cookie stays, so that others cannot lock out its owner. It grants no access.
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['svc_known']);
    await page.goto('/account');
    expect(page.url()).toBe(`${service.origin}/login?next=/account`);
  });

  it('shows errors beside the field, and accepts another code or address', async () => {
    const page = await browser.newPage();
    await page.goto('/login');
    await page.getByLabel('Email or phone number').fill('typo@example.com');
    await button(page, 'Send code').click();
    await codeField(page).fill('000000');
    await button(page, 'Sign in').click();
    expect(await page.title()).toMatch(/^Error: Enter your code/);
    expect(
      await page.getByRole('textbox', { name: 'Code', description: /This code is wrong/ }).count(),
    ).toBe(1);
    await codeFor(service.app, 'typo@example.com');
    await button(page, 'Send new code').click();
    await codeField(page).fill(await codeFor(service.app, 'typo@example.com', { after: 1 }));
    await page.getByRole('link', { name: 'Use a different email or phone number' }).click();
    await signInTo(page, 'right@example.com');
    expect(await page.locator('main').getByText('right@example.com', { exact: true }).count()).toBe(
      1,
    );
  });

  it('sets up an authenticator app, and signs in with it and with a backup code', async () => {
    const page = await browser.newPage();
    await signInTo(page, 'app@example.com');
    await page.waitForURL(`${service.origin}/account`);
    const { secret, codes } = await enrol(page);
    expect(codes).toHaveLength(10);
    await signOut(service, page);
    await signInTo(page, 'app@example.com');
    expect(await page.title()).toMatch(/^Two-factor authentication/);
    await codeField(page).fill(await generate({ secret, epoch: Math.floor(clock.now() / 1000) }));
    await button(page, 'Sign in').click();
    await page.waitForURL(`${service.origin}/account`);
    await page.goto('/account/security');
    expect(await button(page, 'Remove authenticator app').count()).toBe(1);
    await signOut(service, page);
    await signInTo(page, 'app@example.com');
    await codeField(page).fill(codes[0]!.toLowerCase());
    await button(page, 'Sign in').click();
    await page.waitForURL(`${service.origin}/account`);
    await page.goto('/account/security');
    expect(await page.getByText('Backup codes left: 9.').count()).toBe(1);
    await button(page, 'Remove authenticator app').click();
    expect(await page.getByText('Authenticator app removed.').count()).toBe(1);
  });

  it('ends sessions of other browsers', async () => {
    const elsewhere = await browser.newPage();
    await signInTo(elsewhere, 'two@example.com');
    const page = await browser.newPage();
    await signInTo(page, 'two@example.com');
    await page.goto('/account/sessions');
    await page.getByRole('button', { name: 'Sign out', description: /Chrome on/ }).click();
    await page.getByText('Session ended.').waitFor();
    await elsewhere.reload();
    expect(elsewhere.url()).toBe(`${service.origin}/login?next=/account`);
  });

  it('works by keyboard, with a visible focus', async () => {
    const page = await browser.newPage();
    const email = 'keys@example.com';
    await page.goto('/login');
    // A key pressed before the browser has set the focus starts at the top of the page.
    await page.locator('input:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await page.locator('input:focus').getAttribute('name')).toBe('identifier');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    expect(await page.locator('button:focus-visible').innerText()).toBe('Send code');
    await Promise.all([page.waitForURL(`${service.origin}/login`), page.keyboard.press('Enter')]);
    await page.getByText('k•••@example.com').waitFor();
    expect(await page.locator('input:focus').getAttribute('name')).toBe('code');
    await page.keyboard.type(await codeFor(service.app, email));
    await Promise.all([page.waitForURL(`${service.origin}/account`), page.keyboard.press('Enter')]);
    expect(await page.locator('main').getByText(email, { exact: true }).count()).toBe(1);
  });

  it('has accessible pages that fit the window', async () => {
    const page = await browser.newPage({ javaScriptEnabled: true });
    const email = 'a-rather-long-address-of-a-person@department.example.com';
    const expectGood = async () => expect(await viewFaults(page), page.url()).toEqual([]);
    await page.goto('/login');
    await expectGood();
    await page.getByLabel('Email or phone number').fill(email);
    await button(page, 'Send code').click();
    await expectGood();
    await codeField(page).fill('000000');
    await button(page, 'Sign in').click();
    await expectGood();
    await codeField(page).fill(await codeFor(service.app, email));
    await button(page, 'Sign in').click();
    expect(page.url()).toBe(`${service.origin}/account`);
    await expectGood();
    for (const path of accountPages) {
      await page.goto(path);
      await expectGood();
    }
    await page.goto('/account/security');
    await button(page, 'Set up authenticator app').click();
    await expectGood();
  }, 120_000);
});
