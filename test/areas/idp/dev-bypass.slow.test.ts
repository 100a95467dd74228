import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { traces } from './idp-app.ts';

const random = 'Kq7-4f1e7c92b7d84c0f-91ab5d3e6c2f4a80';
const path = '/api/auth/dev/bypass/dev@company.test';
const cookieOf = (headers: Record<string, unknown>): string =>
  String(headers['set-cookie']).split(';')[0] ?? '';
const start = (env: Record<string, string>): Promise<FreshApp> =>
  freshApp({ env: { NODE_ENV: 'development', ...env } });

/** The response, without what differs between any two responses. */
async function shapeOf(on: FreshApp, options: InjectOptions) {
  const { statusCode, headers, body } = await on.http.inject(options);
  const { date: _date, 'x-request-id': _id, 'content-length': _length, ...rest } = headers;
  return { statusCode, headers: rest, body: body.replace(/"request_id":"[^"]*"/, '') };
}

async function expectAbsent(on: FreshApp, options: InjectOptions): Promise<void> {
  const before = await traces(on);
  for (const url of [path, path.replace('/api', ''), `${path}/`, '/api/auth/dev/bypass/nonsense']) {
    const unknown = await shapeOf(on, { ...options, url: '/api/auth/no/such/path' });
    expect(await shapeOf(on, { ...options, url })).toEqual(unknown);
    expect(unknown.statusCode).toBe(404);
  }
  expect(await traces(on)).toEqual(before);
  const status = await on.http.inject({ ...options, url: '/api/auth/status' });
  expect(status.json()).toMatchObject({ dev_bypass: false });
  expect((await on.http.inject({ ...options, url: '/login' })).body).not.toContain('bypass');
}

const asBrowser = { accept: 'text/html' };

const elsewhere: Record<string, Record<string, string>> = {
  'in production': {
    NODE_ENV: 'production',
    AUTH_SECRET: random,
    ADMIN_API_KEY: `${random.slice(3)}-Zt9`,
  },
  'with a real client id': { IDP_CLIENT_ID: '480921-svc.apps.company.test' },
  'with a public address': { BASE_URL: 'https://svc.company.test' },
  'listening for other machines': { HOST: '0.0.0.0' },
  'behind proxies that are trusted': { TRUST_PROXY: '127.0.0.1' },
};

describe('case 44: the development bypass does not exist', { timeout: 60_000 }, () => {
  it.each(Object.keys(elsewhere))('%s', async (name) => {
    const app = await start(elsewhere[name] ?? {});
    for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }])
      await expectAbsent(app, { headers });
    // Messages don't depend on the identity provider.
    expect((await app.http.inject('/dev/outbox')).statusCode).toBe(
      name === 'with a real client id' ? 200 : 404,
    );
    await app.close();
  });
});

describe('without listed admins', { timeout: 60_000 }, () => {
  let on: FreshApp;
  beforeAll(async () => {
    on = await start({});
  }, 60_000);
  afterAll(() => on.close());

  it('case 44: the bypass does not exist for other machines, whatever they claim', async () => {
    for (const headers of [
      {},
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { host: 'localhost' },
    ]) {
      await expectAbsent(on, { remoteAddress: '203.0.113.9', headers });
    }
  });

  it('case 44: nor behind a local proxy, for other hosts, or from other sites', async () => {
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { via: '1.1 edge' },
      { host: 'svc.company.test' },
    ])
      await expectAbsent(on, { headers });
    const before = await traces(on);
    expect(
      (
        await on.http.inject({
          url: path,
          headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
        })
      ).statusCode,
    ).toBe(404);
    expect(await traces(on)).toEqual(before);
  });

  it('the bypass is in the OpenAPI document, with its 404', async () => {
    const { paths } = (await on.http.inject('/api/openapi.json')).json<{
      paths: Record<string, { get?: { responses: object } }>;
    }>();
    for (const prefix of ['/api/auth', '/auth'])
      expect(Object.keys(paths[`${prefix}/dev/bypass/{email}`]?.get?.responses ?? {})).toEqual(
        expect.arrayContaining(['200', '303', '404', '422']),
      );
  });

  it('the bypass signs an admin in', async () => {
    const response = await on.http.inject({ url: path });
    expect(response.json()).toMatchObject({
      ok: true,
      user: { email: 'dev@company.test', roles: ['admin'] },
    });
    const me = await on.http.inject({
      url: '/auth/me',
      headers: { cookie: cookieOf(response.headers) },
    });
    expect(me.json()).toMatchObject({ email: 'dev@company.test', roles: ['admin'], amr: ['dev'] });
    expect((await on.http.inject({ url: '/api/auth/status' })).json()).toMatchObject({
      oauth_configured: false,
      dev_bypass: true,
    });
    const { data } = await on.services.audit.list({ action: 'dev_bypass.used', limit: 5 });
    expect(data).toHaveLength(1);
  });

  it('redirects to `next` as the same cleared device each time, and to no other host', async () => {
    const click = (next: string, cookie = '') =>
      on.http.inject({
        url: `${path.replace('dev@', 'click@')}?next=${encodeURIComponent(next)}`,
        headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) },
      });
    const cookiesOf = (headers: Record<string, unknown>) =>
      [headers['set-cookie']]
        .flat()
        .map((line) => String(line).split(';')[0])
        .join('; ');
    const deviceOf = async (cookie: string) =>
      (await on.http.inject({ url: '/auth/me', headers: { cookie } })).json<{
        session: Record<string, unknown>;
      }>().session;
    const first = await click('/account?x=1');
    expect({ status: first.statusCode, location: first.headers.location }).toEqual({
      status: 303,
      location: '/account?x=1',
    });
    const cookie = cookiesOf(first.headers);
    expect(await deviceOf(cookie)).toMatchObject({ device_state: 'cleared' });
    expect(
      (await on.http.inject({ url: '/api/auth/blackops/dashboard', headers: { cookie } }))
        .statusCode,
    ).toBe(200);
    const again = await click('/account', cookie);
    const jar = `${cookiesOf(again.headers)}; ${
      cookie.split('; ').find((each) => each.startsWith('svc_device=')) ?? ''
    }`;
    expect((await deviceOf(jar)).device_id).toBe(
      (await deviceOf(cookiesOf(again.headers))).device_id,
    );
    expect(await on.stores.db.selectFrom('devices').select('state').execute()).toEqual([
      { state: 'cleared' },
    ]);
    for (const elsewhere of ['https://evil.test/', '//evil.test', '/\\evil.test'])
      expect((await click(elsewhere)).headers.location).toBe('/');
    // Without `next` no device is enrolled: it is only a sign-in.
    const plain = await on.http.inject({
      url: path.replace('dev@', 'plain@'),
      headers: { accept: 'text/html' },
    });
    expect(await deviceOf(cookiesOf(plain.headers))).not.toHaveProperty('device_state', 'cleared');
  });

  it('the bypass clears a new device in place of a removed one', async () => {
    const click = (cookie = '') =>
      on.http.inject({
        url: `${path.replace('dev@', 'removed@')}?next=/account`,
        headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) },
      });
    const deviceIn = (headers: Record<string, unknown>) =>
      [headers['set-cookie']]
        .flat()
        .map(String)
        .find((line) => line.startsWith('svc_device='))
        ?.split(';')[0] ?? '';
    const before = deviceIn((await click()).headers);
    const id = /=([\da-f-]{36})\./.exec(before)?.[1] ?? '';
    await on.services.devices.management.revoke(id, 'all', { actor: { kind: 'system' } }, 'admin');
    const after = deviceIn((await click(before)).headers);
    expect(after).toMatch(/^svc_device=[\da-f-]{36}\./);
    expect(after).not.toContain(id);
  });

  it('the sign-in page links to the bypass, which redirects to the requested page', async () => {
    const { body } = await on.http.inject({ url: '/login?next=/account', headers: asBrowser });
    const [, href = ''] = /href="(\/api\/auth\/dev\/bypass\/[^"]+)"/.exec(body) ?? [];
    expect(body).toContain('Continue as developer@example.com');
    const response = await on.http.inject({
      url: href.replaceAll('&amp;', '&'),
      headers: asBrowser,
    });
    expect({ status: response.statusCode, location: response.headers.location }).toEqual({
      status: 303,
      location: '/account',
    });
    const me = await on.http.inject({
      url: '/auth/me',
      headers: { cookie: String([response.headers['set-cookie']].flat()[0]).split(';')[0] },
    });
    expect(me.json()).toMatchObject({ email: 'developer@example.com', roles: ['admin'] });
  });

  it('the bypass redirects a page to /, and refuses an invalid address', async () => {
    const page = await on.http.inject({ url: path, headers: { accept: 'text/html' } });
    expect({ status: page.statusCode, location: page.headers.location }).toEqual({
      status: 303,
      location: '/',
    });
    for (const email of ['nonsense', 'a@', '%00@x.test', `${'a'.repeat(300)}@x.test`]) {
      expect((await on.http.inject({ url: `/api/auth/dev/bypass/${email}` })).statusCode).toBe(422);
    }
  });
});

describe('with a placeholder client id, and listed admins', { timeout: 60_000 }, () => {
  let on: FreshApp;
  beforeAll(async () => {
    on = await start({ IDP_CLIENT_ID: 'placeholder-client-id', ADMIN_EMAILS: 'BOSS@company.test' });
  }, 60_000);
  afterAll(() => on.close());

  it('the sign-in page offers the listed admins', async () => {
    const { body } = await on.http.inject({ url: '/signin', headers: asBrowser });
    expect(body).toContain('Continue as boss@company.test');
    expect(body).not.toContain('developer@');
  });

  it('only listed users become admins', async () => {
    expect((await on.http.inject({ url: path })).json()).toMatchObject({ user: { roles: [] } });
    expect((await on.http.inject({ url: path.replace('dev@', 'boss@') })).json()).toMatchObject({
      user: { roles: ['admin'] },
    });
  });

  it('the previous session ends', async () => {
    const cookie = cookieOf((await on.http.inject({ url: path })).headers);
    await on.http.inject({ url: path, headers: { cookie } });
    expect((await on.http.inject({ url: '/auth/me', headers: { cookie } })).statusCode).toBe(401);
  });
});
