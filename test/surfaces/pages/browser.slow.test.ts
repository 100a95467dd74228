import { generate } from 'otplib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { freePort } from '../../support/redis-server.ts';
import { codeFor } from '../../support/sign-in.ts';
import { findChromium } from './chromium.ts';

/** The pages that change the account. */
const accountPages = [
  '/account/profile',
  '/account/email',
  '/account/phone',
  '/account/delete',
  '/account/devices',
];

const program = findChromium();
if (program === undefined)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): the browser tests of the pages ' +
      'are left out.\n',
  );

describe.skipIf(program === undefined)('in a real browser, without JavaScript', () => {
  let app: FreshApp;
  let browser: Browser;
  let origin = '';
  let offset = 0;
  const clock = { now: () => Date.now() + offset };

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    app = await freshApp({ clock, env: { PORT: String(port) } });
    await app.services.queues.start();
    await app.http.listen({ port, host: '127.0.0.1' });
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  /**
   * Runs `use` with a page of a new browser profile. Fails when the policy blocks something, or a
   * resource fails to load.
   */
  async function withPage(
    use: (page: Page) => Promise<void>,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<void> {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    const browserErrors: string[] = [];
    try {
      const page = await context.newPage();
      page.on('console', (message) => {
        // Playwright can type before the browser has set the focus.
        if (!message.text().startsWith('Autofocus processing was blocked'))
          browserErrors.push(message.text());
      });
      page.on('requestfailed', (request) => {
        // Requests of a page that are aborted by the next navigation.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') browserErrors.push(request.url());
      });
      await use(page);
      expect(browserErrors.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const codeField = (page: Page) => page.getByLabel(/^Code/);

  /** Passes the first factor with a code from the outbox. */
  async function enterEmail(page: Page, email: string, path = '/login'): Promise<void> {
    const after = app.services.outbox.list(email).length;
    await page.goto(origin + path);
    await page.getByLabel('Email or phone number').fill(email);
    await button(page, 'Send code').click();
    await codeField(page).fill(await codeFor(app, email, { after }));
    await button(page, 'Sign in').click();
  }

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

  const signOut = async (page: Page) => {
    await page.goto(`${origin}/account`);
    await Promise.all([
      page.waitForURL(`${origin}/login?done=signed_out`),
      button(page, 'Sign out').click(),
    ]);
  };

  it('signs in by email, keeps the session, signs out', async () => {
    await withPage(async (page) => {
      await page.goto(`${origin}/account`);
      expect(page.url()).toBe(`${origin}/login?next=/account`);
      await enterEmail(page, 'browser@example.com', '/login?next=/account');
      expect(page.url()).toBe(`${origin}/account`);
      expect(await page.getByText('browser@example.com', { exact: true }).count()).toBe(1);
      const [cookie] = await page.context().cookies();
      expect(cookie).toMatchObject({
        name: 'svc_session',
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
        domain: '127.0.0.1',
      });
      expect(await page.getByText('Chrome on').count()).toBe(1);
      await signOut(page);
      // The device cookie stays, so that others cannot lock out its owner. It grants no access.
      expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['svc_known']);
      await page.goto(`${origin}/account`);
      expect(page.url()).toBe(`${origin}/login?next=/account`);
    });
  });

  it('shows errors beside the field, and accepts another code or address', async () => {
    await withPage(async (page) => {
      await page.goto(`${origin}/login`);
      await page.getByLabel('Email or phone number').fill('typo@example.com');
      await button(page, 'Send code').click();
      await codeField(page).fill('12345');
      await button(page, 'Sign in').click();
      expect(await page.title()).toMatch(/^Error: Enter your code/);
      expect(
        await page
          .getByRole('textbox', { name: 'Code', description: /This code is wrong/ })
          .count(),
      ).toBe(1);
      await codeFor(app, 'typo@example.com');
      await button(page, 'Send new code').click();
      await codeField(page).fill(await codeFor(app, 'typo@example.com', { after: 1 }));
      await page.getByRole('link', { name: 'Use a different email or phone number' }).click();
      await enterEmail(page, 'right@example.com');
      expect(await page.getByText('right@example.com', { exact: true }).count()).toBe(1);
    });
  });

  it('sets up an authenticator app, and signs in with it and with a backup code', async () => {
    await withPage(async (page) => {
      await enterEmail(page, 'app@example.com');
      const { secret, codes } = await enrol(page);
      expect(codes).toHaveLength(10);
      await signOut(page);
      await enterEmail(page, 'app@example.com');
      expect(await page.title()).toMatch(/^Two-factor authentication/);
      await codeField(page).fill(await generate({ secret, epoch: Math.floor(clock.now() / 1000) }));
      await button(page, 'Sign in').click();
      expect(await button(page, 'Remove authenticator app').count()).toBe(1);
      await signOut(page);
      await enterEmail(page, 'app@example.com');
      await codeField(page).fill(codes[0]!.toLowerCase());
      await button(page, 'Sign in').click();
      expect(await page.getByText('Backup codes left: 9.').count()).toBe(1);
      await button(page, 'Remove authenticator app').click();
      expect(await page.getByText('Authenticator app removed.').count()).toBe(1);
    });
  }, 40_000);

  it('ends sessions of other browsers', async () => {
    await withPage(async (elsewhere) => {
      await enterEmail(elsewhere, 'two@example.com');
      await withPage(async (page) => {
        await enterEmail(page, 'two@example.com');
        await page.getByRole('button', { name: 'End session', description: /Chrome on/ }).click();
        expect(await page.getByRole('status').innerText()).toBe('Session ended.');
      });
      await elsewhere.reload();
      expect(elsewhere.url()).toBe(`${origin}/login?next=/account`);
    });
  });

  it('works by keyboard, with a visible focus', async () => {
    await withPage(async (page) => {
      const email = 'keys@example.com';
      await page.goto(`${origin}/login`);
      // A key pressed before the browser has set the focus starts at the top of the page.
      await page.locator('input:focus').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Shift+Tab');
      expect(await page.locator('input:focus').getAttribute('name')).toBe('identifier');
      await page.keyboard.type(email);
      await page.keyboard.press('Tab');
      expect(await page.locator('button:focus-visible').innerText()).toBe('Send code');
      await Promise.all([page.waitForURL(`${origin}/login`), page.keyboard.press('Enter')]);
      await page.getByText('k•••@example.com').waitFor();
      expect(await page.locator('input:focus').getAttribute('name')).toBe('code');
      await page.keyboard.type(await codeFor(app, email));
      await Promise.all([page.waitForURL(`${origin}/account`), page.keyboard.press('Enter')]);
      expect(await page.getByText(email, { exact: true }).count()).toBe(1);
    });
  });

  it.each(['light', 'dark'] as const)('every page passes axe, in %s', async (colorScheme) => {
    await withPage(
      async (page) => {
        const email = `axe-${colorScheme}@example.com`;
        await page.goto(`${origin}/login`);
        expect(await axeViolations(page)).toEqual([]);
        await page.getByLabel('Email or phone number').fill(email);
        await button(page, 'Send code').click();
        expect(await axeViolations(page)).toEqual([]);
        await codeField(page).fill('000000');
        await button(page, 'Sign in').click();
        expect(await axeViolations(page)).toEqual([]);
        await codeField(page).fill(await codeFor(app, email));
        await button(page, 'Sign in').click();
        expect(page.url()).toBe(`${origin}/account`);
        expect(await axeViolations(page)).toEqual([]);
        for (const path of accountPages) {
          await page.goto(origin + path);
          expect([path, await axeViolations(page)]).toEqual([path, []]);
        }
        await page.goto(`${origin}/account`);
        await button(page, 'Set up authenticator app').click();
        expect(await axeViolations(page)).toEqual([]);
      },
      { colorScheme, javaScriptEnabled: true },
    );
  });

  it.each(['light', 'dark'] as const)(
    'fits 320 pixels with sufficient contrast, in %s',
    async (colorScheme) => {
      await withPage(
        async (page) => {
          const email = `a-rather-long-address-of-a-person-${colorScheme}@department.example.com`;
          await page.goto(`${origin}/login`);
          await expectFit(page);
          await enterEmail(page, email);
          await expectFit(page);
          for (const path of accountPages) {
            await page.goto(origin + path);
            await expectFit(page);
          }
          await page.goto(`${origin}/account`);
          await button(page, 'Set up authenticator app').click();
          await expectFit(page);
        },
        { viewport: { width: 320, height: 640 }, colorScheme, javaScriptEnabled: true },
      );
    },
  );

  async function expectFit(page: Page): Promise<void> {
    const { width, pairs } = await page.evaluate<Look>(look);
    expect(width).toBeLessThanOrEqual(320);
    for (const [color, ground] of pairs)
      expect(contrast(color, ground)).toBeGreaterThanOrEqual(4.5);
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
