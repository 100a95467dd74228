import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKeys } from '../../../src/areas/api-keys/service.ts';
import type { ApiKeys } from '../../../src/areas/api-keys/service.ts';
import { createApiKeyStore } from '../../../src/areas/api-keys/store.ts';
import { auditRoutes } from '../../../src/areas/audit/routes.ts';
import { createAudit } from '../../../src/areas/audit/service.ts';
import type { Audit } from '../../../src/areas/audit/service.ts';
import { createAuditStore } from '../../../src/areas/audit/store.ts';
import { createGuards } from '../../../src/areas/auth/guards.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { loadCookies } from '../../../src/platform/http/cookies.ts';
import { registerApiReference } from '../../../src/platform/openapi/openapi.ts';
import { scope } from '../../../src/platform/http/scopes.ts';
import { engines, openTestDatabase } from '../../platform/database/engines.ts';
import { createTestHttp } from '../../support/http.ts';
import type { TestHttp } from '../../support/http.ts';
import { lintOpenApi } from '../../support/openapi.ts';

const path = '/api/v1/audit';
const adminKey = 'an-admin-key-for-tests-0123456789abcdef';
const asAdmin = { authorization: `Bearer ${adminKey}` };
const start = Date.UTC(2026, 2, 4);
const [pglite] = engines;

let db: Database;
let close: () => Promise<void>;
let http: TestHttp;
let app: FastifyInstance;
let apiKeys: ApiKeys;
let audit: Audit;
let now = start;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase(pglite));
  http = createTestHttp();
  app = http.app;
  apiKeys = createApiKeys({
    store: createApiKeyStore(db),
    clock: { now: () => Date.now() },
    adminKey,
  });
  audit = createAudit({
    store: createAuditStore(db),
    clock: { now: () => now },
    logger: http.logger,
  });
  await loadCookies(app);
  await registerApiReference(app, {});
  app.describeTag('audit', 'Who did what.');
  const guards = createGuards({
    apiKeys,
    sessions: { find: async () => undefined },
    baseOrigin: 'http://localhost',
    isBaseKnown: true,
    now: () => now,
    requireProof: async () => undefined,
  });
  scope(app, 'admin', guards.requireScope('admin'), (routes) => {
    routes.register(auditRoutes, { prefix: path, audit });
  });
  await app.ready();
}, 60_000);

afterAll(async () => {
  await app.close();
  await close();
});

beforeEach(async () => {
  await db.deleteFrom('audit_events').execute();
  now = start;
});

async function ask(url: string, headers: Record<string, string> = asAdmin) {
  const response = await app.inject({ url, headers });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.json<Record<string, unknown>>(),
  };
}

interface Page {
  data: { id: string; request_id: string | null }[];
  next_cursor: string | null;
}

async function page(query = ''): Promise<Page> {
  const response = await app.inject({ url: `${path}?${query}`, headers: asAdmin });
  expect(response.statusCode).toBe(200);
  return response.json<Page>();
}

async function recordThree(): Promise<void> {
  await audit.record({
    action: 'session.created',
    actor: { kind: 'user', id: 'ann' },
    requestId: 'r0',
  });
  now += 1000;
  await audit.record({
    action: 'otp.failed',
    outcome: 'failure',
    reason: 'otp.invalid',
    actor: { kind: 'anonymous' },
    target: { kind: 'user', id: 'ann' },
    requestId: 'r1',
  });
  now += 1000;
  await audit.record({
    action: 'session.revoked',
    actor: { kind: 'user', id: 'bob' },
    target: { kind: 'session', id: 's' },
    requestId: 'r2',
  });
}

describe('GET /api/v1/audit', () => {
  it('200 › returns the whole event, uncached', async () => {
    await audit.record({
      action: 'device.denied',
      outcome: 'denied',
      reason: 'device.stranger',
      actor: { kind: 'api_key', id: 'env' },
      target: { kind: 'device', id: 'd' },
      address: '2001:db8::1',
      requestId: 'r',
      details: { role: 'admin', deep: { list: [1, null, true] } },
    });
    const { status, headers, body } = await ask(`${path}/`);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String) as string,
          at: '2026-03-04T00:00:00.000Z',
          action: 'device.denied',
          outcome: 'denied',
          reason: 'device.stranger',
          actor: { kind: 'api_key', id: 'env' },
          target: { kind: 'device', id: 'd' },
          address: '2001:db8::1',
          request_id: 'r',
          details: { role: 'admin', deep: { list: [1, null, true] } },
        },
      ],
      next_cursor: null,
    });
  });

  it.each([
    ['', ['r2', 'r1', 'r0']],
    ['action=otp.failed', ['r1']],
    ['action=session.*', ['r2', 'r0']],
    ['action=webhook.*', []],
    ['actor_id=ann', ['r0']],
    ['actor_id=%00', []],
    ['target_id=ann', ['r1']],
    ['outcome=failure', ['r1']],
    ['since=2026-03-04T00:00:01Z', ['r2', 'r1']],
    ['until=2026-03-04T01:00:01%2B01:00', ['r0']],
    ['since=2026-03-04T00:00:01Z&until=2026-03-04T00:00:02Z', ['r1']],
    ['action=session.*&actor_id=bob&target_id=s&outcome=success', ['r2']],
  ])('200 › ?%s', async (query, expected) => {
    await recordThree();
    expect((await page(query)).data.map(({ request_id }) => request_id)).toEqual(expected);
  });

  it('200 › paginates by cursor with the filter, even across events of one instant', async () => {
    for (let count = 0; count < 5; count += 1)
      await audit.record({ action: 'otp.sent', actor: { kind: 'system' } });
    await recordThree();
    const first = await page('limit=2&action=otp.sent');
    const second = await page(`limit=2&action=otp.sent&cursor=${String(first.next_cursor)}`);
    const third = await page(`limit=2&action=otp.sent&cursor=${String(second.next_cursor)}`);
    expect([first, second, third].map(({ data }) => data.length)).toEqual([2, 2, 1]);
    expect(third.next_cursor).toBeNull();
    expect(
      new Set([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).size,
    ).toBe(5);
  });

  it('200 › returns 50 events by default', async () => {
    for (let count = 0; count < 51; count += 1)
      await audit.record({ action: 'otp.sent', actor: { kind: 'system' } });
    expect((await page()).data).toHaveLength(50);
    expect((await page('limit=100')).data).toHaveLength(51);
  });

  it.each([
    'action=nope',
    'action=session',
    'action=session.',
    'action=*',
    'action=session.c*',
    'outcome=maybe',
    'since=yesterday',
    'until=2026-03-04',
    'since=2026-02-30T00:00:00Z',
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=nope',
    'actor_id=',
    `target_id=${'x'.repeat(257)}`,
  ])('422 › ?%s', async (query) => {
    const { status, body } = await ask(`${path}?${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', query.split('=')[0]] }] });
  });

  it('401 › without a key', async () => {
    const response = await ask(path, {});
    expect(response).toMatchObject({ status: 401, body: { code: 'request.unauthenticated' } });
    expect(response.headers['www-authenticate']).toBe('Bearer realm="svc"');
  });

  it('403 › with a key without the scope `admin`', async () => {
    const { key } = await apiKeys.create({
      name: 'reader',
      scopes: ['analytics:read', 'analytics:write'],
    });
    expect(await ask(path, { authorization: `Bearer ${key}` })).toMatchObject({
      status: 403,
      body: { code: 'request.forbidden', required_scope: 'admin' },
    });
  });

  it('logs neither events nor filters', async () => {
    await audit.record({
      action: 'otp.sent',
      actor: { kind: 'user', id: 'ann' },
      address: '198.51.100.77',
      details: { to: 'ann@example.com' },
    });
    await page('actor_id=ann&target_id=secret-target');
    await ask(`${path}?actor_id=ann&outcome=maybe`);
    expect(http.text()).not.toMatch(/198\.51\.100\.77|ann@example\.com|secret-target/);
  });

  it('has valid OpenAPI documentation', async () => {
    const document = (await app.inject('/api/openapi.json')).json<{
      paths: Record<string, { get?: { operationId?: string } }>;
    }>();
    expect(document.paths[path]?.get?.operationId).toBe('audit.list');
    expect(await lintOpenApi(document)).toEqual([]);
  }, 60_000);
});
