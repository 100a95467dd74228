import { describe, expect } from 'vitest';
import { expectUnchanged, me } from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { openBearer, openCookie } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';

type Headers = Record<string, string>;
const base = 'https://svc.example';
const evil = { origin: 'https://evil.example' };

const app = await sharedApp('named');
const client = new TestClient(app);

/** The headers that browsers send with requests from pages of other sites. */
const foreign: [name: string, headers: Headers][] = [
  ['another origin', evil],
  ['another origin that calls itself same-origin', { ...evil, 'sec-fetch-site': 'same-origin' }],
  ['no origin by choice', { origin: 'null' }],
  ['an empty origin', { origin: '' }],
  ['a host that begins like ours', { origin: `${base}.evil.example` }],
  ['a host that ends like ours', { origin: 'https://evil-svc.example' }],
  ['ours as a user name', { origin: `${base}@evil.example` }],
  ['another port', { origin: `${base}:8443` }],
  ['another subdomain', { origin: 'https://www.svc.example' }],
  ['two origins', { origin: `${base}, https://evil.example` }],
  ['a path behind ours', { origin: `${base}/` }],
  ['our host without TLS', { origin: 'http://svc.example' }],
  [
    'our host without TLS, calling itself same-origin',
    { origin: 'http://svc.example', 'sec-fetch-site': 'same-origin' },
  ],
  ['our host under a scheme of its own', { origin: 'app://svc.example' }],
  ['cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['same-site', { 'sec-fetch-site': 'same-site' }],
  ['nothing at all', {}],
  ['a referrer of ours', { referer: `${base}/console` }],
];

describe('with a cookie', () => {
  it.each(foreign)('case 48 › a request from %s changes nothing', async (_name, headers) => {
    const mine = await openCookie(app, 'case48@example.com');
    const sender = client.as({ ...mine.headers, ...headers, host: 'svc.example' });
    await expectUnchanged(app, async () => {
      for (const refused of [
        await sender.post('/api/auth/logout'),
        await sender.post('/auth/logout/'),
        await sender.delete('/api/auth/sessions'),
        await sender.delete('/auth/sessions?keep_current=true'),
        await sender.delete(`/api/auth/sessions/${mine.sessionId}`),
      ]) {
        expect(refused).toBeProblem(403, 'auth.csrf_origin');
        expect(refused.headers).not.toHaveProperty('set-cookie');
      }
    });
    expect(await me(app, mine.headers)).toMatchObject({ status: 200 });
    await app.services.sessions.endAll(mine.userId);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json',
  ])('case 48 › a form of another site changes nothing by a body of %s', async (type) => {
    const mine = await openCookie(app, 'case48.form@example.com');
    const sender = client.as({ ...mine.headers, 'content-type': type });
    for (const headers of [evil, { origin: 'null', 'sec-fetch-site': 'cross-site' }, {}])
      expect(
        await sender.post('/api/auth/logout', '{"a":"b"}', { headers: { ...headers } }),
      ).toMatchObject({ status: 403 });
    expect(await me(app, mine.headers)).toMatchObject({ status: 200 });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/plain; charset=application/json',
    'multipart/form-data; boundary=x',
  ])('case 48 › JSON as %s is not read: forms can send no code', async (type) => {
    const sender = client.as({ ...evil, 'content-type': type });
    await expectUnchanged(app, async () => {
      for (const [url, payload] of [
        ['/api/auth/email/initiate', '{"email":"case48.text@example.com"}'],
        ['/api/auth/otp/verify', '{"identifier":"case48.text@example.com","code":"123456"}'],
        ['/api/auth/token/refresh', '{"refresh_token":"x"}'],
      ] as const)
        expect([403, 415, 422], url).toContain((await sender.post(url, payload)).status);
    });
  });

  it.each<Headers>([
    { origin: base },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])("case 48 › the user's own request works: %j", async (headers) => {
    const mine = await openCookie(app, 'case48.own@example.com');
    const response = await client.as({ ...mine.headers, ...headers }).post('/api/auth/logout');
    expect(response.body).toMatchObject({ session_revoked: true, cookie_cleared: true });
    expect(await me(app, mine.headers)).toMatchObject({ status: 401 });
  });

  it('case 48 › no GET or HEAD changes anything', async () => {
    const mine = await openCookie(app, 'case48.get@example.com');
    const sender = client.as({ ...mine.headers, ...evil, 'sec-fetch-site': 'cross-site' });
    await expectUnchanged(app, async () => {
      for (const url of [
        '/api/auth/status',
        '/api/auth/me',
        '/api/auth/sessions',
        '/api/auth/logout',
        '/auth/logout',
        '/api/auth/token/refresh',
        '/api/auth/otp/send?identifier=case48.get@example.com',
        `/api/auth/sessions/${mine.sessionId}`,
      ])
        for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
          const { status, headers } = await sender.send(method, url);
          expect(status).toBeLessThan(500);
          expect(headers).not.toHaveProperty('access-control-allow-origin');
          expect(headers).not.toHaveProperty('access-control-allow-credentials');
        }
    });
    expect(await me(app, mine.headers)).toMatchObject({ status: 200 });
  });

  it('case 48 › a stale cookie gets the same response from any origin', async () => {
    const stale = client.as({ cookie: 'svc_session=x', ...evil });
    expect(await stale.delete('/api/auth/sessions')).toMatchObject({ status: 401 });
  });
});

describe('with a token', () => {
  it.each(foreign)('case 48 › a bearer client needs no origin: %s', async (name, headers) => {
    const at = foreign.findIndex(([each]) => each === name);
    const mine = await openBearer(app, `case48.bearer.${at}@example.com`);
    const sender = client.as({ ...mine.bearer, ...headers });
    expect(await sender.delete('/api/auth/sessions')).toMatchObject({ status: 200 });
    expect(await me(app, mine.bearer)).toMatchObject({ status: 401 });
  });

  it('case 48 › a cookie beside a token is neither used nor ended', async () => {
    const holder = await openBearer(app, 'case48.holder@example.com');
    const browser = await openCookie(app, 'case48.browser@example.com');
    const both = client.as({ ...holder.bearer, ...browser.headers, ...evil });
    expect(await both.delete('/api/auth/sessions')).toMatchObject({ status: 200 });
    expect(await me(app, holder.bearer)).toMatchObject({ status: 401 });
    expect(await me(app, browser.headers)).toMatchObject({ status: 200 });
  });
});

describe('without a session', () => {
  it.each([
    ['GET', '/me'],
    ['GET', '/sessions'],
    ['DELETE', '/sessions'],
    ['DELETE', '/sessions/018f0000-0000-4000-8000-000000000009'],
    ['DELETE', '/sessions/not-an-id'],
  ] as const)('case 47 › %s %s refuses anonymous requests, on both paths', async (method, path) => {
    await expectUnchanged(app, async () => {
      for (const prefix of ['/api/auth', '/auth'])
        for (const url of [`${prefix}${path}`, `${prefix}${path}/`])
          expect(await client.send(method, url), url).toMatchObject({
            status: 401,
            headers: { 'www-authenticate': 'Bearer realm="svc"' },
          });
    });
  });

  it('case 47 › an admin API key is no user', async () => {
    const key = client.as({ authorization: 'Bearer test-admin-key-0123456789abcdef0123' });
    expect(await key.get('/api/auth/me')).toMatchObject({ status: 401 });
    expect(await key.post('/api/auth/logout', {})).toMatchObject({
      status: 200,
      body: { session_revoked: false },
    });
  });
});
