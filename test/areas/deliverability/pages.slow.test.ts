import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { documentFaults, takePicture, viewFaults } from '../../support/browser/views.ts';
import { TestClient } from '../../support/client.ts';

describe.skipIf(!hasBrowser)('the pages of signup and deliverability in a real browser', () => {
  const service = useService({ runsJobs: true });
  // The browser reports the status of forms with errors.
  const browser = useBrowser({ at: service, expected: /status of 422/ });

  async function expectGood(page: Page, picture: string): Promise<void> {
    expect(await viewFaults(page, { picture }), picture).toEqual([]);
    expect(await documentFaults(page), picture).toEqual([]);
  }

  it('has a signup form that is accessible, valid and fits, also with errors', async () => {
    const page = await browser.open('/signup?plan=pro');
    await expectGood(page, 'signup');
    await page.getByLabel('Email').fill('somebody@example.com');
    await page.getByLabel('Phone number').fill('12');
    await page.getByLabel('I agree').check();
    await page.getByRole('main').getByRole('button').click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await expectGood(page, 'signup-again');
  });

  it('has a demo that is accessible, valid and fits, also with errors and a result', async () => {
    const page = await browser.open('/demo/deliverability/');
    await expectGood(page, 'demo');
    await page.getByLabel('Postal code').fill('nowhere');
    await page.getByRole('main').getByRole('button').click();
    expect(await page.getByLabel('Postal code').getAttribute('aria-describedby')).toBe(
      'zip-error zip-hint',
    );
    await expectGood(page, 'demo-again');
    await page.getByLabel('Postal code').fill('94107');
    await page.getByRole('main').getByRole('button').click();
    await expectGood(page, 'demo-result');
  });

  it('lead from the form to the sign-in, without JavaScript, by keyboard', async () => {
    const page = await browser.open('/signup?plan=pro', { javaScriptEnabled: false });
    await page.getByLabel('Email').focus();
    await page.keyboard.type('keyboard@example.com');
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.getByLabel('I agree').isChecked()).toBe(true);
    await page.getByLabel('Email').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    const mail = await new TestClient(service.app).mailTo('keyboard@example.com');
    const token = /token=(\S+)/.exec(mail.text)?.[1] ?? '';
    await page.goto(`/signup/confirm?token=${token}`);
    await page.getByRole('button', { name: 'Confirm and sign up' }).press('Enter');
    await page.getByRole('heading', { name: 'You’re signed up' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  it('show what a served code costs and when it arrives, as a table', async () => {
    const standard = { code: 'standard', min_days: 2, max_days: 5, price: '4.99', cod: true };
    const today = { code: 'same_day', min_days: 0, max_days: 0, price: null, cod: false };
    const zone = await new TestClient(service.app)
      .as(asAdmin)
      .post('/api/v1/deliverability/zones', {
        name: 'Bay Area',
        country: 'US',
        ranges: [{ from: '94000', to: '95199' }],
        currency: 'USD',
        services: [standard, { ...today, max_weight_g: 2000 }],
      });
    expect(zone).toMatchObject({ status: 200 });
    const page = await browser.open('/demo/deliverability/', {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 900 },
    });
    await page.getByLabel('Postal code').fill('94107-1234');
    await page.getByRole('main').getByRole('button').click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      'Delivery to 94107-1234 is available',
    );
    // A phone shows rows as cards: their cells stand below each other.
    const rows = await page.getByRole('row').all();
    const cells = await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
    expect(cells).toEqual([
      ['Service', 'Delivery time', 'Price', 'Cash on delivery'],
      ['Standard', '2 to 5 days', '4.99 USD', 'Yes'],
      ['Same day', 'Today', 'Not specified', 'No'],
    ]);
    await takePicture(page, 'demo-served');
  });
});
