import { describe, expect, it, vi } from 'vitest';
import { TestClient } from '../../../support/client.ts';
import { useFakeProvider } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';

const base = 'https://svc.company.test';
const idp = await useFakeProvider({ BASE_URL: base });

const expectRefused = (
  query: URLSearchParams | string,
  cookie: string,
  code = 'auth.invalid_state',
) => idp.expectRefused(() => idp.end(query, cookie), 400, code);

/** Begins a sign-in, up to the redirect of the provider. */
async function beginAtProvider(sub = 'somebody') {
  idp.provider.scene.subject = { sub };
  const { url, cookie } = await idp.begin();
  return { query: idp.provider.authorize(url), cookie };
}

describe('case 38: a callback without a valid state', () => {
  it('is refused if the state is missing or malformed', async () => {
    const { query, cookie } = await beginAtProvider();
    query.delete('state');
    await expectRefused(query, cookie);
    for (const state of ['', 'x', `${'A'.repeat(42)}*`, 'A'.repeat(512), '../../x'])
      await expectRefused(new URLSearchParams({ code: 'c', state }), cookie);
  });

  it('is refused if the state is unknown', async () => {
    const { cookie } = await idp.begin();
    await expectRefused(`code=c&state=${'A'.repeat(43)}`, cookie);
  });

  it('is refused if the state was used before', async () => {
    const { query, cookie } = await beginAtProvider('thirty-eight');
    const first = await idp.end(query, cookie);
    expect(first).toMatchObject({ status: 200, body: { ok: true, next: '/' } });
    expect(first.session).toMatch(/^svcs_/);
    await expectRefused(query, cookie);
  });

  it('succeeds once of twenty concurrent ones', async () => {
    const { query, cookie } = await beginAtProvider();
    const ended = await Promise.all(Array.from({ length: 20 }, () => idp.end(query, cookie)));
    expect(ended.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(ended.filter(({ session }) => session !== undefined)).toHaveLength(1);
  });

  it('is refused after ten minutes', async () => {
    const { redis } = idp.app.stores;
    const { query, cookie } = await beginAtProvider();
    const keys = await redis.keys('idp:flow:*');
    const left = await redis.pttl(keys.at(-1) ?? '');
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    for (const key of keys) await redis.pexpire(key, 1);
    await vi.waitFor(async () => expect(await redis.keys('idp:flow:*')).toEqual([]));
    await expectRefused(query, cookie);
  });

  it('is refused in another browser, which ends the sign-in (login CSRF)', async () => {
    const attacker = await beginAtProvider('attacker');
    const victim = await idp.begin();
    await expectRefused(attacker.query, victim.cookie);
    await expectRefused(attacker.query, attacker.cookie);
  });

  it('is refused without the cookie, and with two of them', async () => {
    const one = await beginAtProvider();
    await expectRefused(one.query, '');
    const other = await beginAtProvider();
    await expectRefused(other.query, `${other.cookie}; ${other.cookie}`);
  });

  it('is refused if it names another issuer (RFC 9207)', async () => {
    const { query, cookie } = await beginAtProvider();
    query.set('iss', 'https://evil.test');
    await expectRefused(query, cookie, 'auth.idp_invalid');
  });

  it('shows no text of the provider', async () => {
    const { state, cookie } = await idp.begin();
    const query = new URLSearchParams({ state, error: '<script>alert(1)</script>' });
    await expectRefused(query, cookie, 'auth.idp_refused');
  });
});

describe('a sign-in on https', () => {
  it('is bound to the browser by a cookie that only this host can set', async () => {
    const { headers } = await new TestClient(idp.app).get('/auth/idp/start');
    expect(headers['set-cookie']).toMatch(
      /^__Host-svc_oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('has a new state, nonce and PKCE challenge of 32 bytes each', async () => {
    const begun = await Promise.all(Array.from({ length: 20 }, () => idp.begin()));
    const queries = begun.map(({ url }) => new URL(url).searchParams);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = queries.map((query) => query.get(name) ?? '');
      expect(new Set(values).size).toBe(20);
      for (const value of values) expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    }
    expect(queries[0]?.get('code_challenge_method')).toBe('S256');
  });
});

describe('case 41: the Host header of a request', () => {
  const redirectUri = (url: string) => new URL(url).searchParams.get('redirect_uri');

  it.each<Record<string, string>>([
    { host: 'evil.test' },
    { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' },
    { forwarded: 'host=evil.test' },
  ])('changes nothing: %j', async (headers) => {
    const { url } = await idp.begin('?next=/x', headers);
    expect(redirectUri(url)).toBe(`${base}/api/auth/idp/callback`);
    expect(url).not.toContain('evil');
    const { body } = await new TestClient(idp.app)
      .as(headers)
      .post<{ authorization_url: string }>('/auth/cmyk/idp/initiate', {});
    expect(redirectUri(body.authorization_url)).toBe(`${base}/api/auth/cmyk/idp/callback`);
  });
});

describe('case 40: the target of a sign-in', () => {
  /** Where a sign-in with this `next` ends. */
  async function endOf(next: string, headers: Record<string, string>) {
    idp.provider.scene.subject = { sub: 'forty' };
    const { url, cookie } = await idp.begin(`?${new URLSearchParams({ next }).toString()}`);
    return idp.end(idp.provider.authorize(url), cookie, headers);
  }

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
  ])('is / instead of %j', async (next) => {
    const ended = await endOf(next, { accept: 'text/html' });
    expect(ended).toMatchObject({ status: 303, location: '/' });
  });

  it('keeps its query and fragment', async () => {
    const next = '/console/?a=1#top';
    const ended = await endOf(next, { 'sec-fetch-mode': 'navigate' });
    expect(ended).toMatchObject({ status: 303, location: next });
  });
});

describe('sign-ins', () => {
  it('are recorded in the audit log', async () => {
    await idp.signInAs({ sub: 'noted' });
    await idp.end(`code=c&state=${'B'.repeat(43)}`, '');
    const { data } = await idp.app.services.audit.list({ action: 'idp.*', limit: 50 });
    for (const entry of [
      { action: 'idp.started' },
      { action: 'idp.completed' },
      { action: 'idp.failed', outcome: 'failure', reason: 'auth.invalid_state' },
    ])
      expect(data).toContainEqual(expect.objectContaining(entry));
  });

  it('case 44: need a proof outside development', async () => {
    const before = await traces(idp.app);
    const url = '/api/auth/dev/bypass/dev@company.test';
    const refused = await new TestClient(idp.app).get(url);
    expect(refused).toBeProblem(404, 'request.not_found');
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect(await traces(idp.app)).toEqual(before);
  });

  it('make no first admin by link if an admin key is configured', async () => {
    expect(await idp.app.services.firstAdmin.offer(base)).toBeUndefined();
  });
});
