import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';
import { begin, end, signInAs } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';
import { client } from './real-provider.ts';

let provider: FakeProvider;
let app: FreshApp;
const base = 'https://svc.company.test';
beforeAll(async () => {
  provider = await startFakeProvider();
  app = await freshApp({
    env: {
      BASE_URL: base,
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: client.id,
      IDP_CLIENT_SECRET: client.secret,
    },
  });
  await app.services.queues.start();
}, 60_000);
afterAll(async () => {
  await app.close();
  await provider.close();
});

describe('case 38: a callback without a valid state', () => {
  async function refused(
    query: string,
    cookie: string,
    code = 'auth.invalid_state',
  ): Promise<void> {
    const before = await traces(app);
    const ended = await end(app, query, cookie);
    expect(ended).toMatchObject({
      status: 400,
      session: undefined,
      location: undefined,
      body: { code },
    });
    expect(await traces(app)).toEqual(before);
  }

  it('is refused if the state is missing or malformed', async () => {
    const { url, cookie } = await begin(app);
    const query = provider.authorize(url);
    query.delete('state');
    await refused(query.toString(), cookie);
    for (const state of ['', 'x', `${'A'.repeat(42)}*`, 'A'.repeat(512), '../../x'])
      await refused(new URLSearchParams({ code: 'c', state }).toString(), cookie);
  });

  it('is refused if the state is unknown', async () => {
    const { cookie } = await begin(app);
    await refused(`code=c&state=${'A'.repeat(43)}`, cookie);
  });

  it('is refused if the state was used before', async () => {
    provider.scene.subject = { sub: 'thirty-eight' };
    const { url, cookie } = await begin(app);
    const query = provider.authorize(url).toString();
    const first = await end(app, query, cookie);
    expect(first).toMatchObject({ status: 200, body: { ok: true, next: '/' } });
    expect(first.session).toMatch(/^svcs_/);
    await refused(query, cookie);
  });

  it('succeeds once of twenty concurrent ones', async () => {
    const { url, cookie } = await begin(app);
    const query = provider.authorize(url).toString();
    const all = await Promise.all(Array.from({ length: 20 }, () => end(app, query, cookie)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ session }) => session !== undefined)).toHaveLength(1);
  });

  it('is refused after ten minutes', async () => {
    const { url, cookie } = await begin(app);
    const [key = ''] = (await app.stores.redis.keys('idp:flow:*')).slice(-1);
    const left = await app.stores.redis.pttl(key);
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    for (const each of await app.stores.redis.keys('idp:flow:*'))
      await app.stores.redis.pexpire(each, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await refused(provider.authorize(url).toString(), cookie);
  });

  it('is refused in another browser, which ends the sign-in (login CSRF)', async () => {
    provider.scene.subject = { sub: 'attacker' };
    const attacker = await begin(app);
    const victim = await begin(app);
    const query = provider.authorize(attacker.url).toString();
    await refused(query, victim.cookie);
    await refused(query, attacker.cookie);
  });

  it('is refused without the cookie, and with two of them', async () => {
    for (const cookies of [() => '', (cookie: string) => `${cookie}; ${cookie}`]) {
      const { url, cookie } = await begin(app);
      await refused(provider.authorize(url).toString(), cookies(cookie));
    }
  });

  it('is refused if it names another issuer (RFC 9207)', async () => {
    const { url, cookie } = await begin(app);
    const query = provider.authorize(url);
    query.set('iss', 'https://evil.test');
    await refused(query.toString(), cookie, 'auth.idp_invalid');
  });

  it('shows no text of the provider', async () => {
    const { state, cookie } = await begin(app);
    await refused(
      new URLSearchParams({ state, error: '<script>alert(1)</script>' }).toString(),
      cookie,
      'auth.idp_refused',
    );
  });
});

describe('on https', () => {
  it('the browser is bound by a cookie that only this host can set', async () => {
    const response = await app.http.inject({ url: '/auth/idp/start' });
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-svc_oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('state, nonce and PKCE are new each time, 32 bytes each', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => begin(app)));
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = all.map(({ url }) => new URL(url).searchParams.get(name) ?? '');
      expect(new Set(values).size).toBe(20);
      for (const value of values) expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    }
    expect(new URL(all[0]?.url ?? '').searchParams.get('code_challenge_method')).toBe('S256');
  });
});

describe('case 41: the Host header of a request', () => {
  it.each([
    { host: 'evil.test' },
    { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' },
    { forwarded: 'host=evil.test' },
  ])('%j changes nothing', async (headers) => {
    const { url } = await begin(app, '?next=/x', headers);
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${base}/api/auth/idp/callback`);
    expect(url).not.toContain('evil');
    const initiated = await app.http.inject({
      method: 'POST',
      url: '/auth/cmyk/idp/initiate',
      payload: {},
      headers,
    });
    expect(
      new URL(initiated.json<{ authorization_url: string }>().authorization_url).searchParams.get(
        'redirect_uri',
      ),
    ).toBe(`${base}/api/auth/cmyk/idp/callback`);
  });
});

describe('case 40: the target of a sign-in', () => {
  it.each([
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    '/\t/evil.test',
    '/%09/evil.test',
    '/..//evil.test',
    'javascript:alert(1)',
    '/x@evil.test',
    '/a\r\nset-cookie: a=b',
    `/${'a'.repeat(5000)}`,
    'evil.test',
    '',
    '\\/evil.test',
    '/./\\evil.test',
    ' //evil.test',
  ])('next %j redirects to /', async (next) => {
    provider.scene.subject = { sub: 'forty' };
    const { url, cookie } = await begin(app, `?${new URLSearchParams({ next }).toString()}`);
    const ended = await end(app, provider.authorize(url), cookie, { accept: 'text/html' });
    expect({ status: ended.status, location: ended.location }).toEqual({
      status: 303,
      location: '/',
    });
  });

  it('next /console/?a=1#top is preserved', async () => {
    const { url, cookie } = await begin(
      app,
      `?${new URLSearchParams({ next: '/console/?a=1#top' }).toString()}`,
    );
    expect(
      await end(app, provider.authorize(url), cookie, { 'sec-fetch-mode': 'navigate' }),
    ).toMatchObject({ status: 303, location: '/console/?a=1#top' });
  });
});

it('sign-ins are recorded in the audit log', async () => {
  await signInAs(app, provider, { sub: 'noted' });
  await end(app, `code=c&state=${'B'.repeat(43)}`, '');
  const { data } = await app.services.audit.list({ action: 'idp.*', limit: 50 });
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'idp.started' }),
      expect.objectContaining({ action: 'idp.completed' }),
      expect.objectContaining({
        action: 'idp.failed',
        outcome: 'failure',
        reason: 'auth.invalid_state',
      }),
    ]),
  );
});

it('case 44: outside development no user signs in without a proof', async () => {
  const before = await traces(app);
  const response = await app.http.inject({ url: '/api/auth/dev/bypass/dev@company.test' });
  expect({
    status: response.statusCode,
    code: response.json<{ code: string }>().code,
    'set-cookie': response.headers['set-cookie'],
  }).toEqual({ status: 404, code: 'request.not_found', 'set-cookie': undefined });
  expect(await traces(app)).toEqual(before);
});

it('no first-admin link is offered if an admin key is configured', async () => {
  expect(await app.services.firstAdmin.offer(base)).toBeUndefined();
});
