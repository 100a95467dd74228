import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type OpenOptions, useBrowser } from '../../../support/browser/browser.ts';
import { axeViolations, viewFaults } from '../../../support/browser/views.ts';
import { freePort } from '../../../support/redis-server.ts';
import { type IdpApp, startIdpApp, traces } from './idp-app.ts';
import { startProvider } from './real-provider.ts';

const accounts = {
  ada: { email: 'ada@company.test', email_verified: true, name: 'Ada Lovelace' },
  bob: { email: 'bob@company.test', email_verified: true, name: 'Bob' },
  eve: { email: 'eve@company.test', email_verified: true, name: 'Eve' },
};

describe.skipIf(!hasBrowser)("sign-in at the company's provider, in a real browser", () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let app: IdpApp;

  beforeAll(async () => {
    // Not the provider's host, so that the browser treats the redirects as cross-site.
    const base = `http://localhost:${await freePort()}`;
    provider = await startProvider(base, accounts, { ownPages: true });
    app = await startIdpApp(base, provider.issuer);
  });
  afterAll(async () => {
    await app.close();
    await provider.close();
  });

  // The provider's pages are on another origin, and the font that they ask for is blocked.
  const browser = useBrowser({ mayLeave: true, expected: /net::ERR_FAILED|status of 40[013] / });

  /** A page of its own browser profile, which sends requests to this machine only. */
  async function openProfile(options: OpenOptions = {}) {
    const page = await browser.newPage(options);
    const context = page.context();
    await context.route(
      (url) => !['localhost', '127.0.0.1'].includes(url.hostname),
      (route) => route.abort(),
    );
    return { page, context };
  }

  const company = (page: Page) =>
    page.getByRole('link', { name: 'Continue with company account' }).click();
  const isOurs = (url: URL) => url.origin === app.base;

  /** Logs in at the provider, up to the consent page. */
  async function logInThere(page: Page, login: string): Promise<void> {
    await page.waitForURL((url) => url.origin === provider.issuer);
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('whatever');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('heading', { name: 'Authorize' }).waitFor();
  }

  async function consent(page: Page): Promise<void> {
    await Promise.all([
      page.waitForURL(isOurs, { waitUntil: 'load' }),
      page.getByRole('button', { name: 'Continue' }).click(),
    ]);
  }

  async function signIn(page: Page, login: string, path = '/login'): Promise<void> {
    await page.goto(app.base + path);
    await company(page);
    await logInThere(page, login);
    await consent(page);
  }

  const session = async (context: BrowserContext) =>
    (await context.cookies(app.base)).find(({ name }) => name === 'svc_session');

  /** The email address of the signed-in user, or the status of the response. */
  async function whoIs(context: BrowserContext): Promise<unknown> {
    const response = await context.request.get(`${app.base}/api/auth/me`);
    return response.ok()
      ? ((await response.json()) as { email: unknown }).email
      : response.status();
  }

  it('returns signed in to the requested page, and signs out', async () => {
    const { page, context } = await openProfile();
    await page.goto(`${app.base}/account`);
    expect(page.url()).toBe(`${app.base}/login?next=/account`);
    await company(page);
    await logInThere(page, 'ada');
    expect(await session(context)).toBeUndefined();
    await consent(page);
    expect(page.url()).toBe(`${app.base}/account`);
    expect(await page.locator('main').innerText()).toContain('Ada Lovelace');
    expect((await session(context))?.value).toMatch(/^svcs_[\w-]{91}$/);
    expect(await session(context)).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      secure: false,
      path: '/',
      domain: 'localhost',
    });
    expect(
      (await context.cookies(app.base))
        .filter(({ name }) => name.startsWith('svc_'))
        .every(({ httpOnly }) => httpOnly),
    ).toBe(true);
    expect(await page.evaluate('document.cookie')).not.toContain('svc_');
    expect(await whoIs(context)).toBe('ada@company.test');

    const kept = await session(context);
    await Promise.all([
      page.waitForURL(`${app.base}/login?done=signed_out`),
      page.getByRole('button', { name: 'Sign out', exact: true }).click(),
    ]);
    expect(await page.getByRole('status').innerText()).toBe('You’re signed out.');
    expect({ session: await session(context), whoIs: await whoIs(context) }).toEqual({
      session: undefined,
      whoIs: 401,
    });
    const old = await fetch(`${app.base}/api/auth/me`, {
      headers: { cookie: `svc_session=${kept?.value ?? ''}` },
    });
    expect(old.status).toBe(401);
  });

  it('redirects to a next with a query and a fragment', async () => {
    const { page } = await openProfile();
    await signIn(
      page,
      'ada',
      `/login?next=${encodeURIComponent('/account?done=x&y=%26#sessions')}`,
    );
    expect(page.url()).toBe(`${app.base}/account?done=x&y=%26#sessions`);
  });

  it('works without JavaScript', async () => {
    const { page, context } = await openProfile({ javaScriptEnabled: false });
    await signIn(page, 'ada');
    expect(page.url()).toBe(`${app.base}/account`);
    expect(await whoIs(context)).toBe('ada@company.test');
  });

  it('shows a refusal on the sign-in page, and lets the user try again', async () => {
    const { page, context } = await openProfile();
    const before = await traces(app);
    await page.goto(`${app.base}/login?next=/account`);
    await company(page);
    await logInThere(page, 'eve');
    await Promise.all([
      page.waitForURL(isOurs, { waitUntil: 'load' }),
      page.getByRole('link', { name: 'Cancel' }).click(),
    ]);
    expect(page.url()).toBe(
      `${app.base}/login?reason=idp_refused&next=${encodeURIComponent('/account')}`,
    );
    expect(await page.title()).toMatch(/^Error: Sign in/);
    expect(await page.getByRole('alert').innerText()).toBe(
      'Sign-in with your company account was canceled or refused. ' +
        'Try again, or sign in another way.',
    );
    expect(await page.getByLabel('Email or phone number').count()).toBe(1);
    expect(await viewFaults(page)).toEqual([]);
    expect(await session(context)).toBeUndefined();
    expect(await whoIs(context)).toBe(401);
    expect(await traces(app)).toEqual(before);
    await company(page);
    // The provider remembers the login.
    await page.getByRole('heading', { name: 'Authorize' }).waitFor();
    await consent(page);
    expect(page.url()).toBe(`${app.base}/account`);
    expect(await whoIs(context)).toBe('eve@company.test');
  });

  it('case 38 › a sign-in begun in one browser ends in no other', async () => {
    const { page: attacker, context: attackers } = await openProfile();
    await attacker.goto(`${app.base}/login`);
    await company(attacker);
    await logInThere(attacker, 'bob');
    const callback = await heldBack(attacker);
    const before = await traces(app);
    const { page: victim, context: victims } = await openProfile();
    // The victim's browser has begun its own sign-in, so it has a flow cookie.
    await victim.goto(`${app.base}/api/auth/idp/start`);
    const response = await victim.goto(callback);
    expect({ status: response?.status(), title: await victim.title() }).toEqual({
      status: 400,
      title: expect.stringMatching(/^Error: /) as string,
    });
    expect(await victim.getByText('This sign-in started in another browser').count()).toBe(1);
    expect(await axeViolations(victim)).toEqual([]);
    expect({ session: await session(victims), whoIs: await whoIs(victims) }).toEqual({
      session: undefined,
      whoIs: 401,
    });
    await victim.getByRole('link', { name: 'Go to sign-in' }).click();
    expect(victim.url()).toBe(`${app.base}/login`);
    expect((await attacker.goto(callback))?.status()).toBe(400);
    expect({ session: await session(attackers), whoIs: await whoIs(attackers) }).toEqual({
      session: undefined,
      whoIs: 401,
    });
    expect(await traces(app)).toEqual(before);
  });

  /** Consents, but intercepts the redirect: returns the URL with the code and the state. */
  async function heldBack(page: Page): Promise<string> {
    const protocol = await page.context().newCDPSession(page);
    const callback = new Promise<string>((resolve) => {
      protocol.on('Fetch.requestPaused', ({ requestId, request }) => {
        resolve(request.url);
        void protocol.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      });
    });
    await protocol.send('Fetch.enable', {
      patterns: [{ urlPattern: `${app.base}/api/auth/idp/callback*` }],
    });
    await page.getByRole('button', { name: 'Continue' }).click();
    const url = await callback;
    await protocol.send('Fetch.disable');
    return url;
  }

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
  ])('case 40 › next=%s redirects to this service only', async (next) => {
    const { page, context } = await openProfile();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).hostname));
    await signIn(page, 'ada', `/login?next=${encodeURIComponent(next)}`);
    expect(page.url()).toBe(`${app.base}/`);
    expect(await whoIs(context)).toBe('ada@company.test');
    await page.goto(`${app.base}/api/auth/idp/start?next=${encodeURIComponent(next)}`);
    await page.getByRole('heading', { name: 'Authorize' }).waitFor();
    await consent(page);
    expect(page.url()).toBe(`${app.base}/`);
    await page.goto(`${app.base}/login?next=${encodeURIComponent(next)}`);
    expect(page.url()).toBe(`${app.base}/`);
    expect(asked.filter((host) => host.includes('evil'))).toEqual([]);
  });
});
