import { createHash, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createBrowser, type Page } from './browser.ts';
import { freeBase, startIdpApp, traces } from './idp-app.ts';
import { nativeUri, startProvider } from './real-provider.ts';

const accounts = {
  ada: { email: 'Ada@company.test', email_verified: true, name: 'Ada Lovelace' },
  bob: { email: 'bob@company.test', email_verified: true, name: 'Bob' },
  eve: { email: 'eve@company.test', email_verified: true, name: 'Eve' },
};

const base = await freeBase();
const provider = await startProvider(base, accounts);
const app = await startIdpApp(base, provider.issuer);
afterAll(async () => {
  await app.close();
  await provider.close();
});

type Browser = ReturnType<typeof createBrowser>;
const isCallback = (url: string) =>
  url.startsWith(`${app.base}/api/auth/`) && url.includes('/callback');
/** Begins a sign-in, up to the redirect back, whose query it returns with the URL. */
const toCallback = (browser: Browser, query = '') =>
  browser.open(`${app.base}/api/auth/idp/start${query}`, isCallback);
/** Signs in and returns to the home page. */
const signIn = (browser: Browser) =>
  browser.open(`${app.base}/api/auth/idp/start`, (url) => url === `${app.base}/`);
const jsonOf = ({ body }: Page) => JSON.parse(body) as Record<string, unknown>;

describe('a round trip in the browser', () => {
  it.each(['/api/auth', '/auth'])('from %s signs in, and redirects to next', async (prefix) => {
    const browser = createBrowser();
    const page = await browser.open(
      `${app.base}${prefix}/idp/start?next=/console/%3Ftab%3D1`,
      (url) => new URL(url).pathname === '/console/',
    );
    expect(page.url).toBe(`${app.base}/console/?tab=1`);
    expect(page.status).toBe(303);
    const me = await browser.request(`${app.base}/api/auth/me`);
    expect(jsonOf(me)).toMatchObject({
      email: 'Ada@company.test',
      email_verified: true,
      name: 'Ada Lovelace',
      amr: ['fed'],
      acr: 'aal1',
      roles: [],
    });
  });

  it('creates one user, even over several sign-ins', async () => {
    expect(await traces(app)).toMatchObject({ users: 1, identities: 2 });
  });

  it('ends the session of the previous cookie (case 27)', async () => {
    const browser = createBrowser();
    await signIn(browser);
    const before = browser.cookie(app.base, 'svc_session') ?? '';
    await signIn(browser);
    const after = browser.cookie(app.base, 'svc_session') ?? '';
    expect(after).not.toBe(before);
    const old = await fetch(`${app.base}/api/auth/me`, {
      headers: { cookie: `svc_session=${before}` },
    });
    expect(old.status).toBe(401);
    const preset = createBrowser();
    preset.setCookie(app.base, 'svc_session', 'attacker');
    await signIn(preset);
    expect(preset.cookie(app.base, 'svc_session')).not.toBe('attacker');
  });

  it('sets cookies with the required attributes (case 28)', async () => {
    const start = await fetch(`${app.base}/api/auth/idp/start`);
    expect(start.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^svc_oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(start.headers.get('cache-control')).toBe('no-store');
    const browser = createBrowser();
    const page = await signIn(browser);
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_session=svcs_[\w-]{91}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^svc_known=svcd_[\w-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it('responds to programs with JSON', async () => {
    const browser = createBrowser();
    const start = await browser.request(`${app.base}/api/auth/idp/start?next=/there`);
    const view = jsonOf(start);
    expect(Object.keys(view)).toEqual(['authorization_url', 'state', 'expires_in']);
    const url = String(view.authorization_url);
    expect(url.startsWith(`${provider.issuer}/auth?`)).toBe(true);
    expect(view.state).toMatch(/^[\w-]{43}$/);
    const callback = await browser.open(url, isCallback);
    const end = await browser.request(callback.url);
    expect(end.status).toBe(200);
    expect(jsonOf(end)).toEqual({ ok: true, next: '/there' });
  });

  it('keeps two tabs apart', async () => {
    const browser = createBrowser();
    const first = await toCallback(browser, '?next=/first');
    const second = await toCallback(browser, '?next=/second');
    for (const { url, path } of [
      { url: first.url, path: '/first' },
      { url: second.url, path: '/second' },
    ])
      expect(await browser.open(url, (to) => to === app.base + path)).toMatchObject({
        status: 303,
      });
  });

  it("reports a refusal to programs and users, without the provider's text", async () => {
    const before = await traces(app);
    provider.person.refuses = true;
    const program = createBrowser();
    const { url } = await toCallback(program, '?next=/there');
    const problem = await program.request(url);
    const page = await createBrowser().open(`${app.base}/api/auth/idp/start?next=/there%3Fa%26b`);
    provider.person.refuses = false;
    expect(problem.status).toBe(400);
    expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(jsonOf(problem)).toMatchObject({
      code: 'auth.idp_refused',
      idp_error: 'access_denied',
      next: '/there',
    });
    expect(page).toMatchObject({
      status: 200,
      url: `${app.base}/login?reason=idp_refused&next=${encodeURIComponent('/there?a&b')}`,
    });
    expect(page.body).toMatch(
      /role="alert">.*Sign-in with your company account was canceled or refused/,
    );
    for (const { body, headers } of [problem, page]) {
      expect(body).not.toContain('alert(1)');
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(await traces(app)).toEqual(before);
  });

  it('shows a failed callback as a page that repeats nothing of the request', async () => {
    const page = await createBrowser().open(
      `${app.base}/auth/idp/callback?code=%3Cb%3E&state=${'A'.repeat(43)}`,
    );
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*frame-ancestors 'none'$/,
    );
    expect(page.body).toContain('This sign-in started in another browser');
    expect(page.body).toContain('<a href="/login">');
    expect(page.body).not.toMatch(/AAAA|<b>/);
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  it.each(['constructor', 'toString', '__proto__', '<b>', 'idp_refusedx'])(
    'ignores the unknown reason %s on the sign-in page',
    async (reason) => {
      const page = await fetch(`${app.base}/login?reason=${encodeURIComponent(reason)}`);
      expect(await page.text()).not.toMatch(/role="(?:alert|status)"|native code|<b>|<title>Error/);
    },
  );

  it('is announced by /auth/status', async () => {
    const status = await fetch(`${app.base}/auth/status`).then((response) => response.json());
    expect(status).toMatchObject({
      oauth_configured: true,
      dev_bypass: false,
      methods: ['idp', 'otp_sms', 'otp_email'],
    });
  });

  it('leaves no secret in the log or in Redis (case 22)', async () => {
    const browser = createBrowser();
    const callback = await toCallback(browser);
    const { searchParams } = new URL(callback.url);
    const keys = await app.stores.redis.keys('idp:*');
    expect(keys.length).toBeGreaterThan(0);
    const values = await Promise.all(keys.map((key) => app.stores.redis.get(key)));
    await browser.request(callback.url);
    for (const secret of [
      searchParams.get('state'),
      searchParams.get('code'),
      browser.cookie(app.base, 'svc_oauth'),
      'rp-6b1f0c52d94e4d7c9a3e',
    ]) {
      expect(`${app.log()}${keys.join()}${values.join()}`).not.toContain(secret ?? 'nothing');
    }
  });
});

describe('a bearer client', () => {
  const initiate = (browser: Browser, body: object, prefix = '/api/auth') =>
    browser.request(`${app.base}${prefix}/cmyk/idp/initiate`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it.each(['/api/auth', '/auth'])('in a browser gets tokens by %s', async (prefix) => {
    provider.person.id = 'bob';
    const browser = createBrowser();
    const start = jsonOf(await initiate(browser, {}, prefix));
    expect(start).toMatchObject({ provider: 'idp', expires_in: 600 });
    const callback = await browser.open(String(start.authorization_url), isCallback);
    const end = await browser.request(callback.url);
    const tokens = jsonOf(end);
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      status: 'authenticated',
      user: { email: 'bob@company.test' },
    });
    expect(end.headers.getSetCookie()).toEqual([]);
    const me = await fetch(`${app.base}/api/auth/me`, {
      headers: { authorization: `Bearer ${String(tokens.access_token)}` },
    });
    expect(await me.json()).toMatchObject({ name: 'Bob', amr: ['fed'] });
  });

  async function signInNatively() {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const client = createBrowser();
    const start = await initiate(client, {
      platform: 'ios',
      redirect_uri: nativeUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    expect(start.status).toBe(200);
    expect(start.headers.getSetCookie()).toEqual([]);
    const isNative = (to: string) => to.startsWith('com.company.app:');
    const back = await createBrowser().open(String(jsonOf(start).authorization_url), isNative);
    return { verifier, query: new URL(back.url).searchParams };
  }

  it('that is native gets tokens with its verifier', async () => {
    const { verifier, query } = await signInNatively();
    query.set('code_verifier', verifier);
    const end = await fetch(`${app.base}/auth/cmyk/idp/callback?${query.toString()}`);
    expect(await end.json()).toMatchObject({
      status: 'authenticated',
      user: { email: 'bob@company.test' },
    });
  });

  it('case 39: must send the matching PKCE verifier', async () => {
    provider.person.id = 'eve';
    const before = await traces(app);
    for (const wrong of ['A'.repeat(43), undefined]) {
      const { verifier, query } = await signInNatively();
      if (wrong !== undefined) query.set('code_verifier', wrong);
      const end = () =>
        createBrowser().request(`${app.base}/api/auth/cmyk/idp/callback?${query.toString()}`);
      const refused = await end();
      expect(refused.status).toBe(400);
      expect(jsonOf(refused)).toMatchObject({ code: 'auth.invalid_state' });
      query.set('code_verifier', verifier);
      expect(await end()).toMatchObject({ status: 400 });
    }
    expect(await traces(app)).toEqual(before);
    provider.person.id = 'bob';
  });

  const pkce = { code_challenge: 'A'.repeat(43) };
  const native = { redirect_uri: nativeUri };
  it.each([
    ['plain', { platform: 'ios', ...native, ...pkce, code_challenge_method: 'plain' }],
    ['a foreign address', { redirect_uri: 'https://evil.test/', ...pkce }],
    ['an address with more at its end', { redirect_uri: `${nativeUri}/../evil`, ...pkce }],
    ['a native client without PKCE', { platform: 'android', ...native }],
    ['a native client without an address', { platform: 'android', ...pkce }],
  ])('case 39: %s is 422', async (_name, body) => {
    const response = await initiate(createBrowser(), body);
    expect(response.status).toBe(422);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("can't complete a browser's sign-in", async () => {
    const browser = createBrowser();
    const { url } = await toCallback(browser);
    const end = await browser.request(url.replace('/idp/callback', '/cmyk/idp/callback'));
    expect(end.status).toBe(400);
    expect(jsonOf(end)).toMatchObject({ code: 'auth.invalid_state' });
  });

  it('must send code and state', async () => {
    const end = await fetch(`${app.base}/api/auth/cmyk/idp/callback`);
    expect(await end.json()).toMatchObject({
      detail: [{ loc: ['query', 'code'] }, { loc: ['query', 'state'] }],
    });
  });
});
