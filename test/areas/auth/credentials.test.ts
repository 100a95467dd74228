import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { askCode, enter, inventory, me } from '../../support/abuse.ts';
import { openBearer, openCookie, type SignedIn } from '../../support/sign-in.ts';
import { listen } from '../../support/sockets.ts';

let app: TestApp;
let port: number;
let signedIn: SignedIn;
let browser: Awaited<ReturnType<typeof openCookie>>;
beforeAll(async () => {
  app = await sharedApp();
  port = await listen(app);
  signedIn = await openBearer(app, 'credentials.token@example.com');
  browser = await openCookie(app, 'credentials.cookie@example.com');
}, 30_000);

const failed = 'Bearer realm="svc", error="invalid_token"';

/** Sends headers unchanged, even repeated ones. */
async function rawGet(
  path: string,
  headers: string[],
): Promise<{ status: number; challenge: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      { port, host: '127.0.0.1', path, headers: ['Host', `127.0.0.1:${port}`, ...headers] },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              challenge: response.headers['www-authenticate'],
              text,
            }),
          );
      },
    );
    call.on('error', reject).end();
  });
}

describe('cookies', () => {
  it('case 31 › a damaged value is 401 and cleared, never a server error', async () => {
    const { cookie } = browser;
    const changed = (at: number) =>
      `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`;
    const values = [
      '',
      'x',
      cookie.slice(0, -1),
      cookie.slice(1),
      `${cookie}A`,
      `${cookie}=`,
      cookie.slice(0, 40),
      cookie.toUpperCase(),
      cookie.toLowerCase(),
      `"${cookie}"`,
      `${cookie}%00`,
      encodeURIComponent(`${cookie}/`),
      ...Array.from(cookie, (_, at) => changed(at)),
      'A'.repeat(96),
      `svcs_${'A'.repeat(91)}`,
      `svcs_${'_'.repeat(91)}`,
      'svcs_',
      `svcs_${'é'.repeat(91)}`,
      '🍪'.repeat(30),
      'null',
      'undefined',
      '{}',
      '../../x',
      'a'.repeat(6000),
      "' or 1=1 --",
      '*',
      's:*',
    ];
    const before = await inventory(app);
    for (const value of values) {
      const response = await app.http.inject({
        url: '/api/auth/me',
        headers: { cookie: `svc_session=${value}` },
      });
      expect({
        value,
        status: response.statusCode,
        challenge: response.headers['www-authenticate'],
      }).toEqual({ value, status: 401, challenge: failed });
      expect([response.headers['set-cookie']].flat()).toEqual([
        'svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      ]);
      if (value.length > 8) expect(response.body).not.toContain(value);
    }
    expect(await inventory(app)).toEqual(before);
    expect((await me(app, browser.headers)).status).toBe(200);
  });

  it('case 31 › of two cookies the live one is used, in either order or two headers', async () => {
    const other = await openCookie(app, 'credentials.other@example.com');
    const [mine, others] = ['credentials.cookie@example.com', 'credentials.other@example.com'];
    const pairs = [
      [browser.cookie, 'x', mine],
      ['x', browser.cookie, mine],
      [browser.cookie, browser.cookie, mine],
      ['', browser.cookie, mine],
      [browser.cookie, other.cookie, mine],
      [other.cookie, browser.cookie, others],
    ];
    for (const [one = '', two = '', whose] of pairs) {
      expect(await me(app, { cookie: `svc_session=${one}; svc_session=${two}` })).toMatchObject({
        status: 200,
        body: { email: whose },
      });
      const twice = await rawGet('/api/auth/me', [
        'Cookie',
        `svc_session=${one}`,
        'Cookie',
        `svc_session=${two}`,
      ]);
      expect({
        status: twice.status,
        includes: twice.text.includes(`"email":"${whose ?? ''}"`),
      }).toEqual({ status: 200, includes: true });
    }
  });

  it('case 31 › cookies of other names are ignored', async () => {
    const { cookie } = browser;
    for (const header of [
      `a=b; svc_session=${cookie}; c=d`,
      `svc_session=${cookie};`,
      `a;svc_session=${cookie}`,
      `xsvc_session=x; svc_session=${cookie}`,
    ])
      expect((await me(app, { cookie: header })).status).toBe(200);
    for (const header of [
      `xsvc_session=${cookie}`,
      `SVC_SESSION=${cookie}`,
      `svc_session_=${cookie}`,
      `a=svc_session=${cookie}`,
      `svc_session =${cookie}`,
      `svc-session=${cookie}`,
    ])
      expect((await me(app, { cookie: header })).status).toBe(401);
  });

  it('case 31 › an oversized header is refused', async () => {
    const { status } = await rawGet('/api/auth/me', [
      'Cookie',
      `svc_session=${'a'.repeat(40_000)}`,
    ]);
    expect(status).toBe(431);
    expect((await me(app, browser.headers)).status).toBe(200);
  });
});

describe('authorization headers', () => {
  it('case 32 › the scheme ignores case; anything else is 401 with a challenge', async () => {
    const token = signedIn.accessToken;
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await me(app, { authorization: `${scheme} ${token}` })).status).toBe(200);
    const headers = [
      'bearer x',
      'Bearer',
      'Bearer ',
      '',
      ' ',
      'Basic dXNlcjpwYXNz',
      `Basic ${token}`,
      token,
      `Bearer${token}`,
      `Token ${token}`,
      `Bearer ${token} x`,
      `Bearer ${token},`,
      `Bearer "${token}"`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer Bearer ${token}`,
      `Bearer, Bearer ${token}`,
      `Basic x, Bearer ${token}`,
      `DPoP ${token}`,
      `Bearer ${'a'.repeat(6000)}`,
      'Bearer null',
      'Bearer svca_',
      `Bearer svca_${'A'.repeat(91)}`,
      'Bearer \u00e9',
    ];
    for (const authorization of headers) {
      const response = await app.http.inject({ url: '/api/auth/me', headers: { authorization } });
      // An error is named only for bearer tokens (RFC 6750 §3.1) and bound ones (RFC 9449 §7.1).
      const challenge = /^bearer(?: |$)/i.test(authorization)
        ? failed
        : authorization.startsWith('DPoP')
          ? 'DPoP error="invalid_token", algs="ES256"'
          : 'Bearer realm="svc"';
      expect({
        authorization,
        status: response.statusCode,
        challenge: response.headers['www-authenticate'],
      }).toEqual({ authorization, status: 401, challenge });
      expect(response.body).not.toContain(token.slice(10, 60));
    }
  });

  it('case 32 › two authorization headers count as none', async () => {
    const [good, bad] = [`Bearer ${signedIn.accessToken}`, 'Bearer x'];
    for (const [one, two] of [
      [good, good],
      [good, bad],
      [bad, good],
      [good, asAdmin.authorization],
      [asAdmin.authorization, good],
    ] as const) {
      expect(
        await rawGet('/api/auth/me', ['Authorization', one, 'authorization', two]),
      ).toMatchObject({ status: 401, challenge: failed });
    }
    const admin = await rawGet('/api/v1/api-keys', [
      'Authorization',
      asAdmin.authorization,
      'Authorization',
      good,
    ]);
    expect(admin.status).toBe(401);
    expect((await rawGet('/api/auth/me', ['Authorization', good])).status).toBe(200);
  });

  it('case 32 › tokens in the query or body are ignored', async () => {
    const token = signedIn.accessToken;
    for (const name of [
      'access_token',
      'token',
      'authorization',
      'Authorization',
      'bearer',
      'svc_session',
    ]) {
      const response = await app.http.inject({ url: `/api/auth/me?${name}=${token}` });
      expect({ name, status: response.statusCode }).toEqual({ name, status: 401 });
    }
    for (const name of [
      'x-access-token',
      'x-auth-token',
      'proxy-authorization',
      'x-authorization',
      'x-forwarded-authorization',
      'x-user-id',
      'x-api-key',
    ]) {
      expect((await me(app, { [name]: `Bearer ${token}` })).status).toBe(401);
    }
    const status = await app.http.inject({ url: `/api/auth/status?access_token=${token}` });
    expect(status.json()).toMatchObject({ authenticated: false });
    expect(app.log()).not.toContain(token.slice(-40));
  });

  it('case 32 › the header overrides the cookie and never mixes two users', async () => {
    const [header, cookie] = [signedIn.bearer, browser.headers];
    const both = await me(app, { ...header, ...cookie });
    expect(both.body).toMatchObject({
      email: 'credentials.token@example.com',
      session: { id: signedIn.sessionId },
    });
    const wrong = await app.http.inject({
      url: '/api/auth/me',
      headers: { authorization: 'Bearer x', ...cookie },
    });
    expect(wrong.statusCode).toBe(401);
    expect(wrong.headers['set-cookie']).toBeUndefined();
    expect((await me(app, { authorization: 'Basic eDp4', ...cookie })).status).toBe(401);
    expect((await me(app, { ...header, cookie: 'svc_session=x' })).body.email).toBe(
      'credentials.token@example.com',
    );
    const list = await app.http.inject({
      url: '/api/auth/sessions',
      headers: { ...header, ...cookie },
    });
    expect(list.json<{ data: { id: string }[] }>().data.map(({ id }) => id)).toEqual([
      signedIn.sessionId,
    ]);
  });
});

const bodyPaths = [
  'email/initiate',
  'mobile/initiate',
  'mobile/resend',
  'mobile/verify',
  'otp/verify',
  'cmyk/phone',
  'cmyk/verify',
  'cmyk/phone-only',
  'token/refresh',
]
  .flatMap((path) => [`/api/auth/${path}`, `/auth/${path}`])
  .concat('/api/cmyk/auth/otp/send', '/api/cmyk/auth/otp/verify');
const bodilessPaths = ['logout', 'otp/send', 'otp/resend'].flatMap((path) => [
  `/api/auth/${path}`,
  `/auth/${path}`,
]);

describe('hostile requests', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
  const bodies: Record<
    string,
    { payload: string | Buffer; headers?: Record<string, string>; status: number[] }
  > = {
    'one megabyte': {
      payload: JSON.stringify({ phone: '+14155550155', code: 'a'.repeat(1024 * 1024) }),
      status: [413],
    },
    'a megabyte of spaces': { payload: ' '.repeat(1024 * 1024), status: [413] },
    'objects, ten thousand deep': { payload: deep(10_000), status: [422] },
    'lists, thirty thousand deep': { payload: '['.repeat(30_000), status: [422] },
    'a wide object': {
      payload: `{${Array.from({ length: 5000 }, (_, at) => `"k${at}":0`).join(',')}}`,
      status: [413, 422],
    },
    'a number with sixty thousand digits': {
      payload: `{"phone":1${'0'.repeat(60_000)}}`,
      status: [422],
    },
    'a prototype': {
      payload:
        '{"__proto__":{"polluted":true,"phone":"+14155550155","code":"123456",' +
        '"email":"case55@example.com","refresh_token":"x"},' +
        '"constructor":{"prototype":{"polluted":true}}}',
      status: [422],
    },
    'bytes that are no UTF-8': {
      payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      status: [400, 422],
    },
    'UTF-16': {
      payload: Buffer.from('\ufeff{"phone":"+14155550155"}', 'utf16le'),
      status: [400, 422],
    },
    NULs: { payload: '\0'.repeat(1000), status: [422] },
    nothing: { payload: '', status: [422] },
    'a gzip bomb': {
      payload: bomb,
      headers: { 'content-encoding': 'gzip' },
      status: [400, 413, 415, 422],
    },
    'a brotli label': {
      payload: '{}',
      headers: { 'content-encoding': 'br' },
      status: [400, 415, 422],
    },
  };

  it.each(Object.entries(bodies))(
    'case 55 › every route that reads a body refuses %s quickly',
    async (name, { payload, headers = {}, status }) => {
      const before = await inventory(app);
      for (const url of bodyPaths) {
        // The fastest of a few, because the machine may be busy.
        const times: number[] = [];
        for (let at = 0; at < 8 && (at === 0 || Math.min(...times) >= 50); at += 1) {
          const began = performance.now();
          const response = await app.http.inject({
            method: 'POST',
            url,
            payload,
            headers: { 'content-type': 'application/json', ...headers },
          });
          times.push(performance.now() - began);
          expect({
            url,
            isRefused: status.includes(response.statusCode),
            is: response.statusCode,
          }).toEqual({ url, isRefused: true, is: response.statusCode });
          expect(response.body.length).toBeLessThan(8000);
        }
        expect(Math.min(...times), `${name} at ${url}`).toBeLessThan(50);
      }
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      expect(await inventory(app)).toEqual(before);
      expect((await me(app, signedIn.bearer)).status).toBe(200);
    },
  );

  it('case 55 › a route without a body ignores one', async () => {
    const before = await inventory(app);
    for (const url of bodilessPaths) {
      for (const { payload, headers = {} } of Object.values(bodies)) {
        const response = await app.http.inject({
          method: 'POST',
          url,
          payload,
          headers: { 'content-type': 'application/json', ...headers },
        });
        expect({ url, isOurs: response.statusCode >= 500 }).toEqual({ url, isOurs: false });
      }
    }
    expect(await inventory(app)).toEqual(before);
  });

  it('case 55 › prototype members are not members of the body', async () => {
    const { code, id } = await askCode(app, 'case55.proto@example.com');
    const before = await inventory(app);
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/auth/otp/verify',
      headers: { 'content-type': 'application/json' },
      payload:
        '{"identifier":"case55.proto@example.com",' +
        `"__proto__":{"code":"${code}","verification_id":"${id}"}}`,
    });
    expect(response.statusCode).toBe(422);
    expect(response.body).not.toContain(code);
    expect(await inventory(app)).toEqual(before);
    expect((await enter(app, 'case55.proto@example.com', code, id)).status).toBe(200);
  });

  it('case 56 › other methods on POST routes are 405 with Allow, and change nothing', async () => {
    const before = await inventory(app);
    for (const url of [...bodyPaths, ...bodilessPaths]) {
      for (const path of [url, `${url}/`]) {
        for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const) {
          const response = await app.http.inject({
            method,
            url: `${path}?identifier=case56@example.com`,
            headers: browser.headers,
            payload: { phone: '+14155550156', email: 'case56@example.com', code: '123456' },
          });
          expect({
            method,
            path,
            status: response.statusCode,
            allow: response.headers.allow,
          }).toEqual({
            method,
            path,
            status: 405,
            allow: 'POST, OPTIONS',
          });
          if (method === 'HEAD') expect(response.body).toBe('');
        }
        // The platform answers OPTIONS itself (RFC 9110 §9.3.7).
        const options = await app.http.inject({
          method: 'OPTIONS',
          url: path,
          headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        });
        expect({
          path,
          status: options.statusCode,
          allow: options.headers.allow,
          cors: options.headers['access-control-allow-origin'],
        }).toEqual({ path, status: 204, allow: 'POST, OPTIONS', cors: undefined });
      }
    }
    expect(await inventory(app)).toEqual(before);
    expect((await me(app, browser.headers)).status).toBe(200);
  });

  it('case 56 › a method override in a header or the query is ignored', async () => {
    const before = await inventory(app);
    for (const headers of [
      { 'x-http-method-override': 'DELETE' },
      { 'x-method-override': 'DELETE' },
      { 'x-http-method': 'DELETE' },
    ] as Record<string, string>[]) {
      const response = await app.http.inject({
        url: '/api/auth/sessions?_method=DELETE',
        headers: { ...browser.headers, ...headers },
      });
      expect(response.statusCode).toBe(200);
    }
    expect(await inventory(app)).toEqual(before);
    expect((await me(app, browser.headers)).status).toBe(200);
  });
});
