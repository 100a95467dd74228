import { request as httpRequest } from 'node:http';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { asAdmin } from '../../../support/app.ts';
import { askCode, enter, expectUnchanged } from '../../../support/abuse.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { openBearer, openCookie } from '../../../support/sign-in.ts';
import { listen } from '../../../support/sockets.ts';
import { hostileBodies } from './hostile-bodies.ts';

type Headers = Record<string, string>;
const bearerEmail = 'credentials.token@example.com';
const cookieEmail = 'credentials.cookie@example.com';
const app = await sharedApp();
const client = new TestClient(app);
const port = await listen(app);
const signedIn = await openBearer(app, bearerEmail);
const browser = await openCookie(app, cookieEmail);

const meWith = (headers: Headers): Promise<TestResponse> => client.get('/api/auth/me', { headers });
const expectAlive = async (headers: Headers) => expect((await meWith(headers)).status).toBe(200);
const expectDead = async (headers: Headers) => expect((await meWith(headers)).status).toBe(401);

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
    await expectUnchanged(app, async () => {
      for (const value of values) {
        const refused = await meWith({ cookie: `svc_session=${value}` });
        expect(refused, value).toMatchObject({
          status: 401,
          headers: {
            'www-authenticate': failed,
            'set-cookie': ['svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'],
          },
        });
        if (value.length > 8) expect(refused.text).not.toContain(value);
      }
    });
    await expectAlive(browser.headers);
  });

  it('case 31 › of two cookies the live one is used, in either order or two headers', async () => {
    const otherEmail = 'credentials.other@example.com';
    const mine = browser.cookie;
    const { cookie: other } = await openCookie(app, otherEmail);
    for (const [one, two, email] of [
      [mine, 'x', cookieEmail],
      ['x', mine, cookieEmail],
      [mine, mine, cookieEmail],
      ['', mine, cookieEmail],
      [mine, other, cookieEmail],
      [other, mine, otherEmail],
    ] as const) {
      const cookies = [`svc_session=${one}`, `svc_session=${two}`] as const;
      expect(await meWith({ cookie: cookies.join('; ') })).toMatchObject({
        status: 200,
        body: { email },
      });
      const twice = await rawGet('/api/auth/me', ['Cookie', cookies[0], 'Cookie', cookies[1]]);
      expect(twice.status).toBe(200);
      expect(twice.text).toContain(`"email":"${email}"`);
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
      await expectAlive({ cookie: header });
    for (const header of [
      `xsvc_session=${cookie}`,
      `SVC_SESSION=${cookie}`,
      `svc_session_=${cookie}`,
      `a=svc_session=${cookie}`,
      `svc_session =${cookie}`,
      `svc-session=${cookie}`,
    ])
      await expectDead({ cookie: header });
  });

  it('case 31 › an oversized header is refused', async () => {
    const { status } = await rawGet('/api/auth/me', [
      'Cookie',
      `svc_session=${'a'.repeat(40_000)}`,
    ]);
    expect(status).toBe(431);
    await expectAlive(browser.headers);
  });
});

describe('authorization headers', () => {
  it('case 32 › the scheme ignores case; anything else is 401 with a challenge', async () => {
    const token = signedIn.accessToken;
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      await expectAlive({ authorization: `${scheme} ${token}` });
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
      const refused = await meWith({ authorization });
      // An error is named only for bearer tokens (RFC 6750 §3.1) and bound ones (RFC 9449 §7.1).
      const challenge = /^bearer(?: |$)/i.test(authorization)
        ? failed
        : authorization.startsWith('DPoP')
          ? 'DPoP error="invalid_token", algs="ES256"'
          : 'Bearer realm="svc"';
      expect(refused, authorization).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': challenge },
      });
      expect(refused.text).not.toContain(token.slice(10, 60));
    }
  });

  it('case 32 › two authorization headers count as none', async () => {
    const [good, bad] = [`Bearer ${signedIn.accessToken}`, 'Bearer x'];
    const key = asAdmin.authorization;
    const getWith = (path: string, one: string, two: string) =>
      rawGet(path, ['Authorization', one, 'authorization', two]);
    for (const [one, two] of [
      [good, good],
      [good, bad],
      [bad, good],
      [good, key],
      [key, good],
    ] as const)
      expect(await getWith('/api/auth/me', one, two)).toMatchObject({
        status: 401,
        challenge: failed,
      });
    expect((await getWith('/api/v1/api-keys', key, good)).status).toBe(401);
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
    ])
      expect((await client.get(`/api/auth/me?${name}=${token}`)).status, name).toBe(401);
    for (const name of [
      'x-access-token',
      'x-auth-token',
      'proxy-authorization',
      'x-authorization',
      'x-forwarded-authorization',
      'x-user-id',
      'x-api-key',
    ]) {
      await expectDead({ [name]: `Bearer ${token}` });
    }
    const status = await client.get(`/api/auth/status?access_token=${token}`);
    expect(status.body).toMatchObject({ authenticated: false });
    expect(app.log()).not.toContain(token.slice(-40));
  });

  it('case 32 › the header overrides the cookie and never mixes two users', async () => {
    const { bearer, sessionId } = signedIn;
    const cookie = browser.headers;
    expect((await meWith({ ...bearer, ...cookie })).body).toMatchObject({
      email: bearerEmail,
      session: { id: sessionId },
    });
    const wrong = await meWith({ authorization: 'Bearer x', ...cookie });
    expect(wrong.status).toBe(401);
    expect(wrong.headers).not.toHaveProperty('set-cookie');
    await expectDead({ authorization: 'Basic eDp4', ...cookie });
    const stale = await meWith({ ...bearer, cookie: 'svc_session=x' });
    expect(stale.body.email).toBe(bearerEmail);
    const list = await client.get<{ data: { id: string }[] }>('/api/auth/sessions', {
      headers: { ...bearer, ...cookie },
    });
    expect(list.body.data.map(({ id }) => id)).toEqual([sessionId]);
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
  const json = { 'content-type': 'application/json' };

  it.each(Object.entries(hostileBodies))(
    'case 55 › a body of %s is refused quickly, with a short response',
    async (_name, { payload, headers }) => {
      await expectUnchanged(app, async () => {
        // The fastest of a few, because the machine may be busy.
        const times: number[] = [];
        for (let at = 0; at < 8 && (at === 0 || Math.min(...times) >= 50); at += 1) {
          const began = performance.now();
          const refused = await client.post('/api/auth/otp/verify', payload, {
            headers: { ...json, ...headers },
          });
          times.push(performance.now() - began);
          expect([400, 413, 415, 422]).toContain(refused.status);
          expect(refused.text.length).toBeLessThan(8000);
        }
        expect(Math.min(...times)).toBeLessThan(50);
      });
      await expectAlive(signedIn.bearer);
    },
  );

  it('case 55 › a route that needs a body refuses an empty one', async () => {
    for (const url of bodyPaths)
      expect(await client.post(url, '', { headers: json }), url).toMatchObject({ status: 422 });
  });

  it('case 55 › a route without a body ignores one', async () => {
    await expectUnchanged(app, async () => {
      for (const url of bodilessPaths)
        for (const { payload, headers } of Object.values(hostileBodies)) {
          const request = { headers: { ...json, ...headers } };
          const { status } = await client.post(url, payload, request);
          expect(status, url).toBeLessThan(500);
        }
    });
  });

  it('case 55 › prototype members are not members of the body', async () => {
    const to = 'case55.proto@example.com';
    const { code, id } = await askCode(app, to);
    const hidden = `"__proto__":{"code":"${code}","verification_id":"${id}"}`;
    await expectUnchanged(app, async () => {
      const refused = await client.post(
        '/api/auth/otp/verify',
        `{"identifier":"${to}",${hidden}}`,
        { headers: json },
      );
      expect(refused.status).toBe(422);
      expect(refused.text).not.toContain(code);
    });
    expect((await enter(app, to, code, id)).status).toBe(200);
  });

  it.each(['x-http-method-override', 'x-method-override', 'x-http-method'])(
    'case 56 › a method override in %s or the query is ignored',
    async (name) => {
      await expectUnchanged(app, async () => {
        const headers = { ...browser.headers, [name]: 'DELETE' };
        const response = await client.get('/api/auth/sessions?_method=DELETE', { headers });
        expect(response.status).toBe(200);
      });
      await expectAlive(browser.headers);
    },
  );
});
