import { transform } from 'esbuild';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { freePort } from '../../support/redis-server.ts';
import { readGuide } from '../../guides/reader.ts';
import { typeErrors } from '../../guides/typescript.ts';
import { codeFor, post } from '../../support/sign-in.ts';
import { findChromium } from './chromium.ts';

const program = findChromium();
if (program === undefined)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): the browser tests of passkeys ' +
      'are left out.\n',
  );

describe.skipIf(program === undefined)('passkeys in a real browser', () => {
  let app: FreshApp;
  let browser: Browser;
  let port = 0;
  let origin = '';

  beforeAll(async () => {
    port = await freePort();
    origin = `http://localhost:${port}`;
    app = await freshApp({ env: { PORT: String(port), OTP_LIMITS: 'off' } });
    await app.services.queues.start();
    await app.http.listen({ port, host: '127.0.0.1' });
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  /**
   * Runs `use` with a page of a new browser profile. Fails when the policy blocks something, a
   * resource fails to load, or a script throws.
   */
  async function withPage(
    use: (page: Page, devtools: CDPSession) => Promise<void>,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    const browserErrors: string[] = [];
    try {
      const page = await context.newPage();
      page.on('console', (message) => {
        // Playwright can type before the browser has set the focus.
        if (!message.text().startsWith('Autofocus processing was blocked'))
          browserErrors.push(message.text());
      });
      page.on('pageerror', (error) => browserErrors.push(error.message));
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText;
        // Requests of a page that are aborted by the next navigation.
        if (reason !== 'net::ERR_ABORTED') browserErrors.push(`${request.url()} ${reason ?? ''}`);
      });
      const devtools = await context.newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await use(page, devtools).catch((error: unknown) => {
        throw new Error(
          `At ${page.url()}: ${error instanceof Error ? error.message : String(error)}. ` +
            `The browser said: ${browserErrors.join('; ')}`,
          { cause: error },
        );
      });
      expect(browserErrors.filter((text) => !/status of 40[01] /.test(text)).join('\n')).toBe('');
    } finally {
      await context.close();
    }
  }

  /** Adds a virtual authenticator whose user consents automatically. */
  const addAuthenticator = async (devtools: CDPSession): Promise<string> =>
    (
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
    ).authenticatorId;

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const alertOf = (page: Page) => page.locator('form[data-passkey] [role=alert]');

  /** Passes the first factor with a code from the outbox. */
  async function enterEmail(
    page: Page,
    email: string,
    { at = origin, path = '/login' }: { at?: string; path?: string } = {},
  ): Promise<void> {
    const after = app.services.outbox.list(email).length;
    await page.goto(at + path);
    await page.getByLabel('Email or phone number').fill(email);
    await button(page, 'Send code').click();
    await page.getByLabel(/^Code/).fill(await codeFor(app, email, { after }));
    await button(page, 'Sign in').click();
  }

  /** Adds a passkey; returns the backup codes that the first one shows. */
  async function addPasskey(page: Page, name: string): Promise<string[]> {
    await page.getByLabel('Name').fill(name);
    await button(page, 'Add passkey').click();
    await page.getByText('Passkey added.').waitFor();
    const codes = await page.locator('ul.codes li').allInnerTexts();
    await page.goto(`${origin}/account`);
    return codes;
  }

  const passkeyItem = (page: Page) =>
    page.getByRole('listitem').filter({ hasText: /^This laptop/ });

  const signOut = async (page: Page) => {
    await page.goto(`${origin}/account`);
    await Promise.all([
      page.waitForURL(`${origin}/login?done=signed_out`),
      button(page, 'Sign out').click(),
    ]);
  };

  it('are added, used after a code, and removed', async () => {
    await withPage(async (page, devtools) => {
      const authenticatorId = await addAuthenticator(devtools);
      const email = 'round-trip@example.com';
      await enterEmail(page, email);
      expect(await addPasskey(page, 'This laptop')).toHaveLength(10);
      expect(await passkeyItem(page).innerText()).toMatch(
        /^This laptop[^]*Added [^]* Not used yet\./,
      );
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }]);
      const { userId } = await app.stores.db
        .selectFrom('identities')
        .select('user_id as userId')
        .where('key', '=', email)
        .executeTakeFirstOrThrow();
      expect(Buffer.from(credentials[0]?.userHandle ?? '', 'base64').toString('hex')).toBe(
        userId.replaceAll('-', ''),
      );

      await signOut(page);
      await enterEmail(page, email);
      expect(await page.title()).toMatch(/^Two-factor authentication/);
      await Promise.all([
        page.waitForURL(`${origin}/account`),
        button(page, 'Use passkey').click(),
      ]);
      expect(await page.getByText(email, { exact: true }).count()).toBe(1);
      expect(await passkeyItem(page).innerText()).toMatch(/Last used \w{3} \d/);
      const me = await page.evaluate<{ acr: string; amr: string[] }>(
        "fetch('/api/auth/me').then((answer) => answer.json())",
      );
      expect(me).toMatchObject({ acr: 'aal2', amr: ['otp', 'hwk', 'mfa'] });

      await button(page, 'Remove passkey').click();
      await page.getByText('Passkey removed.').waitFor();
      await signOut(page);
      await enterEmail(page, email);
      expect(page.url()).toBe(`${origin}/account`);
    });
  }, 40_000);

  it('show failures in place, and allow another try', async () => {
    await withPage(async (page, devtools) => {
      const authenticatorId = await addAuthenticator(devtools);
      const email = 'troubles@example.com';
      await enterEmail(page, email);
      const [code = ''] = await addPasskey(page, 'Key');

      // A user with a passkey has to sign in with it first.
      await button(page, 'Add passkey').click();
      await page.waitForURL(`${origin}/login?next=/account&reason=second_factor`);
      await enterEmail(page, email, { path: '/login?next=/account&reason=second_factor' });
      await Promise.all([
        page.waitForURL(`${origin}/account`),
        button(page, 'Use passkey').click(),
      ]);
      await button(page, 'Add passkey').click();
      await expect
        .poll(() => alertOf(page).innerText())
        .toBe('This device already has a passkey for your account.');

      // The signature is invalid, which the server reports.
      await signOut(page);
      await enterEmail(page, email);
      await devtools.send('WebAuthn.setResponseOverrideBits', {
        authenticatorId,
        isBogusSignature: true,
      });
      await button(page, 'Use passkey').click();
      await page.waitForURL(`${origin}/login/passkey`);
      expect(await alertOf(page).innerText()).toBe(
        'Your passkey wasn’t accepted. Try again, or use a code.',
      );

      // A device without passkeys: the browser rejects, as when the user cancels.
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      await addAuthenticator(devtools);
      await button(page, 'Use passkey').click();
      await expect
        .poll(() => alertOf(page).innerText())
        .toBe('Canceled or timed out. Nothing was changed. Try again.');
      await page.getByLabel('Backup code').fill(code);
      await Promise.all([page.waitForURL(`${origin}/account`), button(page, 'Sign in').click()]);
    });
  }, 40_000);

  it('explain on which sites and browsers they work', async () => {
    await withPage(async (page) => {
      await enterEmail(page, 'by-number@example.com', { at: `http://127.0.0.1:${port}` });
      await button(page, 'Add passkey').click();
      await expect
        .poll(() => alertOf(page).innerText())
        .toBe(`Passkeys only work at ${origin}. Open that address and try again.`);
    });
    await withPage(async (page) => {
      await page.addInitScript('delete PublicKeyCredential.parseCreationOptionsFromJSON');
      await enterEmail(page, 'old-browser@example.com');
      await button(page, 'Add passkey').click();
      await expect
        .poll(() => alertOf(page).innerText())
        .toBe('This browser can’t use passkeys on this site. Update it, or use a code.');
    });
    await withPage(
      async (page) => {
        await enterEmail(page, 'without-script@example.com');
        await page.waitForURL(`${origin}/account`);
        expect([
          await button(page, 'Add passkey').count(),
          await page.getByLabel('Name').isVisible(),
        ]).toEqual([0, false]);
        const sentence = page.locator('noscript p');
        expect([await sentence.isVisible(), await sentence.innerText()]).toEqual([
          true,
          expect.stringContaining('Adding a passkey requires JavaScript.'),
        ]);
      },
      { javaScriptEnabled: false },
    );
  }, 40_000);

  it('work as in the example of the guide', async () => {
    const [example] = (await readGuide('second-factor.md')).filter(
      ({ language }) => language === 'ts',
    );
    expect(example?.notRun).toContain('passkeys.slow.test.ts');
    expect(await typeErrors(example?.text ?? '')).toEqual([]);
    const { code } = await transform(example?.text.replaceAll('export ', '') ?? '', {
      loader: 'ts',
    });
    const run = <T>(page: Page, call: string) =>
      page.evaluate<T>(`(() => { ${code}; return ${call}; })()`);
    await withPage(async (page, devtools) => {
      await addAuthenticator(devtools);
      const email = 'guide-passkeys@example.com';
      await enterEmail(page, email);
      await page.waitForURL(`${origin}/account`);
      expect(await run(page, "addPasskey('Of the guide')")).toMatchObject({
        name: 'Of the guide',
        last_used_at: null,
      });
      const after = app.services.outbox.list(email).length;
      await post(app, '/api/auth/email/initiate', { email });
      const { body: due } = await post(app, '/api/auth/otp/verify', {
        email,
        code: await codeFor(app, email, { after }),
      });
      const tokens = await run<{ access_token: string }>(
        page,
        `signInWithPasskey(${JSON.stringify(due.mfa_token)})`,
      );
      const me = await app.http.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      expect(me.json()).toMatchObject({ email, acr: 'aal2', amr: ['otp', 'hwk', 'mfa'] });
      await expect(run(page, "addPasskey('Another')")).rejects.toThrow(
        'second_factor.aal2_required',
      );
    });
  }, 40_000);

  const fits = async (page: Page) =>
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);

  it.each(['light', 'dark'] as const)(
    'pass axe and fit 320 pixels, in %s',
    async (colorScheme) => {
      await withPage(
        async (page, devtools) => {
          const authenticatorId = await addAuthenticator(devtools);
          const email = `axe-passkey-${colorScheme}@example.com`;
          await enterEmail(page, email);
          expect(await axeViolations(page)).toEqual([]);
          await addPasskey(page, 'A name that is rather long, as long as a name may be, and a bit');
          expect(await axeViolations(page)).toEqual([]);
          await fits(page);
          await signOut(page);
          await enterEmail(page, email);
          expect(await axeViolations(page)).toEqual([]);
          await devtools.send('WebAuthn.setResponseOverrideBits', {
            authenticatorId,
            isBogusSignature: true,
          });
          await button(page, 'Use passkey').click();
          await page.waitForURL(`${origin}/login/passkey`);
          expect(await axeViolations(page)).toEqual([]);
          await fits(page);
        },
        { colorScheme, viewport: { width: 320, height: 640 } },
      );
    },
    40_000,
  );
});
