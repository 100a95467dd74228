import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../../../src/config.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { codeFor, openCookie, type SignedIn, signInByEmail } from '../../support/sign-in.ts';

const shop = 'https://shop.example';
let app: FreshApp;
let person: SignedIn;
beforeAll(async () => {
  app = await freshApp({
    env: { APP_ORIGINS: `${shop}, https://app.shop.example:8443`, RATE_LIMIT: 'on' },
  });
  await app.services.queues.start();
  person = await signInByEmail(app, 'origins@example.com');
}, 30_000);
afterAll(() => app.close());

type Method = 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
interface Sent {
  origin?: string;
  headers?: Record<string, string>;
  body?: unknown;
  address?: string;
}

async function call(
  method: Method,
  url: string,
  { origin = shop, headers = {}, body, address = '203.0.113.1' }: Sent = {},
) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return app.http.inject({
    method,
    url,
    remoteAddress: address,
    headers: { origin, 'sec-fetch-site': 'cross-site', ...type, ...headers },
    ...payload,
  });
}

const open: [method: Method, path: string][] = [
  ['POST', '/otp/send'],
  ['POST', '/otp/resend'],
  ['POST', '/otp/verify'],
  ['POST', '/mobile/initiate'],
  ['POST', '/mobile/resend'],
  ['POST', '/mobile/verify'],
  ['POST', '/email/initiate'],
  ['POST', '/cmyk/phone'],
  ['POST', '/cmyk/verify'],
  ['POST', '/cmyk/phone-only'],
  ['POST', '/cmyk/idp/initiate'],
  ['GET', '/cmyk/idp/callback'],
  ['POST', '/token/refresh'],
  ['GET', '/me'],
  ['POST', '/logout'],
  ['GET', '/sessions'],
  ['DELETE', '/sessions'],
  ['GET', '/status'],
  ['GET', '/2fa/status'],
  ['POST', '/2fa/totp'],
  ['POST', '/2fa/totp/confirm'],
  ['DELETE', '/2fa/totp'],
  ['POST', '/backup-codes'],
  ['POST', '/backup-codes/verify'],
  ['GET', '/2fa/passkeys'],
  ['POST', '/2fa/passkeys/challenge'],
  ['POST', '/2fa/passkeys/verify'],
];
const everywhere: [method: Method, url: string][] = [
  ...open.flatMap(([method, path]) =>
    [`/api/auth${path}`, `/auth${path}`].map((url): [Method, string] => [method, url]),
  ),
  ['POST', '/api/cmyk/auth/otp/send'],
  ['POST', '/api/cmyk/auth/otp/verify'],
];

describe('pages of an app that APP_ORIGINS lists', () => {
  it('can make every sign-in request after a preflight', async () => {
    for (const [method, url] of everywhere) {
      const preflight = await call('OPTIONS', url, {
        headers: {
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type,device-token',
        },
      });
      expect({ url, status: preflight.statusCode, ...preflight.headers }).toMatchObject({
        url,
        status: 204,
        'access-control-allow-origin': shop,
        'access-control-max-age': '86400',
      });
      expect(String(preflight.headers['access-control-allow-methods']).split(', ')).toContain(
        method,
      );
      expect(preflight.headers['access-control-allow-headers']).toBe(
        'authorization, content-type, device-token, dpop, idempotency-key',
      );
      expect(preflight.headers.vary).toMatch(/\borigin\b/);
      expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('can read successes and refusals of every kind, with the headers they need', async () => {
    const responses = [
      [200, await call('GET', '/api/auth/me', { headers: person.bearer })],
      [401, await call('GET', '/auth/me')],
      [
        401,
        await call('POST', '/api/auth/2fa/totp', { headers: { authorization: 'Bearer svca_x' } }),
      ],
      [422, await call('POST', '/api/auth/mobile/initiate', { body: { phone: '4799123456' } })],
      [
        400,
        await call('POST', '/auth/otp/verify', {
          body: { email: 'origins@example.com', code: '000000' },
        }),
      ],
      [
        422,
        await call('POST', '/auth/otp/verify', { headers: { 'content-type': 'application/json' } }),
      ],
      [
        413,
        await call('POST', '/api/auth/token/refresh', {
          body: { refresh_token: 'x'.repeat(70_000) },
        }),
      ],
      [503, await call('POST', '/api/auth/cmyk/idp/initiate', { body: {} })],
    ] as const;
    for (const [status, { statusCode, headers }] of responses) {
      expect({ status: statusCode, ...headers }).toMatchObject({
        status,
        'access-control-allow-origin': shop,
      });
      expect(headers['access-control-expose-headers']).toMatch(
        /dpop-nonce.*retry-after.*www-authenticate/,
      );
      expect(headers.vary).toBe('cookie, authorization, origin');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('can read that they are rate limited, and when to retry', async () => {
    const responses = [];
    for (let at = 0; at < 31; at += 1)
      responses.push(
        await call('POST', `/api/auth/otp/send?identifier=origins.${at}@example.com`, {
          address: '203.0.113.31',
        }),
      );
    const { statusCode, headers } = responses.at(-1) ?? {};
    expect({ status: statusCode, ...headers }).toMatchObject({
      status: 429,
      'access-control-allow-origin': shop,
      'retry-after': expect.stringMatching(/^\d+$/) as string,
    });
  });

  it('sign in with bearer tokens only: cookies are ignored, and none is set', async () => {
    const {
      headers: { cookie },
    } = await openCookie(app, 'origins.cookie@example.com');
    expect((await app.http.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode).toBe(
      200,
    );
    const me = await call('GET', '/api/auth/me', { headers: { cookie } });
    expect({ status: me.statusCode, 'set-cookie': me.headers['set-cookie'] }).toEqual({
      status: 401,
      'set-cookie': undefined,
    });
    const logout = await call('POST', '/api/auth/logout', { headers: { cookie } });
    expect({
      status: logout.statusCode,
      body: logout.json<object>(),
      'set-cookie': logout.headers['set-cookie'],
    }).toMatchObject({
      status: 200,
      body: { session_revoked: false, cookie_cleared: false },
      'set-cookie': undefined,
    });
    expect((await app.http.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode).toBe(
      200,
    );
    const email = 'origins.spa@example.com';
    const sent = (await call('POST', '/api/auth/email/initiate', { body: { email } })).json<{
      verification_id: string;
    }>();
    const done = await call('POST', '/api/auth/otp/verify', {
      body: { email, code: await codeFor(app, email), verification_id: sent.verification_id },
    });
    expect({ status: done.statusCode, 'set-cookie': done.headers['set-cookie'] }).toEqual({
      status: 200,
      'set-cookie': undefined,
    });
    const { access_token: token } = done.json<{ access_token: string }>();
    expect(
      (
        await call('POST', '/api/auth/logout', {
          headers: { authorization: `Bearer ${token}`, cookie },
        })
      ).json(),
    ).toMatchObject({ session_revoked: true });
  });
});

describe('pages of any other origin', () => {
  it('can read no response, with or without credentials', async () => {
    for (const origin of [
      'https://evil.example',
      'http://shop.example',
      'https://shop.example:444',
      'https://shop.example.evil.example',
      'null',
      '',
    ]) {
      for (const [method, url] of everywhere) {
        const preflight = await call('OPTIONS', url, {
          origin,
          headers: { 'access-control-request-method': method },
        });
        expect({
          origin,
          url,
          allowed: preflight.headers['access-control-allow-origin'],
          methods: preflight.headers['access-control-allow-methods'],
        }).toEqual({ origin, url, allowed: undefined, methods: undefined });
      }
      const response = await call('GET', '/api/auth/me', { origin, headers: person.bearer });
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.headers.vary).toBe('cookie, authorization, origin');
    }
  });

  it("can't read other routes, even from an app's origin", async () => {
    for (const [method, url] of [
      ['GET', '/api/v1/api-keys'],
      ['GET', '/api/auth/idp/start'],
      ['POST', '/login'],
      ['GET', '/analytics/dashboard/'],
      ['POST', '/api/auth/blackops/status'],
      ['GET', '/account'],
    ] as const) {
      expect((await call(method, url, { headers: person.bearer })).headers, url).not.toHaveProperty(
        'access-control-allow-origin',
      );
      expect((await call('OPTIONS', url)).headers, url).not.toHaveProperty(
        'access-control-allow-origin',
      );
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
