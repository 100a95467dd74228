import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from './browser.ts';
import { freeBase, type IdpApp, startIdpApp, traces } from './idp-app.ts';
import { nativeUri, startProvider } from './real-provider.ts';

const accounts = {
  ada: { email: 'Ada@company.test', email_verified: true, name: 'Ada Lovelace' },
  bob: { email: 'bob@company.test', email_verified: true, name: 'Bob' },
  eve: { email: 'eve@company.test', email_verified: true, name: 'Eve' },
};

let provider: Awaited<ReturnType<typeof startProvider>>;
let app: IdpApp;
beforeAll(async () => {
  const base = await freeBase();
  provider = await startProvider(base, accounts);
  app = await startIdpApp(base, provider.issuer);
}, 60_000);
afterAll(async () => {
  await app.close();
  await provider.close();
});

const isCallback = (url: string) =>
  url.startsWith(`${app.base}/api/auth/`) && url.includes('/callback');

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
    expect(JSON.parse(me.body)).toMatchObject({
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
    await browser.open(`${app.base}/api/auth/idp/start`, (url) => url === `${app.base}/`);
    const before = browser.cookie(app.base, 'svc_session') ?? '';
    await browser.open(`${app.base}/api/auth/idp/start`, (url) => url === `${app.base}/`);
    const after = browser.cookie(app.base, 'svc_session') ?? '';
    expect(after).not.toBe(before);
    const old = await fetch(`${app.base}/api/auth/me`, {
      headers: { cookie: `svc_session=${before}` },
    });
    expect(old.status).toBe(401);
    const preset = createBrowser();
    preset.setCookie(app.base, 'svc_session', 'attacker');
    await preset.open(`${app.base}/api/auth/idp/start`, (url) => url === `${app.base}/`);
    expect(preset.cookie(app.base, 'svc_session')).not.toBe('attacker');
  });

  it('sets cookies with the required attributes (case 28)', async () => {
    const start = await fetch(`${app.base}/api/auth/idp/start`);
    expect(start.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^svc_oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(start.headers.get('cache-control')).toBe('no-store');
    const browser = createBrowser();
    const page = await browser.open(
      `${app.base}/api/auth/idp/start`,
      (url) => url === `${app.base}/`,
    );
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
    const view = JSON.parse(start.body) as {
      authorization_url: string;
      state: string;
      expires_in: number;
    };
    expect(Object.keys(view)).toEqual(['authorization_url', 'state', 'expires_in']);
    expect(view.authorization_url.startsWith(`${provider.issuer}/auth?`)).toBe(true);
    expect(view.state).toMatch(/^[\w-]{43}$/);
    const callback = await browser.open(view.authorization_url, isCallback);
    const end = await browser.request(callback.url);
    expect({ status: end.status, body: JSON.parse(end.body) as unknown }).toEqual({
      status: 200,
      body: { ok: true, next: '/there' },
    });
  });

  it('keeps two tabs apart', async () => {
    const browser = createBrowser();
    const first = await browser.open(`${app.base}/api/auth/idp/start?next=/first`, isCallback);
    const second = await browser.open(`${app.base}/api/auth/idp/start?next=/second`, isCallback);
    expect((await browser.open(first.url, (url) => url === `${app.base}/first`)).status).toBe(303);
    expect((await browser.open(second.url, (url) => url === `${app.base}/second`)).status).toBe(
      303,
    );
  });

  it("reports a refusal to programs and users, without the provider's text", async () => {
    const before = await traces(app);
    provider.person.refuses = true;
    const program = createBrowser();
    const { url } = await program.open(`${app.base}/api/auth/idp/start?next=/there`, isCallback);
    const problem = await program.request(url);
    const page = await createBrowser().open(`${app.base}/api/auth/idp/start?next=/there%3Fa%26b`);
    provider.person.refuses = false;
    expect({ status: problem.status, 'content-type': problem.headers.get('content-type') }).toEqual(
      { status: 400, 'content-type': 'application/problem+json; charset=utf-8' },
    );
    expect(JSON.parse(problem.body)).toMatchObject({
      code: 'auth.idp_refused',
      idp_error: 'access_denied',
      next: '/there',
    });
    expect({ status: page.status, url: page.url }).toEqual({
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
    expect({
      status: page.status,
      'content-type': page.headers.get('content-type'),
      'cache-control': page.headers.get('cache-control'),
    }).toEqual({
      status: 400,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*frame-ancestors 'none'$/,
    );
    expect(page.body).toContain('This sign-in started in another browser');
    expect(page.body).toContain('<a href="/login">');
    expect(page.body).not.toMatch(/AAAA|<b>/);
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  it('the sign-in page ignores unknown reasons', async () => {
    for (const reason of ['constructor', 'toString', '__proto__', '<b>', 'idp_refusedx']) {
      const page = await fetch(`${app.base}/login?reason=${encodeURIComponent(reason)}`).then(
        (response) => response.text(),
      );
      expect(page).not.toMatch(/role="(?:alert|status)"|native code|<b>|<title>Error/);
    }
  });

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
    const callback = await browser.open(`${app.base}/api/auth/idp/start`, isCallback);
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
  const initiate = (
    browser: ReturnType<typeof createBrowser>,
    body: object,
    prefix = '/api/auth',
  ) =>
    browser.request(`${app.base}${prefix}/cmyk/idp/initiate`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it.each(['/api/auth', '/auth'])('in a browser gets tokens by %s', async (prefix) => {
    provider.person.id = 'bob';
    const browser = createBrowser();
    const start = JSON.parse((await initiate(browser, {}, prefix)).body) as {
      authorization_url: string;
    };
    expect(start).toMatchObject({ provider: 'idp', expires_in: 600 });
    const callback = await browser.open(start.authorization_url, isCallback);
    const end = await browser.request(callback.url);
    const tokens = JSON.parse(end.body) as { access_token: string };
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      status: 'authenticated',
      user: { email: 'bob@company.test' },
    });
    expect(end.headers.getSetCookie()).toEqual([]);
    const me = await fetch(`${app.base}/api/auth/me`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(await me.json()).toMatchObject({ name: 'Bob', amr: ['fed'] });
  });

  async function native() {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const client = createBrowser();
    const start = await initiate(client, {
      platform: 'ios',
      redirect_uri: nativeUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    expect({ status: start.status, getSetCookie: start.headers.getSetCookie() }).toEqual({
      status: 200,
      getSetCookie: [],
    });
    const { authorization_url: url } = JSON.parse(start.body) as { authorization_url: string };
    const { url: back } = await createBrowser().open(url, (to) =>
      to.startsWith('com.company.app:'),
    );
    return { verifier, query: new URL(back).searchParams };
  }

  it('that is native gets tokens with its verifier', async () => {
    const { verifier, query } = await native();
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
      const { verifier, query } = await native();
      if (wrong !== undefined) query.set('code_verifier', wrong);
      const end = await fetch(`${app.base}/api/auth/cmyk/idp/callback?${query.toString()}`);
      expect({ status: end.status, body: await end.json() }).toEqual({
        status: 400,
        body: expect.objectContaining({ code: 'auth.invalid_state' }) as object,
      });
      query.set('code_verifier', verifier);
      expect(
        (await fetch(`${app.base}/api/auth/cmyk/idp/callback?${query.toString()}`)).status,
      ).toBe(400);
    }
    expect(await traces(app)).toEqual(before);
    provider.person.id = 'bob';
  });

  it.each([
    [
      'plain',
      {
        platform: 'ios',
        redirect_uri: nativeUri,
        code_challenge: 'A'.repeat(43),
        code_challenge_method: 'plain',
      },
    ],
    ['a foreign address', { redirect_uri: 'https://evil.test/', code_challenge: 'A'.repeat(43) }],
    [
      'an address with more at its end',
      { redirect_uri: `${nativeUri}/../evil`, code_challenge: 'A'.repeat(43) },
    ],
    ['a native client without PKCE', { platform: 'android', redirect_uri: nativeUri }],
    ['a native client without an address', { platform: 'android', code_challenge: 'A'.repeat(43) }],
  ])('case 39: %s is 422', async (_name, body) => {
    const response = await initiate(createBrowser(), body);
    expect(response.status).toBe(422);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("can't complete a browser's sign-in", async () => {
    const browser = createBrowser();
    const { url } = await browser.open(`${app.base}/api/auth/idp/start`, isCallback);
    const end = await browser.request(url.replace('/idp/callback', '/cmyk/idp/callback'));
    expect({ status: end.status, body: JSON.parse(end.body) as unknown }).toEqual({
      status: 400,
      body: expect.objectContaining({ code: 'auth.invalid_state' }) as object,
    });
  });

  it('must send code and state', async () => {
    const end = await fetch(`${app.base}/api/auth/cmyk/idp/callback`);
    expect(await end.json()).toMatchObject({
      detail: [{ loc: ['query', 'code'] }, { loc: ['query', 'state'] }],
    });
  });
});
