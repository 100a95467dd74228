import type { Locator, Page } from 'playwright-core';
import type { TestService } from '../../support/browser/service.ts';
import { codeFor } from '../../support/sign-in.ts';

export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });
export const codeField = (page: Page): Locator => page.getByLabel(/^Code/);

/** Passes the first factor on the page of sign-ins, with a code from the outbox. */
export async function enterEmail(
  { app }: TestService,
  page: Page,
  email: string,
  url = '/login',
): Promise<void> {
  const after = app.services.outbox.list(email).length;
  await page.goto(url);
  await page.getByLabel('Email or phone number').fill(email);
  await button(page, 'Send code').click();
  await codeField(page).fill(await codeFor(app, email, { after }));
  await button(page, 'Sign in').click();
}

/** Clicks a button, and waits until it has led to a page. */
export const clickTo = (page: Page, name: string, url: string): Promise<unknown> =>
  Promise.all([page.waitForURL(url), button(page, name).click()]);

export async function signOut({ origin }: TestService, page: Page): Promise<void> {
  await page.goto('/account');
  await clickTo(page, 'Sign out', `${origin}/login?done=signed_out`);
}
