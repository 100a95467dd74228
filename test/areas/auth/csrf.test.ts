import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { inventory, me } from '../../support/abuse.ts';
import { openBearer, openCookie, post } from '../../support/sign-in.ts';

const base = 'https://svc.example';

let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({ env: { BASE_URL: base } });
  await app.services.queues.start();
}, 30_000);
afterAll(() => app.close());

/** The headers that browsers send with requests from pages of other sites. */
const foreign: Record<string, Record<string, string>> = {
  'another origin': { origin: 'https://evil.example' },
  'another origin that calls itself same-origin': {
    origin: 'https://evil.example',
    'sec-fetch-site': 'same-origin',
  },
  'no origin by choice': { origin: 'null' },
  'an empty origin': { origin: '' },
  'a host that begins like ours': { origin: `${base}.evil.example` },
  'a host that ends like ours': { origin: 'https://evil-svc.example' },
  'ours as a user name': { origin: `${base}@evil.example` },
  'another port': { origin: `${base}:8443` },
  'another subdomain': { origin: 'https://www.svc.example' },
  'two origins': { origin: `${base}, https://evil.example` },
  'a path behind ours': { origin: `${base}/` },
  'our host without TLS': { origin: 'http://svc.example' },
  'our host without TLS, calling itself same-origin': {
    origin: 'http://svc.example',
    'sec-fetch-site': 'same-origin',
  },
  'our host under a scheme of its own': { origin: 'app://svc.example' },
  'cross-site': { 'sec-fetch-site': 'cross-site' },
  'same-site': { 'sec-fetch-site': 'same-site' },
  'nothing at all': {},
  'a referrer of ours': { referer: `${base}/console` },
};
const ours: Record<string, Record<string, string>> = {
  'our origin': { origin: base },
  'same-origin': { 'sec-fetch-site': 'same-origin' },
  'no page': { 'sec-fetch-site': 'none' },
};

const calls = (sessionId: string) =>
  [
    { method: 'POST', url: '/api/auth/logout' },
    { method: 'POST', url: '/auth/logout/' },
    { method: 'DELETE', url: '/api/auth/sessions' },
    { method: 'DELETE', url: '/auth/sessions?keep_current=true' },
    { method: 'DELETE', url: `/api/auth/sessions/${sessionId}` },
  ] as const;

describe('with a cookie', () => {
  it.each(Object.entries(foreign))(
    'case 48 › a request from %s changes nothing',
    async (_name, headers) => {
      const mine = await openCookie(app, 'case48@example.com');
      const before = await inventory(app);
      for (const { method, url } of calls(mine.sessionId)) {
        const response = await app.http.inject({
          method,
          url,
          headers: { ...mine.headers, ...headers, host: 'svc.example' },
        });
        expect({
          url,
          status: response.statusCode,
          code: response.json<{ code: string }>().code,
        }).toEqual({ url, status: 403, code: 'auth.csrf_origin' });
        expect(response.headers['set-cookie']).toBeUndefined();
      }
      expect(await inventory(app)).toEqual(before);
      expect((await me(app, mine.headers)).status).toBe(200);
      await app.services.sessions.endAll(mine.userId);
    },
  );

  it('case 48 › a form of another site changes nothing, whatever its body type', async () => {
    const mine = await openCookie(app, 'case48.form@example.com');
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json',
    ]) {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
        {},
      ]) {
        const response = await app.http.inject({
          method: 'POST',
          url: '/api/auth/logout',
          headers: { ...mine.headers, ...headers, 'content-type': type },
          payload: '{"a":"b"}',
        });
        expect({ type, status: response.statusCode }).toEqual({ type, status: 403 });
      }
    }
    expect((await me(app, mine.headers)).status).toBe(200);
  });

  it('case 48 › JSON of another content type is not read: forms can send no code', async () => {
    const before = await inventory(app);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/plain; charset=application/json',
      'multipart/form-data; boundary=x',
    ]) {
      for (const [url, payload] of Object.entries({
        '/api/auth/email/initiate': '{"email":"case48.text@example.com"}',
        '/api/auth/otp/verify': '{"identifier":"case48.text@example.com","code":"123456"}',
        '/api/auth/token/refresh': '{"refresh_token":"x"}',
      })) {
        const response = await app.http.inject({
          method: 'POST',
          url,
          payload,
          headers: { 'content-type': type, origin: 'https://evil.example' },
        });
        expect({ type, url, isRefused: [403, 415, 422].includes(response.statusCode) }).toEqual({
          type,
          url,
          isRefused: true,
        });
      }
    }
    expect(await inventory(app)).toEqual(before);
  });

  it.each(Object.entries(ours))(
    "case 48 › the user's own request works: %s",
    async (_name, headers) => {
      const mine = await openCookie(app, 'case48.own@example.com');
      const response = await app.http.inject({
        method: 'POST',
        url: '/api/auth/logout',
        headers: { ...mine.headers, ...headers },
      });
      expect(response.json()).toMatchObject({ session_revoked: true, cookie_cleared: true });
      expect((await me(app, mine.headers)).status).toBe(401);
    },
  );

  it('case 48 › no GET or HEAD changes anything', async () => {
    const mine = await openCookie(app, 'case48.get@example.com');
    const before = await inventory(app);
    const paths = [
      '/api/auth/status',
      '/api/auth/me',
      '/api/auth/sessions',
      '/api/auth/logout',
      '/auth/logout',
      '/api/auth/token/refresh',
      '/api/auth/otp/send?identifier=case48.get@example.com',
      `/api/auth/sessions/${mine.sessionId}`,
    ];
    for (const url of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
        const response = await app.http.inject({
          method,
          url,
          headers: {
            ...mine.headers,
            origin: 'https://evil.example',
            'sec-fetch-site': 'cross-site',
          },
        });
        expect(response.statusCode).toBeLessThan(500);
        expect(response.headers['access-control-allow-origin']).toBeUndefined();
        expect(response.headers['access-control-allow-credentials']).toBeUndefined();
      }
    }
    expect(await inventory(app)).toEqual(before);
    expect((await me(app, mine.headers)).status).toBe(200);
  });

  it('case 48 › a stale cookie gets the same response from any origin', async () => {
    const response = await app.http.inject({
      method: 'DELETE',
      url: '/api/auth/sessions',
      headers: { cookie: 'svc_session=x', origin: 'https://evil.example' },
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('with a token', () => {
  it.each(Object.entries(foreign))(
    'case 48 › a bearer client needs no origin: %s',
    async (_name, headers) => {
      const mine = await openBearer(
        app,
        `case48.bearer.${Object.keys(foreign).indexOf(_name)}@example.com`,
      );
      const response = await app.http.inject({
        method: 'DELETE',
        url: '/api/auth/sessions',
        headers: { ...mine.bearer, ...headers },
      });
      expect(response.statusCode).toBe(200);
      expect((await me(app, mine.bearer)).status).toBe(401);
    },
  );

  it('case 48 › a cookie beside a token is neither used nor ended', async () => {
    const [holder, browser] = [
      await openBearer(app, 'case48.holder@example.com'),
      await openCookie(app, 'case48.browser@example.com'),
    ];
    const response = await app.http.inject({
      method: 'DELETE',
      url: '/api/auth/sessions',
      headers: { ...holder.bearer, ...browser.headers, origin: 'https://evil.example' },
    });
    expect(response.statusCode).toBe(200);
    expect((await me(app, holder.bearer)).status).toBe(401);
    expect((await me(app, browser.headers)).status).toBe(200);
  });
});

describe('without a session', () => {
  it('case 47 › routes about the user refuse anonymous requests, on both paths', async () => {
    const before = await inventory(app);
    const paths = [
      ['GET', '/me'],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
      ['DELETE', '/sessions/018f0000-0000-4000-8000-000000000009'],
      ['DELETE', '/sessions/not-an-id'],
    ] as const;
    for (const [method, path] of paths) {
      for (const prefix of ['/api/auth', '/auth']) {
        for (const url of [`${prefix}${path}`, `${prefix}${path}/`]) {
          const response = await app.http.inject({ method, url });
          expect({
            url,
            status: response.statusCode,
            challenge: response.headers['www-authenticate'],
          }).toEqual({ url, status: 401, challenge: 'Bearer realm="svc"' });
        }
      }
    }
    expect(await inventory(app)).toEqual(before);
  });

  it('case 47 › an admin API key is no user', async () => {
    const response = await me(app, { authorization: 'Bearer test-admin-key-0123456789abcdef0123' });
    expect(response.status).toBe(401);
    expect(
      await post(
        app,
        '/api/auth/logout',
        {},
        { authorization: 'Bearer test-admin-key-0123456789abcdef0123' },
      ),
    ).toMatchObject({ status: 200, body: { session_revoked: false } });
  });
});
