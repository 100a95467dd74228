import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparable } from '../../../support/abuse-tables.ts';
import { freshApp, type FreshApp } from '../../../support/app.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { traces } from './idp-app.ts';

type Headers = Record<string, string>;

const random = 'Kq7-4f1e7c92b7d84c0f-91ab5d3e6c2f4a80';
const pathFor = (name: string) => `/api/auth/dev/bypass/${name}@company.test`;
const path = pathFor('dev');
const cookiesOf = ({ headers }: TestResponse): string[] =>
  [headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1).join(''));
const start = (env: Headers): Promise<FreshApp> =>
  freshApp({ env: { NODE_ENV: 'development', ...env } });

/** Expects that the bypass looks like any unknown path to this client. */
async function expectAbsent(app: FreshApp, client: TestClient): Promise<void> {
  const before = await traces(app);
  const unknown = await client.get('/api/auth/no/such/path');
  expect(unknown.status).toBe(404);
  const shapeOf = (response: TestResponse) => {
    const { 'content-length': _length, ...headers } = response.headers;
    return comparable({ ...response, headers });
  };
  for (const url of [path, path.replace('/api', ''), `${path}/`, '/api/auth/dev/bypass/nonsense'])
    expect(shapeOf(await client.get(url))).toEqual(shapeOf(unknown));
  expect(await traces(app)).toEqual(before);
  expect((await client.get('/api/auth/status')).body).toMatchObject({ dev_bypass: false });
  expect((await client.get('/login')).text).not.toContain('bypass');
}

describe('case 44: the development bypass does not exist', { timeout: 60_000 }, () => {
  it.each<[string, Headers]>([
    [
      'in production',
      {
        NODE_ENV: 'production',
        AUTH_SECRET: random,
        ADMIN_API_KEY: `${random.slice(3)}-Zt9`,
      },
    ],
    ['with a real client id', { IDP_CLIENT_ID: '480921-svc.apps.company.test' }],
    ['with a public address', { BASE_URL: 'https://svc.company.test' }],
    ['listening for other machines', { HOST: '0.0.0.0' }],
    ['behind proxies that are trusted', { TRUST_PROXY: '127.0.0.1' }],
  ])('%s', async (name, env) => {
    const app = await start(env);
    const client = new TestClient(app);
    await expectAbsent(app, client);
    await expectAbsent(app, client.as({ 'x-forwarded-for': '127.0.0.1' }));
    // Messages don't depend on the identity provider.
    const { status } = await client.get('/dev/outbox');
    expect(status).toBe(name === 'with a real client id' ? 200 : 404);
    await app.close();
  });
});

describe('without listed admins', { timeout: 60_000 }, () => {
  let app: FreshApp;
  let client: TestClient;
  beforeAll(async () => {
    app = await start({});
    client = new TestClient(app);
  }, 60_000);
  afterAll(() => app.close());

  const meOf = async (response: TestResponse) =>
    (await client.get('/auth/me', { headers: { cookie: cookiesOf(response).join('; ') } })).body;

  it.each<Headers>([
    {},
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { host: 'localhost' },
  ])('case 44: the bypass does not exist for other machines that send %j', async (headers) => {
    await expectAbsent(app, client.from('203.0.113.9').as(headers));
  });

  it.each<Headers>([
    { 'x-forwarded-for': '127.0.0.1' },
    { via: '1.1 edge' },
    { host: 'svc.company.test' },
  ])('case 44: nor behind a local proxy or for other hosts: %j', async (headers) => {
    await expectAbsent(app, client.as(headers));
  });

  it('case 44: nor for requests from other sites', async () => {
    const before = await traces(app);
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await client.get(path, { headers })).toMatchObject({ status: 404 });
    expect(await traces(app)).toEqual(before);
  });

  it('the bypass is in the OpenAPI document, with its 404', async () => {
    interface Document {
      paths: Record<string, { get?: { responses: object } }>;
    }
    const { paths } = (await client.get<Document>('/api/openapi.json')).body;
    for (const prefix of ['/api/auth', '/auth'])
      expect(Object.keys(paths[`${prefix}/dev/bypass/{email}`]?.get?.responses ?? {})).toEqual(
        expect.arrayContaining(['200', '303', '404', '422']),
      );
  });

  it('the bypass signs an admin in', async () => {
    const email = 'dev@company.test';
    const response = await client.get(path);
    expect(response.body).toMatchObject({ ok: true, user: { email, roles: ['admin'] } });
    expect(await meOf(response)).toMatchObject({ email, roles: ['admin'], amr: ['dev'] });
    expect((await client.get('/api/auth/status')).body).toMatchObject({
      oauth_configured: false,
      dev_bypass: true,
    });
    const { data } = await app.services.audit.list({ action: 'dev_bypass.used', limit: 5 });
    expect(data).toHaveLength(1);
  });

  it('redirects to `next` as the same cleared device each time, and to no other host', async () => {
    const click = (next: string, cookie = '') =>
      client.page(`${pathFor('click')}?next=${encodeURIComponent(next)}`, {
        headers: cookie === '' ? {} : { cookie },
      });
    const sessionOf = async (cookie: string) =>
      (await client.get<{ session: Record<string, unknown> }>('/auth/me', { headers: { cookie } }))
        .body.session;
    const first = await click('/account?x=1');
    expect(first).toMatchObject({ status: 303, headers: { location: '/account?x=1' } });
    const cookies = cookiesOf(first);
    const cookie = cookies.join('; ');
    expect(await sessionOf(cookie)).toMatchObject({ device_state: 'cleared' });
    const dashboard = await client.get('/api/auth/blackops/dashboard', { headers: { cookie } });
    expect(dashboard.status).toBe(200);
    const again = cookiesOf(await click('/account', cookie)).join('; ');
    const device = cookies.find((each) => each.startsWith('svc_device=')) ?? '';
    const { device_id: id } = await sessionOf(again);
    expect(await sessionOf(`${again}; ${device}`)).toMatchObject({ device_id: id });
    expect(await app.stores.db.selectFrom('devices').select('state').execute()).toEqual([
      { state: 'cleared' },
    ]);
    for (const elsewhere of ['https://evil.test/', '//evil.test', '/\\evil.test'])
      expect((await click(elsewhere)).headers.location).toBe('/');
    // Without `next` no device is enrolled: it is only a sign-in.
    const plain = cookiesOf(await client.page(pathFor('plain'))).join('; ');
    expect(await sessionOf(plain)).not.toHaveProperty('device_state', 'cleared');
  });

  it('the bypass clears a new device in place of a removed one', async () => {
    const deviceAfter = async (cookie: string) => {
      const headers = cookie === '' ? {} : { cookie };
      const response = await client.page(`${pathFor('removed')}?next=/account`, { headers });
      return cookiesOf(response).find((line) => line.startsWith('svc_device=')) ?? '';
    };
    const before = await deviceAfter('');
    const id = /=([\da-f-]{36})\./.exec(before)?.[1] ?? '';
    await app.services.devices.management.revoke(id, 'all', { actor: { kind: 'system' } }, 'admin');
    const after = await deviceAfter(before);
    expect(after).toMatch(/^svc_device=[\da-f-]{36}\./);
    expect(after).not.toContain(id);
  });

  it('the sign-in page links to the bypass, which redirects to the requested page', async () => {
    const { text } = await client.page('/login?next=/account');
    const [, href = ''] = /href="(\/api\/auth\/dev\/bypass\/[^"]+)"/.exec(text) ?? [];
    expect(text).toContain('Continue as developer@example.com');
    const response = await client.page(href.replaceAll('&amp;', '&'));
    expect(response).toMatchObject({ status: 303, headers: { location: '/account' } });
    expect(await meOf(response)).toMatchObject({
      email: 'developer@example.com',
      roles: ['admin'],
    });
  });

  it('the bypass redirects a page to /', async () => {
    expect(await client.page(path)).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  it.each(['nonsense', 'a@', '%00@x.test', `${'a'.repeat(300)}@x.test`])(
    'the bypass refuses the address %s',
    async (email) => {
      expect(await client.get(`/api/auth/dev/bypass/${email}`)).toMatchObject({ status: 422 });
    },
  );
});

describe('with a placeholder client id, and listed admins', { timeout: 60_000 }, () => {
  let app: FreshApp;
  let client: TestClient;
  beforeAll(async () => {
    app = await start({
      IDP_CLIENT_ID: 'placeholder-client-id',
      ADMIN_EMAILS: 'BOSS@company.test',
    });
    client = new TestClient(app);
  }, 60_000);
  afterAll(() => app.close());

  it('the sign-in page offers the listed admins', async () => {
    const { text } = await client.page('/signin');
    expect(text).toContain('Continue as boss@company.test');
    expect(text).not.toContain('developer@');
  });

  it('only listed users become admins', async () => {
    expect((await client.get(path)).body).toMatchObject({ user: { roles: [] } });
    expect((await client.get(pathFor('boss'))).body).toMatchObject({ user: { roles: ['admin'] } });
  });

  it('the previous session ends', async () => {
    const headers = { cookie: cookiesOf(await client.get(path))[0] ?? '' };
    await client.get(path, { headers });
    expect(await client.get('/auth/me', { headers })).toMatchObject({ status: 401 });
  });
});
