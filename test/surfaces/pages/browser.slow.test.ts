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
    expect(await page.getByText('browser@example.com', { exact: true }).count()).toBe(1);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: 'svc_session',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      domain: 'localhost',
    });
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
    await codeField(page).fill('12345');
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
    expect(await page.getByText('right@example.com', { exact: true }).count()).toBe(1);
  });

  it('sets up an authenticator app, and signs in with it and with a backup code', async () => {
    const page = await browser.newPage();
    await signInTo(page, 'app@example.com');
    const { secret, codes } = await enrol(page);
    expect(codes).toHaveLength(10);
    await signOut(service, page);
    await signInTo(page, 'app@example.com');
    expect(await page.title()).toMatch(/^Two-factor authentication/);
    await codeField(page).fill(await generate({ secret, epoch: Math.floor(clock.now() / 1000) }));
    await button(page, 'Sign in').click();
    expect(await button(page, 'Remove authenticator app').count()).toBe(1);
    await signOut(service, page);
    await signInTo(page, 'app@example.com');
    await codeField(page).fill(codes[0]!.toLowerCase());
    await button(page, 'Sign in').click();
    expect(await page.getByText('Backup codes left: 9.').count()).toBe(1);
    await button(page, 'Remove authenticator app').click();
    expect(await page.getByText('Authenticator app removed.').count()).toBe(1);
  });

  it('ends sessions of other browsers', async () => {
    const elsewhere = await browser.newPage();
    await signInTo(elsewhere, 'two@example.com');
    const page = await browser.newPage();
    await signInTo(page, 'two@example.com');
    await page.getByRole('button', { name: 'End session', description: /Chrome on/ }).click();
    expect(await page.getByRole('status').innerText()).toBe('Session ended.');
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
    expect(await page.getByText(email, { exact: true }).count()).toBe(1);
  });

  it('has accessible pages that fit narrow windows with sufficient contrast', async () => {
    const page = await browser.newPage({ javaScriptEnabled: true });
    const email = 'a-rather-long-address-of-a-person@department.example.com';
    await page.goto('/login');
    await expectGood(page);
    await page.getByLabel('Email or phone number').fill(email);
    await button(page, 'Send code').click();
    await expectGood(page);
    await codeField(page).fill('000000');
    await button(page, 'Sign in').click();
    await expectGood(page);
    await codeField(page).fill(await codeFor(service.app, email));
    await button(page, 'Sign in').click();
    expect(page.url()).toBe(`${service.origin}/account`);
    await expectGood(page);
    for (const path of accountPages) {
      await page.goto(path);
      await expectGood(page);
    }
    await page.goto('/account');
    await button(page, 'Set up authenticator app').click();
    await expectGood(page);
  }, 120_000);

  async function expectGood(page: Page): Promise<void> {
    expect(await viewFaults(page, { widths: [1280] }), page.url()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { width, pairs } = await page.evaluate<Look>(look);
      expect(width, page.url()).toBeLessThanOrEqual(320);
      for (const [color, ground] of pairs)
        expect(contrast(color, ground), page.url()).toBeGreaterThanOrEqual(4.5);
    }
  }
});

interface Look {
  width: number;
  /** Colours of texts and of their backgrounds. */
  pairs: [color: string, ground: string][];
}

// A string, because it runs in the page.
const look = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  // Computed colours keep the notation of the stylesheet, such as oklch().
  const asRgb = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return 'rgb(' + [red, green, blue].join(', ') + ')';
  };
  const pairs = [...document.querySelectorAll('h1, p, label, a, button, code')].map((element) => {
    let behind = element;
    const ground = () => getComputedStyle(behind).backgroundColor;
    while (behind !== null && ground() === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    const colors = [getComputedStyle(element).color, behind === null ? 'white' : ground()];
    return colors.map(asRgb);
  });
  return { width: document.documentElement.scrollWidth, pairs };
})()`;

/** Relative luminance (WCAG 2.2) of `rgb(r, g, b)`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 1, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
