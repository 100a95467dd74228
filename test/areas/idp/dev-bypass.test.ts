import type { InjectOptions } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../support/app.ts';
import { traces } from './idp-app.ts';

let app: TestApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const random = 'Kq7-4f1e7c92b7d84c0f-91ab5d3e6c2f4a80';
const path = '/api/auth/dev/bypass/dev@company.test';

async function start(env: Record<string, string>): Promise<TestApp> {
  app = await buildTestApp({ env: { NODE_ENV: 'development', ...env } });
  return app;
}

/** The answer, apart from what differs between any two answers. */
async function shapeOf(on: TestApp, options: InjectOptions) {
  const { statusCode, headers, body } = await on.http.inject(options);
  const { date: _date, 'x-request-id': _id, 'content-length': _length, ...rest } = headers;
  return { statusCode, headers: rest, body: body.replace(/"request_id":"[^"]*"/, '') };
}

async function expectAbsent(on: TestApp, options: InjectOptions): Promise<void> {
  const before = await traces(on);
  for (const url of [path, path.replace('/api', ''), `${path}/`, '/api/auth/dev/bypass/nonsense']) {
    const unknown = await shapeOf(on, { ...options, url: '/api/auth/no/such/path' });
    expect(await shapeOf(on, { ...options, url })).toEqual(unknown);
    expect(unknown.statusCode).toBe(404);
  }
  expect(await traces(on)).toEqual(before);
  const status = await on.http.inject({ ...options, url: '/api/auth/status' });
  expect(status.json()).toMatchObject({ dev_bypass: false });
}

describe('case 44: the bypass of development does not exist', () => {
  it.each(['production', 'test'])('in %s', async (environment) => {
    await expectAbsent(await start({ NODE_ENV: environment, AUTH_SECRET: random, ADMIN_API_KEY: random }), {});
  });

  it('with a real client id', async () => {
    await expectAbsent(await start({ IDP_CLIENT_ID: '480921-svc.apps.company.test' }), {});
  });

  it('for another machine, whatever it says of itself', async () => {
    const on = await start({ TRUST_PROXY: '203.0.113.0/24' });
    for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { 'x-real-ip': '127.0.0.1' }, { host: 'localhost' }]) {
      await expectAbsent(on, { remoteAddress: '203.0.113.9', headers });
    }
  });

  it('behind a proxy on this machine, for other hosts, and for links on other sites', async () => {
    const on = await start({});
    for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { host: 'svc.company.test' }]) await expectAbsent(on, { headers });
    const before = await traces(on);
    expect((await on.http.inject({ url: path, headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } })).statusCode).toBe(404);
    expect(await traces(on)).toEqual(before);
  });
});

describe('on a machine of one\'s own the bypass', () => {
  it.each([[{}], [{ IDP_CLIENT_ID: 'change-me' }], [{ IDP_CLIENT_ID: 'placeholder-client-id', ADMIN_EMAILS: 'DEV@company.test' }]])('signs an admin in with %j', async (env) => {
    const on = await start(env);
    const answer = await on.http.inject({ url: path });
    expect(answer.json()).toMatchObject({ ok: true, user: { email: 'dev@company.test', roles: ['admin'] } });
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    const me = await on.http.inject({ url: '/auth/me', headers: { cookie } });
    expect(me.json()).toMatchObject({ email: 'dev@company.test', roles: ['admin'], amr: ['dev'] });
    expect((await on.http.inject({ url: '/api/auth/status' })).json()).toMatchObject({ oauth_configured: false, dev_bypass: true });
    const { data } = await on.services.audit.list({ action: 'dev_bypass.used', limit: 5 });
    expect(data).toHaveLength(1);
  });

  it('makes no admin of somebody who is not listed, and ends the session before', async () => {
    const on = await start({ ADMIN_EMAILS: 'boss@company.test' });
    const first = await on.http.inject({ url: path });
    expect(first.json()).toMatchObject({ user: { roles: [] } });
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    await on.http.inject({ url: path, headers: { cookie } });
    expect((await on.http.inject({ url: '/auth/me', headers: { cookie } })).statusCode).toBe(401);
  });

  it('leads a page to /, and refuses what is no address', async () => {
    const on = await start({});
    const page = await on.http.inject({ url: path, headers: { accept: 'text/html' } });
    expect([page.statusCode, page.headers.location]).toEqual([303, '/']);
    for (const email of ['nonsense', 'a@', '%00@x.test', `${'a'.repeat(300)}@x.test`]) {
      expect((await on.http.inject({ url: `/api/auth/dev/bypass/${email}` })).statusCode).toBe(422);
    }
  });
});
