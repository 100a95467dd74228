import { transform } from 'esbuild';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readGuide } from '../../guides/reader.ts';
import { typeErrors } from '../../guides/typescript.ts';
import { useAuthenticators } from '../../support/browser/authenticators.ts';
import { hasBrowser, type OpenOptions, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { TestClient } from '../../support/client.ts';
import { codeFor } from '../../support/sign-in.ts';
import { button, clickTo, enterEmail, signOut } from './sign-in-page.ts';

describe.skipIf(!hasBrowser)('passkeys in a real browser', () => {
  const service = useService({ env: { OTP_LIMITS: 'off' }, runsJobs: true });
  // One test visits the service by its IP address.
  const browser = useBrowser({ at: service, mayLeave: true, expected: /status of 40[01] / });

  /** A page of a new browser profile with an authenticator. */
  async function openProfile(options: OpenOptions = {}) {
    const page = await browser.newPage(options);
    const authenticators = await useAuthenticators(page);
    return { page, authenticatorId: await authenticators.add(), ...authenticators };
  }

  const alertOf = (page: Page) => page.locator('form[data-passkey] [role=alert]');

  const signInTo = (page: Page, email: string, url?: string) =>
    enterEmail(service, page, email, url);
  const account = () => `${service.origin}/account`;

  /** Adds a passkey; returns the backup codes that the first one shows. */
  async function addPasskey(page: Page, name: string): Promise<string[]> {
    await page.goto('/account/security');
    await page.getByLabel('Name').fill(name);
    await button(page, 'Add passkey').click();
    await page.getByText('Passkey added.').waitFor();
    const codes = await page.locator('ul.codes li').allInnerTexts();
    await page.goto('/account/security');
    return codes;
  }

  const passkeyItem = (page: Page) =>
    page.getByRole('listitem').filter({ hasText: /^This laptop/ });

  it('are added, used after a code, and removed', async () => {
    const { page, devtools, authenticatorId } = await openProfile();
    const email = 'round-trip@example.com';
    await signInTo(page, email);
    expect(await addPasskey(page, 'This laptop')).toHaveLength(10);
    expect(await passkeyItem(page).innerText()).toMatch(
      /^This laptop[^]*Added [^]* Not used yet\./,
    );
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }]);
    const { userId } = await service.app.stores.db
      .selectFrom('identities')
      .select('user_id as userId')
      .where('key', '=', email)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(credentials[0]?.userHandle ?? '', 'base64').toString('hex')).toBe(
      userId.replaceAll('-', ''),
    );

    await signOut(service, page);
    await signInTo(page, email);
    expect(await page.title()).toMatch(/^Two-factor authentication/);
    await clickTo(page, 'Use passkey', account());
    await page.goto('/account/security');
    expect(await passkeyItem(page).innerText()).toMatch(/Last used (?:today|yesterday), \d/);
    const me = await page.evaluate<{ acr: string; amr: string[] }>(
      "fetch('/api/auth/me').then((answer) => answer.json())",
    );
    expect(me).toMatchObject({ acr: 'aal2', amr: ['otp', 'hwk', 'mfa'] });

    await button(page, 'Remove passkey').click();
    await page.getByText('Passkey removed.').waitFor();
    await signOut(service, page);
    await signInTo(page, email);
    expect(page.url()).toBe(account());
  });

  it('show failures in place, and allow another try', async () => {
    const { page, devtools, authenticatorId, add } = await openProfile();
    const email = 'troubles@example.com';
    await signInTo(page, email);
    const [code = ''] = await addPasskey(page, 'Key');

    // A user with a passkey has to sign in with it first.
    await button(page, 'Add passkey').click();
    await page.waitForURL(`${service.origin}/login?next=/account/security&reason=second_factor`);
    await signInTo(page, email, '/login?next=/account/security&reason=second_factor');
    await clickTo(page, 'Use passkey', `${account()}/security`);
    await button(page, 'Add passkey').click();
    await expect
      .poll(() => alertOf(page).innerText())
      .toBe('This device already has a passkey for your account.');

    // The signature is invalid, which the server reports.
    await signOut(service, page);
    await signInTo(page, email);
    const forged = { authenticatorId, isBogusSignature: true };
    await devtools.send('WebAuthn.setResponseOverrideBits', forged);
    await button(page, 'Use passkey').click();
    await page.waitForURL(`${service.origin}/login/passkey`);
    expect(await alertOf(page).innerText()).toBe(
      'Your passkey wasn’t accepted. Try again, or use a code.',
    );

    // A device without passkeys: the browser rejects, as when the user cancels.
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    await add();
    await button(page, 'Use passkey').click();
    await expect
      .poll(() => alertOf(page).innerText())
      .toBe('Canceled or timed out. Nothing was changed. Try again.');
    await page.getByLabel('Backup code').fill(code);
    await clickTo(page, 'Sign in', account());
  });

  it('explain on which sites they work', async () => {
    const page = await browser.newPage();
    const other = service.origin.replace('localhost', '127.0.0.1');
    await signInTo(page, 'by-number@example.com', `${other}/login`);
    await page.goto(`${other}/account/security`);
    await button(page, 'Add passkey').click();
    await expect
      .poll(() => alertOf(page).innerText())
      .toBe(`Passkeys only work at ${service.origin}. Open that address and try again.`);
  });

  it('explain that an old browser has to be updated', async () => {
    const page = await browser.newPage();
    await page.addInitScript('delete PublicKeyCredential.parseCreationOptionsFromJSON');
    await signInTo(page, 'old-browser@example.com');
    await page.goto('/account/security');
    await button(page, 'Add passkey').click();
    await expect
      .poll(() => alertOf(page).innerText())
      .toBe('This browser can’t use passkeys on this site. Update it, or use a code.');
  });

  it('explain without JavaScript that they require it', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await signInTo(page, 'without-script@example.com');
    await page.waitForURL(account());
    await page.goto('/account/security');
    expect(await button(page, 'Add passkey').count()).toBe(0);
    expect(await page.getByLabel('Name').isVisible()).toBe(false);
    const sentence = page.locator('noscript p');
    expect(await sentence.isVisible()).toBe(true);
    expect(await sentence.innerText()).toContain('Adding a passkey requires JavaScript.');
  });

  it('work as in the example of the guide', async () => {
    const [example] = (await readGuide('second-factor.md')).filter(
      ({ language }) => language === 'ts',
    );
    expect(example?.notRun).toContain('passkeys.slow.test.ts');
    expect(await typeErrors(example?.text ?? '')).toEqual([]);
    const { code: script } = await transform(example?.text.replaceAll('export ', '') ?? '', {
      loader: 'ts',
    });
    const run = <T>(page: Page, call: string) =>
      page.evaluate<T>(`(() => { ${script}; return ${call}; })()`);
    const { page } = await openProfile();
    const email = 'guide-passkeys@example.com';
    await signInTo(page, email);
    await page.waitForURL(account());
    expect(await run(page, "addPasskey('Of the guide')")).toMatchObject({
      name: 'Of the guide',
      last_used_at: null,
    });
    const client = new TestClient(service.app);
    const after = client.outbox(email).length;
    await client.post('/api/auth/email/initiate', { email });
    const code = await codeFor(service.app, email, { after });
    const { body: due } = await client.post('/api/auth/otp/verify', { email, code });
    const tokens = await run<{ access_token: string }>(
      page,
      `signInWithPasskey(${JSON.stringify(due.mfa_token)})`,
    );
    const me = await client
      .as({ authorization: `Bearer ${tokens.access_token}` })
      .get('/api/auth/me');
    expect(me.body).toMatchObject({ email, acr: 'aal2', amr: ['otp', 'hwk', 'mfa'] });
    await expect(run(page, "addPasskey('Another')")).rejects.toThrow('second_factor.aal2_required');
  });

  it('have accessible pages that fit narrow windows', async () => {
    const { page, devtools, authenticatorId } = await openProfile({
      viewport: { width: 320, height: 640 },
    });
    const expectGood = async () =>
      expect(await viewFaults(page, { widths: [320] }), page.url()).toEqual([]);
    const email = 'axe-passkey@example.com';
    await signInTo(page, email);
    await expectGood();
    await addPasskey(page, 'A name that is rather long, as long as a name may be, and a bit');
    await expectGood();
    await signOut(service, page);
    await signInTo(page, email);
    await expectGood();
    const forged = { authenticatorId, isBogusSignature: true };
    await devtools.send('WebAuthn.setResponseOverrideBits', forged);
    await button(page, 'Use passkey').click();
    await page.waitForURL(`${service.origin}/login/passkey`);
    await expectGood();
  });
});
