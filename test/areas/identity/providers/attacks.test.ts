import { afterAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import { startFakeProvider } from './fake-provider.ts';
import { begin, end, me, providerEnv, signInAs } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';
import { nativeUri } from './real-provider.ts';

const base = 'https://svc.company.test';
const hostile = '<script>alert(1)</script>"\'\u202e\u2028\u001b[31m';
const provider = await startFakeProvider();
const env = {
  BASE_URL: base,
  ...providerEnv(provider.issuer),
  IDP_REDIRECT_URIS: nativeUri,
  REDIS_URL: await testRedisUrl(),
  AUTH_SECRET: 'one secret of both replicas, long enough',
};
/** Two replicas that share one Redis, which stores the sign-ins in progress. */
const app = await freshApp({ env });
const other = await freshApp({ env, databaseUrl: app.databaseUrl });
afterAll(async () => {
  await Promise.all([app.close(), other.close()]);
  await provider.close();
});

const turn = (at: number): FreshApp => (at % 2 === 0 ? app : other);
const callback = (query: string, cookie: string) =>
  new TestClient(app).page(`/api/auth/idp/callback?${query}`, { headers: { cookie } });

describe('two replicas', () => {
  it('complete a sign-in that began at one and ends at the other', async () => {
    provider.scene.subject = { sub: 'across' };
    const { url, cookie } = await begin(turn(0));
    expect(await end(turn(1), provider.authorize(url), cookie)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  });

  it('complete a sign-in once, of twenty concurrent callbacks', async () => {
    const { url, cookie } = await begin(app);
    const query = provider.authorize(url).toString();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => end(turn(at), query, cookie)),
    );
    const [done, ...others] = all.sort((a, b) => a.status - b.status);
    expect(done).toMatchObject({ status: 200, session: expect.any(String) as string });
    for (const refused of others)
      expect(refused).toMatchObject({ session: undefined, body: { code: 'auth.invalid_state' } });
  });

  it('complete no native sign-in with a wrong verifier, of ten callbacks', async () => {
    const { url, state } = await nativeFlow();
    const code = provider.authorize(url).get('code') ?? '';
    const query = { code, state, code_verifier: 'B'.repeat(43) };
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        new TestClient(turn(at)).get('/api/auth/cmyk/idp/callback', { query }),
      ),
    );
    for (const { status } of all) expect(status).toBe(400);
  });
});

async function nativeFlow() {
  const { body } = await new TestClient(app).post<{ authorization_url: string; state: string }>(
    '/api/auth/cmyk/idp/initiate',
    {
      platform: 'ios',
      redirect_uri: nativeUri,
      code_challenge: 'A'.repeat(43),
      login_hint: hostile,
    },
  );
  return { url: body.authorization_url, state: body.state };
}

describe('the response of the provider', () => {
  it.each<[string, (state: string) => string, number]>([
    ['a state of 8 KB', () => `code=c&state=${'A'.repeat(8192)}`, 422],
    ['a code of 8 KB', (state) => `code=${'A'.repeat(8192)}&state=${state}`, 422],
    ['two states', (state) => `code=c&state=${state}&state=${state}`, 422],
    ['a state as an object', (state) => `code=c&state[x]=${state}`, 400],
    ['a state with a line end', (state) => `code=c&state=${state}%0d%0aset-cookie:x=y`, 400],
    ['a state with more behind a zero byte', (state) => `code=c&state=${state}%00`, 400],
    [
      'an issuer in capitals',
      (state) => `code=c&state=${state}&iss=${encodeURIComponent(provider.issuer.toUpperCase())}`,
      400,
    ],
    [
      'the issuer with a slash',
      (state) => `code=c&state=${state}&iss=${encodeURIComponent(`${provider.issuer}/`)}`,
      400,
    ],
    ['an empty issuer', (state) => `code=c&state=${state}&iss=`, 400],
    [
      'two issuers',
      (state) =>
        `code=c&state=${state}&iss=${encodeURIComponent(provider.issuer)}&iss=https://evil.test`,
      422,
    ],
    ['an error beside a code', (state) => `code=c&state=${state}&error=server_error`, 303],
    ['an empty error', (state) => `state=${state}&error=`, 303],
    [
      'an error that is a page',
      (state) =>
        `state=${state}&error=${encodeURIComponent(
          hostile,
        )}&error_description=${encodeURIComponent(hostile)}&error_uri=javascript:alert(1)`,
      303,
    ],
    [
      '8 KB of description',
      (state) =>
        `state=${state}&error=access_denied&error_description=${encodeURIComponent('<b>').repeat(
          900,
        )}`,
      303,
    ],
  ])('%s signs no user in and is not shown on a page', async (_name, query, status) => {
    const before = await traces(app);
    const { state, cookie } = await begin(app, '?next=/there');
    const response = await callback(query(state), cookie);
    expect(response.status).toBe(status);
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(response.headers.location).toBe(
      status === 303 ? '/login?reason=idp_refused&next=%2Fthere' : undefined,
    );
    expect(response.text).not.toMatch(/<script>alert|<b>|javascript:|AAAAAAAA|\u202e|\u001b/);
    expect(await traces(app)).toEqual(before);
  });

  it('an error from another browser ends that sign-in and hides its target', async () => {
    const [victim, stranger] = [await begin(app, '?next=/secret'), await begin(app)];
    const response = await callback(`state=${victim.state}&error=access_denied`, stranger.cookie);
    expect(response.status).toBe(400);
    expect(response.headers).not.toHaveProperty('location');
    expect(response.text).not.toContain('secret');
  });

  it('a login hint adds only its own parameter to the URL', async () => {
    const { url } = await nativeFlow();
    const asked = new URL(url);
    expect(asked.origin).toBe(provider.issuer);
    expect(asked.searchParams.get('login_hint')).toBe(hostile);
    expect(asked.searchParams.getAll('redirect_uri')).toEqual([nativeUri]);
    expect(url).toMatch(/^[!-~]+$/);
  });

  it.each([
    ['a zero byte', 'A\0da'],
    ['an escape', 'A\u001b[31mda'],
    ['a C1 control', 'A\u009b31mda'],
    ['half a character', 'A\ud83dda'],
    ['what turns a line around', 'A\u202eda'],
    ['a line separator', 'A\u2028da'],
    ['an end of a script', '</script><script>alert(1)</script>'],
  ])(
    'a name with %s signs in, and is shown well-formed on one line, or not at all',
    async (what, name) => {
      const { session } = await signInAs(app, provider, { sub: `named ${what}`, name });
      const shown = (await me(app, session)).name;
      expect(shown === null || (typeof shown === 'string' && shown.isWellFormed())).toBe(true);
      expect(String(shown)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    },
  );
});
