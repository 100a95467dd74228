import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../../../../src/config.ts';
import { freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { codeFor, openBearer, openCookie } from '../../../support/sign-in.ts';

const shop = 'https://shop.example';
const allowOrigin = 'access-control-allow-origin';
/** A browser with a page of another origin. */
const pageOf = (origin: string) =>
  new TestClient(app).from('203.0.113.1').as({ origin, 'sec-fetch-site': 'cross-site' });
const env = { APP_ORIGINS: `${shop}, https://app.shop.example:8443`, RATE_LIMIT: 'on' };
const app = await freshApp({ env });
await app.services.queues.start();
const shopPage = pageOf(shop);
const person = await openBearer(app, 'origins@example.com');

type Method = 'GET' | 'POST' | 'DELETE';

/** Asks whether a page may send such a request. */
const preflight = (page: TestClient, method: Method, url: string) =>
  page.send('OPTIONS', url, undefined, {
    headers: {
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,device-token',
    },
  });

const paths = {
  GET: ['/cmyk/idp/callback', '/me', '/sessions', '/status', '/2fa/status', '/2fa/passkeys'],
  POST: [
    '/otp/send',
    '/otp/resend',
    '/otp/verify',
    '/mobile/initiate',
    '/mobile/resend',
    '/mobile/verify',
    '/email/initiate',
    '/cmyk/phone',
    '/cmyk/verify',
    '/cmyk/phone-only',
    '/cmyk/idp/initiate',
    '/token/refresh',
    '/logout',
    '/2fa/totp',
    '/2fa/totp/confirm',
    '/backup-codes',
    '/backup-codes/verify',
    '/2fa/passkeys/challenge',
    '/2fa/passkeys/verify',
  ],
  DELETE: ['/sessions', '/2fa/totp'],
};
const everywhere: [method: Method, url: string][] = [
  ...(['GET', 'POST', 'DELETE'] as const).flatMap((method) =>
    paths[method].flatMap((path): [Method, string][] => [
      [method, `/api/auth${path}`],
      [method, `/auth${path}`],
    ]),
  ),
  ['POST', '/api/cmyk/auth/otp/send'],
  ['POST', '/api/cmyk/auth/otp/verify'],
];

describe('pages of an app that APP_ORIGINS lists', () => {
  it.each(everywhere)('can send %s to %s after a preflight', async (method, url) => {
    const { status, headers } = await preflight(shopPage, method, url);
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      [allowOrigin]: shop,
      'access-control-max-age': '86400',
      'access-control-allow-headers':
        'authorization, content-type, device-token, dpop, idempotency-key',
      vary: expect.stringMatching(/\borigin\b/) as string,
    });
    expect(String(headers['access-control-allow-methods']).split(', ')).toContain(method);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('can read successes and refusals of every kind, with the headers they need', async () => {
    const api = shopPage.at('/api/auth');
    const stranger = { authorization: 'Bearer svca_x' };
    const json = { 'content-type': 'application/json' };
    const wrong = { email: 'origins@example.com', code: '000000' };
    for (const [expected, { status, headers }] of [
      [200, await api.get('/me', { headers: person.bearer })],
      [401, await api.get('/me')],
      [401, await api.post('/2fa/totp', undefined, { headers: stranger })],
      [422, await api.post('/mobile/initiate', { phone: '4799123456' })],
      [400, await api.post('/otp/verify', wrong)],
      [422, await api.post('/otp/verify', undefined, { headers: json })],
      [413, await api.post('/token/refresh', { refresh_token: 'x'.repeat(70_000) })],
      [503, await api.post('/cmyk/idp/initiate', {})],
    ] as const) {
      expect(status).toBe(expected);
      expect(headers).toMatchObject({ [allowOrigin]: shop, vary: 'cookie, authorization, origin' });
      expect(headers['access-control-expose-headers']).toMatch(
        /dpop-nonce.*retry-after.*www-authenticate/,
      );
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('can read that they are rate limited, and when to retry', async () => {
    const page = shopPage.from('203.0.113.31');
    const send = (at: number) =>
      page.post(`/api/auth/otp/send?identifier=origins.${at}@example.com`);
    for (let at = 0; at < 30; at += 1) await send(at);
    const { status, headers } = await send(30);
    expect(status).toBe(429);
    expect(headers[allowOrigin]).toBe(shop);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  });

  it('sign in with bearer tokens only: cookies are ignored, and none is set', async () => {
    const { headers } = await openCookie(app, 'origins.cookie@example.com');
    const own = new TestClient(app);
    expect(await own.get('/api/auth/me', { headers })).toMatchObject({ status: 200 });
    const me = await shopPage.get('/api/auth/me', { headers });
    expect(me.status).toBe(401);
    const logout = await shopPage.post('/api/auth/logout', undefined, { headers });
    expect(logout).toMatchObject({
      status: 200,
      body: { session_revoked: false, cookie_cleared: false },
    });
    expect(await own.get('/api/auth/me', { headers })).toMatchObject({ status: 200 });
    const email = 'origins.spa@example.com';
    const { body } = await shopPage.post('/api/auth/email/initiate', { email });
    const code = await codeFor(app, email);
    const done = await shopPage.post('/api/auth/otp/verify', {
      email,
      code,
      verification_id: body.verification_id,
    });
    expect(done.status).toBe(200);
    for (const response of [me, logout, done])
      expect(response.headers).not.toHaveProperty('set-cookie');
    const authorization = `Bearer ${String(done.body.access_token)}`;
    const left = await shopPage.post('/api/auth/logout', undefined, {
      headers: { ...headers, authorization },
    });
    expect(left.body).toMatchObject({ session_revoked: true });
  });
});

describe('pages of any other origin', () => {
  it.each([
    'https://evil.example',
    'http://shop.example',
    'https://shop.example:444',
    'https://shop.example.evil.example',
    'null',
    '',
  ])('can read no response, with or without credentials: %j', async (origin) => {
    const page = pageOf(origin);
    for (const [method, url] of everywhere) {
      const { headers } = await preflight(page, method, url);
      expect(headers, url).not.toHaveProperty(allowOrigin);
      expect(headers, url).not.toHaveProperty('access-control-allow-methods');
    }
    const { headers } = await page.get('/api/auth/me', { headers: person.bearer });
    expect(headers).not.toHaveProperty(allowOrigin);
    expect(headers.vary).toBe('cookie, authorization, origin');
  });

  it.each([
    ['GET', '/api/v1/api-keys'],
    ['GET', '/api/auth/idp/start'],
    ['POST', '/login'],
    ['GET', '/analytics/dashboard/'],
    ['POST', '/api/auth/blackops/status'],
    ['GET', '/account'],
  ] as const)("can't read %s %s, even from an app's origin", async (method, url) => {
    for (const sent of [method, 'OPTIONS'] as const) {
      const { headers } = await shopPage.send(sent, url, undefined, { headers: person.bearer });
      expect(headers).not.toHaveProperty(allowOrigin);
    }
  });
});

describe('APP_ORIGINS', () => {
  const mistakesOf = (env: Record<string, string>) => {
    try {
      parseConfig({ NODE_ENV: 'test', ...env });
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.mistakes.map(({ variable }) => variable) : ['?'];
    }
  };

  it.each([
    ['https://app.example/', 1],
    ['app.example', 1],
    ['*', 1],
    ['https://app.example,https://b.example', 0],
    ['', 0],
  ])('%j has %i mistakes', (list, count) => {
    expect(mistakesOf({ APP_ORIGINS: list })).toEqual(count === 0 ? [] : ['APP_ORIGINS']);
  });

  it("must not contain the service's own origin, whose pages use cookies", () => {
    expect(
      mistakesOf({ BASE_URL: 'https://id.example/', APP_ORIGINS: 'https://id.example' }),
    ).toEqual(['APP_ORIGINS']);
  });
});
