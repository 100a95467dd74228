import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { freePort } from '../../../support/redis-server.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';
import { begin, end, providerEnv } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';
import { listen } from './loopback.ts';
import { client as registered } from './real-provider.ts';

describe('while the provider is unavailable', () => {
  let port: number;
  let app: FreshApp;
  let provider: FakeProvider | undefined;
  beforeAll(async () => {
    port = await freePort();
    app = await freshApp({ env: providerEnv(`http://127.0.0.1:${port}`) });
  }, 60_000);
  afterEach(async () => {
    await provider?.close();
    provider = undefined;
  });

  it('the service starts, and responds 503 with Retry-After', async () => {
    const client = new TestClient(app);
    expect((await client.get('/api/auth/status')).body).toMatchObject({ oauth_configured: true });
    const url = '/api/auth/idp/start';
    const program = await client.get(url);
    expect(program).toBeProblem(503, 'auth.idp_unavailable');
    const page = await client.page(url);
    expect(page).toMatchObject({
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    expect(page.text).toContain('The identity provider is not reachable.');
    for (const { headers } of [program, page]) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers).not.toHaveProperty('set-cookie');
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
    expect(ended).toBeProblem(503, 'auth.idp_unavailable');
    expect(ended.session).toBeUndefined();
    expect(await traces(app)).toEqual(before);
    expect(app.log()).not.toContain(registered.secret);
    expect(app.log()).not.toContain(
      Buffer.from(`${registered.id}:${registered.secret}`).toString('base64'),
    );
  });
});

it('a provider that never responds does not block a request', async () => {
  const silent = await listen(() => undefined);
  const app = await freshApp({ env: providerEnv(silent.origin) });
  const started = performance.now();
  const response = await new TestClient(app).get('/api/auth/idp/start');
  expect(response.status).toBe(503);
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
  const client = new TestClient(app);
  for (const response of [
    await client.get('/api/auth/idp/start'),
    await client.get('/auth/idp/callback?code=a&state=b'),
    await client.post('/api/auth/cmyk/idp/initiate', {}),
    await client.get('/auth/cmyk/idp/callback?code=a&state=b'),
  ]) {
    expect(response).toBeProblem(503, 'auth.oauth_not_configured');
    expect(response.headers).toHaveProperty('retry-after');
    expect(response.headers).not.toHaveProperty('set-cookie');
  }
  expect((await client.get('/api/auth/status')).body).toMatchObject({
    oauth_configured: false,
    dev_bypass: false,
    methods: ['otp_sms', 'otp_email'],
  });
  await app.close();
});
