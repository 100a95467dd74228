import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { HtmlValidate } from 'html-validate';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { findChromium } from '../../surfaces/pages/chromium.ts';

const program = findChromium();
if (program === undefined)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): the browser tests of signup ' +
      'and deliverability are left out.\n',
  );

/** The folder for screenshots of the pages, if any. */
const shots = process.env.SHOTS;
const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: { 'no-trailing-whitespace': 'off', 'void-style': 'off', 'attribute-boolean-style': 'off' },
});

describe.skipIf(program === undefined)(
  'the pages of signup and deliverability in a real browser',
  () => {
    let app: FreshApp;
    let browser: Browser;
    let origin = '';
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      app = await freshApp();
      await app.services.queues.start();
      await app.http.listen({ host: '127.0.0.1', port: 0 });
      origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
      browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
      if (shots !== undefined) await mkdir(shots, { recursive: true });
    }, 120_000);
    afterAll(async () => {
      await browser.close();
      await app.close();
    });
    beforeEach(() => {
      complaints.length = 0;
      return async () => {
        await Promise.all(contexts.splice(0).map((context) => context.close()));
        // The console also reports the expected 422 responses.
        expect(complaints.filter((text) => !text.includes('status of 422')).join('\n')).toBe('');
      };
    });

    async function visit(
      path: string,
      options: Parameters<Browser['newContext']>[0] = {},
    ): Promise<Page> {
      const context = await browser.newContext({ javaScriptEnabled: true, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(origin)) complaints.push(`outside: ${request.url()}`);
      });
      await page.goto(origin + path);
      return page;
    }

    /**
     * The problems of the page: markup (as the browser serialises it), accessibility, width.
     */
    async function findings(page: Page, name: string): Promise<string[]> {
      const violations = await axeViolations(page);
      const report = await validator.validateString(await page.content());
      const width = await page.evaluate<number>(
        'document.documentElement.scrollWidth - innerWidth',
      );
      if (shots !== undefined)
        await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
      return [
        ...violations,
        ...report.results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line }) => `${ruleId} ${message} ${line}`),
        ),
        ...(width > 0 ? [`${width} px too wide`] : []),
      ];
    }

    describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
      it.each([1280, 320])(
        'at %i px they pass axe-core and html-validate, and fit',
        async (width) => {
          const name = (page: string) => `${page}-${colorScheme}-${width}`;
          const options = { colorScheme, viewport: { width, height: 900 } };
          const signup = await visit('/signup?plan=pro', options);
          expect(await findings(signup, name('signup'))).toEqual([]);
          await signup.getByLabel('Email').fill('somebody@example.com');
          await signup.getByLabel('Phone number').fill('12');
          await signup.getByLabel('I agree').check();
          await signup.getByRole('main').getByRole('button').click();
          expect(await findings(signup, name('signup-again'))).toEqual([]);
          const demo = await visit('/demo/deliverability/', options);
          expect(await findings(demo, name('demo'))).toEqual([]);
          await demo.getByLabel('Postal code').fill('nowhere');
          await demo.getByRole('main').getByRole('button').click();
          expect(await demo.getByLabel('Postal code').getAttribute('aria-describedby')).toBe(
            'zip-error zip-hint',
          );
          expect(await findings(demo, name('demo-again'))).toEqual([]);
          await demo.getByLabel('Postal code').fill('94107');
          await demo.getByRole('main').getByRole('button').click();
          expect(await findings(demo, name('demo-result'))).toEqual([]);
        },
        120_000,
      );
    });

    it('lead from the form to the sign-in, without JavaScript, by keyboard', async () => {
      const page = await visit('/signup', { javaScriptEnabled: false });
      await page.getByLabel('Email').focus();
      await page.keyboard.type('keyboard@example.com');
      for (let at = 0; at < 5; at += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      expect(await page.getByLabel('I agree').isChecked()).toBe(true);
      await page.getByLabel('Email').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
      await vi.waitFor(
        () => expect(app.services.outbox.list('keyboard@example.com')).toHaveLength(1),
        { timeout: 10_000 },
      );
      const token =
        /token=(\S+)/.exec(app.services.outbox.list('keyboard@example.com')[0]?.text ?? '')?.[1] ??
        '';
      await page.goto(`${origin}/signup/confirm?token=${token}`);
      await page.getByRole('button', { name: 'Confirm and sign up' }).press('Enter');
      await page.getByRole('heading', { name: 'You’re signed up' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
      expect(new URL(page.url()).pathname).toBe('/login');
    }, 60_000);

    it('show what a served code costs and when it arrives, as a table', async () => {
      await app.services.zones.create(
        {
          name: 'Bay Area',
          country: 'US',
          codes: [],
          ranges: [{ from: '94000', to: '95199' }],
          prefixes: [],
          rule: false,
          priority: 0,
          currency: 'USD',
          services: [
            {
              code: 'standard',
              min_days: 2,
              max_days: 5,
              price: '4.99',
              cod: true,
              max_weight_g: null,
            },
            {
              code: 'same_day',
              min_days: 0,
              max_days: 0,
              price: null,
              cod: false,
              max_weight_g: 2000,
            },
          ],
        },
        { actor: { kind: 'system' }, address: '127.0.0.1', requestId: 'test' },
      );
      const page = await visit('/demo/deliverability/', {
        javaScriptEnabled: false,
        viewport: { width: 360, height: 900 },
      });
      await page.getByLabel('Postal code').fill('94107-1234');
      await page.getByRole('main').getByRole('button').click();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
        'Delivery to 94107-1234 is available',
      );
      expect(
        (await page.getByRole('row').allInnerTexts()).map((row) => row.split(/\s*\t\s*/)),
      ).toEqual([
        ['Service', 'Delivery time', 'Price', 'Cash on delivery'],
        ['Standard', '2 to 5 days', '4.99 USD', 'Yes'],
        ['Same day', 'Today', 'Not specified', 'No'],
      ]);
      if (shots !== undefined)
        await page.screenshot({ path: `${shots}/demo-served-360.png`, fullPage: true });
    }, 60_000);
  },
);
