import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';
import { begin, end } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';
import { freePort, listen } from './loopback.ts';
import { client } from './real-provider.ts';

const settings = (issuer: string) => ({
  IDP_ISSUER: issuer,
  IDP_CLIENT_ID: client.id,
  IDP_CLIENT_SECRET: client.secret,
});

describe('while the provider is unavailable', () => {
  let port: number;
  let app: FreshApp;
  let provider: FakeProvider | undefined;
  beforeAll(async () => {
    port = await freePort();
    app = await freshApp({ env: settings(`http://127.0.0.1:${port}`) });
  }, 60_000);
  afterEach(async () => {
    await provider?.close();
    provider = undefined;
  });
  afterAll(() => app.close());

  it('the service starts, and responds 503 with Retry-After', async () => {
    expect((await app.http.inject({ url: '/api/auth/status' })).json()).toMatchObject({
      oauth_configured: true,
    });
    for (const headers of [{}, { accept: 'text/html' }]) {
      const response = await app.http.inject({ url: '/api/auth/idp/start', headers });
      expect(response.statusCode).toBe(503);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      if ('accept' in headers)
        expect({ 'content-type': response.headers['content-type'], body: response.body }).toEqual({
          'content-type': 'text/html; charset=utf-8',
          body: expect.stringContaining('The identity provider is not reachable.') as string,
        });
      else expect(response.json()).toMatchObject({ code: 'auth.idp_unavailable' });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    expect(await app.stores.redis.keys('idp:flow:*')).toEqual([]);
  });

  it('and once it is back, users sign in, and its endpoints are fetched once', async () => {
    provider = await startFakeProvider(port);
    const [{ url, cookie }] = await Promise.all([begin(app), begin(app), begin(app)]);
    expect((await end(app, provider.authorize(url), cookie)).status).toBe(200);
    await begin(app);
    expect(
      provider.scene.hits.filter((path) => path.includes('openid-configuration')),
    ).toHaveLength(1);
  });

  it('during a sign-in, the callback responds 503 and signs no user in', async () => {
    provider = await startFakeProvider(port);
    const { url, cookie } = await begin(app);
    const query = provider.authorize(url);
    await provider.close();
    const before = await traces(app);
    const ended = await end(app, query, cookie);
    expect(ended).toMatchObject({
      status: 503,
      session: undefined,
      body: { code: 'auth.idp_unavailable' },
    });
    expect(await traces(app)).toEqual(before);
    expect(app.log()).not.toContain(client.secret);
    expect(app.log()).not.toContain(
      Buffer.from(`${client.id}:${client.secret}`).toString('base64'),
    );
  });
});

it('a provider that never responds does not block a request', async () => {
  const silent = await listen(() => undefined);
  const app = await freshApp({ env: settings(silent.origin) });
  const started = performance.now();
  const response = await app.http.inject({ url: '/api/auth/idp/start' });
  expect(response.statusCode).toBe(503);
  expect(performance.now() - started).toBeLessThan(8000);
  await app.close();
  await silent.close();
}, 30_000);

it('without a provider its routes respond 503', async () => {
  const app = await freshApp({
    env: {
      IDP_ISSUER: 'https://login.company.test',
      IDP_CLIENT_ID: 'your-placeholder',
      IDP_CLIENT_SECRET: 'x',
    },
  });
  const json = { 'content-type': 'application/json' };
  const responses = await Promise.all([
    app.http.inject({ url: '/api/auth/idp/start' }),
    app.http.inject({ url: '/auth/idp/callback?code=a&state=b' }),
    app.http.inject({
      method: 'POST',
      url: '/api/auth/cmyk/idp/initiate',
      payload: '{}',
      headers: json,
    }),
    app.http.inject({ url: '/auth/cmyk/idp/callback?code=a&state=b' }),
  ]);
  for (const response of responses) {
    expect({ status: response.statusCode, code: response.json<{ code: string }>().code }).toEqual({
      status: 503,
      code: 'auth.oauth_not_configured',
    });
    expect(response.headers['retry-after']).toBeDefined();
    expect(response.headers['set-cookie']).toBeUndefined();
  }
  expect((await app.http.inject({ url: '/api/auth/status' })).json()).toMatchObject({
    oauth_configured: false,
    dev_bypass: false,
    methods: ['otp_sms', 'otp_email'],
  });
  await app.close();
});
