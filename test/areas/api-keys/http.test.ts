import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuards } from '../../../src/areas/auth/guards.ts';
import { apiKeyRoutes } from '../../../src/areas/api-keys/routes.ts';
import { createApiKeys } from '../../../src/areas/api-keys/service.ts';
import type { ApiKeys } from '../../../src/areas/api-keys/service.ts';
import { createApiKeyStore } from '../../../src/areas/api-keys/store.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { loadCookies } from '../../../src/platform/http/cookies.ts';
import { scope } from '../../../src/platform/http/scopes.ts';
import { engines, openTestDatabase } from '../../platform/database/engines.ts';
import { createTestHttp } from '../../support/http.ts';
import type { TestHttp } from '../../support/http.ts';

const path = '/api/v1/api-keys';
const adminKey = 'an-admin-key-for-tests-0123456789abcdef';
const asAdmin = { authorization: `Bearer ${adminKey}` };
const unknownKey = `svc_${'C'.repeat(43)}`;
const [pglite] = engines;

let db: Database;
let close: () => Promise<void>;
let http: TestHttp;
let app: FastifyInstance;
let apiKeys: ApiKeys;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase(pglite));
  apiKeys = createApiKeys({
    store: createApiKeyStore(db),
    clock: { now: () => Date.now() },
    adminKey,
  });
  http = createTestHttp();
  app = http.app;
  await loadCookies(app);
  const guards = createGuards({
    apiKeys,
    sessions: { find: async () => undefined },
    baseOrigin: 'http://localhost',
    isBaseKnown: true,
    now: Date.now,
    requireProof: async () => undefined,
  });
  scope(app, 'admin', guards.requireScope('admin'), (routes) => {
    routes.register(apiKeyRoutes, { apiKeys });
  });
  scope(app, 'read', guards.requireScope('analytics:read'), (routes) => {
    routes.get('/read', { schema: { operationId: 'test.read' } }, (request) => ({
      id: request.principal?.id,
    }));
  });
  scope(app, 'optional', guards.optional(), (routes) => {
    routes.get('/optional', { schema: { operationId: 'test.optional' } }, (request) => ({
      id: request.principal?.id ?? null,
    }));
  });
  await app.ready();
}, 60_000);

afterAll(async () => {
  await app.close();
  await close();
});

beforeEach(() => db.deleteFrom('api_keys').execute());

async function ask(options: InjectOptions) {
  const response = await app.inject({ headers: asAdmin, ...options });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.json<Record<string, unknown>>(),
  };
}

const create = async (scopes: string[] = ['analytics:read']) =>
  (await ask({ method: 'POST', url: path, payload: { name: 'test', scopes } })).body as {
    id: string;
    key: string;
  };

describe('POST /api/v1/api-keys', () => {
  it('200 › creates a key that works at once, and is not cached', async () => {
    const { status, headers, body } = await ask({
      method: 'POST',
      url: `${path}/`,
      payload: { name: ' CRM ', scopes: ['analytics:read', 'analytics:read'] },
    });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({ name: 'CRM', scopes: ['analytics:read'] });
    expect(
      (await ask({ url: '/read', headers: { authorization: `Bearer ${String(body.key)}` } })).body,
    ).toEqual({ id: body.id });
  });

  it('422 › rejects unknown scopes, no scopes, no name, unknown members', async () => {
    for (const payload of [
      { name: 'x', scopes: ['root'] },
      { name: 'x', scopes: [] },
      { name: ' ', scopes: ['admin'] },
      { name: 'a\0b', scopes: ['admin'] },
      { name: 'two\nlines', scopes: ['admin'] },
      { scopes: ['admin'] },
      { name: 'x', scopes: ['admin'], expires: 'soon' },
      { name: 'x', scopes: ['admin'], expires_at: 'tomorrow' },
      { name: 'x', scopes: ['admin'], expires_at: '9999-12-31T23:59:59-14:00' },
    ]) {
      const { status, body } = await ask({ method: 'POST', url: path, payload });
      expect(status).toBe(422);
      expect(body.detail).toBeInstanceOf(Array);
    }
    expect((await ask({ url: path })).body).toMatchObject({ total: 0 });
  });

  it('400 › rejects an expiry in the past', async () => {
    const payload = { name: 'x', scopes: ['admin'], expires_at: '2020-01-01T00:00:00+01:00' };
    expect(await ask({ method: 'POST', url: path, payload })).toMatchObject({
      status: 400,
      body: { code: 'api_keys.expiry_past' },
    });
  });

  it('never logs the key or its hash', async () => {
    const { key } = await create();
    await ask({ url: '/read', headers: { authorization: `Bearer ${key}` } });
    await ask({ url: '/read', headers: { authorization: `Bearer ${unknownKey}` } });
    expect(http.text()).not.toContain(key.slice(12));
    expect(http.text()).not.toContain(unknownKey);
    expect(http.text()).not.toContain(adminKey);
  });
});

describe('GET /api/v1/api-keys', () => {
  it('200 › paginates by cursor', async () => {
    await create();
    await create();
    const first = await ask({ url: `${path}?limit=1` });
    expect(first.body).toMatchObject({ total: 2, data: [{ name: 'test' }] });
    const second = await ask({ url: `${path}/?limit=1&cursor=${String(first.body.next_cursor)}` });
    expect(second.body).toMatchObject({ total: 2, next_cursor: null });
    expect(second.body.data).not.toEqual(first.body.data);
  });

  it('422 › rejects limits out of range and invalid cursors', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nope']) {
      expect((await ask({ url: `${path}?${query}` })).status).toBe(422);
    }
  });
});

describe('GET and DELETE /api/v1/api-keys/{id}', () => {
  it('200 › shows, revokes, and revokes again without a change', async () => {
    const { id, key } = await create();
    expect((await ask({ url: `${path}/${id}` })).body).toMatchObject({ id, revoked_at: null });
    const first = await ask({ method: 'DELETE', url: `${path}/${id}` });
    const second = await ask({ method: 'DELETE', url: `${path}/${id}/` });
    expect(first.status).toBe(200);
    expect(first.body.revoked_at).toEqual(expect.any(String));
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect((await ask({ url: '/read', headers: { authorization: `Bearer ${key}` } })).status).toBe(
      401,
    );
  });

  it('404 › for an unknown id; 422 › for an invalid one', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      expect(
        await ask({ method, url: `${path}/01890000-0000-7000-8000-000000000000` }),
      ).toMatchObject({
        status: 404,
        body: { code: 'api_keys.not_found' },
      });
      expect((await ask({ method, url: `${path}/nope` })).status).toBe(422);
    }
  });
});

describe('the guards', () => {
  it('401 › without a credential: a challenge without an error (RFC 6750 §3.1)', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
      const response = await ask({ url: path, headers });
      expect(response).toMatchObject({
        status: 401,
        body: { detail: 'Not authenticated', code: 'request.unauthenticated' },
      });
      expect(response.headers['www-authenticate']).toBe('Bearer realm="svc"');
    }
  });

  it('401 › with an unknown token: invalid_token', async () => {
    for (const authorization of [
      `Bearer ${unknownKey}`,
      'Bearer',
      'Bearer ',
      'bearer x',
      `Bearer ${adminKey} `.repeat(2),
    ]) {
      const response = await ask({ url: path, headers: { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toBe(
        'Bearer realm="svc", error="invalid_token"',
      );
    }
  });

  it('403 › with a key of another scope: insufficient_scope', async () => {
    const { key } = await create(['analytics:read']);
    const response = await ask({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${key}` },
      payload: { name: 'x', scopes: ['admin'] },
    });
    expect(response).toMatchObject({
      status: 403,
      body: { code: 'request.forbidden', required_scope: 'admin' },
    });
    expect(response.headers['www-authenticate']).toBe(
      'Bearer realm="svc", error="insufficient_scope", scope="admin"',
    );
    expect((await ask({ url: path })).body).toMatchObject({ total: 1 });
  });

  it('let an admin key pass every scope', async () => {
    expect((await ask({ url: '/read' })).body).toEqual({ id: 'env' });
  });

  it('of optional routes refuse only an invalid key', async () => {
    expect((await ask({ url: '/optional', headers: {} })).body).toEqual({ id: null });
    expect((await ask({ url: '/optional' })).body).toEqual({ id: 'env' });
    expect(
      (await ask({ url: '/optional', headers: { authorization: `Bearer ${unknownKey}` } })).status,
    ).toBe(401);
  });
});
