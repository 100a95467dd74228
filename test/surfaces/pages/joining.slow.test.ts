import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { codeFor } from '../../support/sign-in.ts';
import { button, codeField } from './sign-in-page.ts';

const header = (page: Page, name: string) =>
  page.locator('header').getByRole('link', { name, exact: true });

describe.skipIf(!hasBrowser)('a customer, without JavaScript', () => {
  const service = useService({ runsJobs: true });
  const browser = useBrowser({ at: service, context: { javaScriptEnabled: false } });

  it('signs up with one field and one code, and the header knows them', async () => {
    const page = await browser.newPage();
    await page.goto('/');
    expect(await header(page, 'Account').isVisible()).toBe(false);
    await header(page, 'Sign up').click();
    expect(await page.locator('main input:visible').count()).toBe(1);
    await page.getByLabel('Email').fill('new@customer.example');
    await button(page, 'Send code').click();
    await codeField(page).fill(await codeFor(service.app, 'new@customer.example'));
    expect(await button(page, 'Sign in').count()).toBe(0);
    await button(page, 'Create account').click();
    expect(page.url()).toBe(`${service.origin}/account`);
    expect(service.app.services.outbox.list('new@customer.example')).toHaveLength(1);
    await page.goto('/');
    expect(await header(page, 'Account').isVisible()).toBe(true);
    expect(await header(page, 'Sign in').isVisible()).toBe(false);
    expect(await header(page, 'Console').isVisible()).toBe(false);
  }, 60_000);

  it('sees the plans at an address that gives programs JSON', async () => {
    const page = await browser.newPage();
    await page.goto('/pricing');
    await page.getByRole('heading', { name: 'Self-hosted' }).waitFor();
    const limit = page.getByText('500 events in one request', { exact: true });
    expect(await limit.isVisible()).toBe(true);
  }, 60_000);
});
