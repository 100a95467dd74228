import { beforeEach, describe, expect } from 'vitest';
import { adminKey, asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';

const path = '/api/v1/api-keys';
const unknownKey = `svc_${'C'.repeat(43)}`;

const app = await sharedApp();
const visitor = new TestClient(app);
const keys = visitor.as(asAdmin).at(path);

beforeEach(() => app.stores.db.deleteFrom('api_keys').execute());

const withToken = (token: string) => visitor.as({ authorization: `Bearer ${token}` });

/** Reads with a key of the scope `analytics:read`. */
const read = (key: string) => withToken(key).get('/analytics/sites');

const create = async (scopes: string[] = ['analytics:read']) =>
  (await keys.post<{ id: string; key: string }>('', { name: 'test', scopes })).body;

describe('POST /api/v1/api-keys', () => {
  it('creates a key that works at once, and is not cached', async () => {
    const scopes = ['analytics:read', 'analytics:read'];
    const { status, headers, body } = await keys.post('/', { name: ' CRM ', scopes });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({ name: 'CRM', scopes: ['analytics:read'] });
    expect((await read(String(body.key))).status).toBe(200);
  });

  it.each([
    { name: 'x', scopes: ['root'] },
    { name: 'x', scopes: [] },
    { name: ' ', scopes: ['admin'] },
    { name: 'a\0b', scopes: ['admin'] },
    { name: 'two\nlines', scopes: ['admin'] },
    { scopes: ['admin'] },
    { name: 'x', scopes: ['admin'], expires: 'soon' },
    { name: 'x', scopes: ['admin'], expires_at: 'tomorrow' },
    { name: 'x', scopes: ['admin'], expires_at: '9999-12-31T23:59:59-14:00' },
  ])('refuses %j, and creates nothing', async (body) => {
    const response = await keys.post('', body);
    expect(response.status).toBe(422);
    expect(response.body.detail).toBeInstanceOf(Array);
    expect((await keys.get('')).body).toMatchObject({ total: 0 });
  });

  it('refuses an expiry in the past', async () => {
    const body = { name: 'x', scopes: ['admin'], expires_at: '2020-01-01T00:00:00+01:00' };
    expect(await keys.post('', body)).toBeProblem(400, 'api_keys.expiry_past');
    expect((await keys.get('')).body).toMatchObject({ total: 0 });
  });

  it('never logs the key or its hash', async () => {
    const { key } = await create();
    await read(key);
    await read(unknownKey);
    for (const secret of [key.slice(12), unknownKey, adminKey])
      expect(app.log()).not.toContain(secret);
  });
});

describe('GET /api/v1/api-keys', () => {
  it('paginates by cursor', async () => {
    await create();
    await create();
    const first = await keys.get('?limit=1');
    expect(first.body).toMatchObject({ total: 2, data: [{ name: 'test' }] });
    const second = await keys.get(`/?limit=1&cursor=${String(first.body.next_cursor)}`);
    expect(second.body).toMatchObject({ total: 2, next_cursor: null });
    expect(second.body.data).not.toEqual(first.body.data);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=nope'])('refuses ?%s', async (query) => {
    expect((await keys.get(`?${query}`)).status).toBe(422);
  });
});

describe('GET and DELETE /api/v1/api-keys/{id}', () => {
  it('show a key, revoke it, and revoke it again without a change', async () => {
    const { id, key } = await create();
    expect((await keys.get(`/${id}`)).body).toMatchObject({ id, revoked_at: null });
    expect((await read(key)).status).toBe(200);
    const { status, body } = await keys.delete(`/${id}`);
    expect(status).toBe(200);
    expect(body.revoked_at).toEqual(expect.any(String));
    expect(await keys.delete(`/${id}/`)).toMatchObject({ status: 200, body });
    expect((await read(key)).status).toBe(401);
  });

  it.each(['GET', 'DELETE'] as const)('%s finds no unknown or invalid id', async (method) => {
    expect(await keys.send(method, '/01890000-0000-7000-8000-000000000000')).toBeProblem(
      404,
      'api_keys.not_found',
    );
    expect((await keys.send(method, '/nope')).status).toBe(422);
  });
});

describe('a route with a scope', () => {
  it.each([{}, { authorization: 'Basic YTpi' }])(
    'answers %j with a challenge without an error (RFC 6750 §3.1)',
    async (headers: Record<string, string>) => {
      const response = await visitor.as(headers).get(path);
      expect(response).toBeProblem(401, 'request.unauthenticated');
      expect(response.body.detail).toBe('Not authenticated');
      expect(response.headers['www-authenticate']).toBe('Bearer realm="svc"');
    },
  );

  it.each([
    `Bearer ${unknownKey}`,
    'Bearer',
    'Bearer ',
    'bearer x',
    `Bearer ${adminKey} Bearer ${adminKey} `,
  ])('answers %j with invalid_token', async (authorization) => {
    const response = await visitor.as({ authorization }).get(path);
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="svc", error="invalid_token"');
  });

  it('answers a key of another scope with insufficient_scope', async () => {
    const { key } = await create(['analytics:read']);
    const response = await withToken(key).post(path, { name: 'x', scopes: ['admin'] });
    expect(response).toBeProblem(403, 'request.forbidden');
    expect(response.body.required_scope).toBe('admin');
    expect(response.headers['www-authenticate']).toBe(
      'Bearer realm="svc", error="insufficient_scope", scope="admin"',
    );
    expect((await keys.get('')).body).toMatchObject({ total: 1 });
  });

  it('lets an admin key pass every scope', async () => {
    expect((await read(adminKey)).status).toBe(200);
  });
});

it('a route with optional access refuses only an invalid key', async () => {
  const health = (client: TestClient) => client.get('/api/health/');
  expect((await health(visitor)).body).not.toHaveProperty('checks');
  expect((await health(visitor.as(asAdmin))).body).toHaveProperty('checks');
  expect((await health(withToken(unknownKey))).status).toBe(401);
});
