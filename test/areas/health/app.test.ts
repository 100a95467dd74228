import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asAdmin, freshApp } from '../../support/app.ts';
import type { FreshApp } from '../../support/app.ts';
import { openBearer, openCookie } from '../../support/sign-in.ts';

let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({
    env: { ADMIN_EMAILS: 'health.boss@example.com', REPLICA_ID: 'eu-1' },
  });
  await app.services.queues.start();
}, 60_000);
afterAll(() => app.close());

async function ask(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  headers: Record<string, string> = {},
  payload?: object,
) {
  const answer = await app.http.inject({
    method,
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

describe('the whole service', () => {
  it('is ready and healthy, and shows its checks to admins only', async () => {
    await app.http.ready();
    expect(await ask('GET', '/api/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'pass' },
    });
    expect((await ask('GET', '/api/health')).body).not.toHaveProperty('checks');
    // On a busy machine the first check of the queues may time out.
    await vi.waitFor(
      async () =>
        expect((await ask('GET', '/api/health', asAdmin)).body).toMatchObject({
          status: 'pass',
          checks: { 'database:responseTime': [{ status: 'pass' }] },
        }),
      { timeout: 15_000, interval: 100 },
    );
    const queue = await ask('GET', '/api/health/queue/');
    expect(queue.status).toBe(200);
    expect(queue.body.handlers).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'platform-heartbeat' })]),
    );
    expect(await ask('GET', '/api/status/')).toMatchObject({
      status: 200,
      body: { status: { indicator: 'none' } },
    });
  });

  it('is ready by its own checks, independent of shared stores', async () => {
    await app.http.ready();
    const { body } = await ask('GET', '/api/health/ready');
    expect(Object.keys(body.checks as object)).toEqual(['analytics:journal', 'eventLoop:delay']);
  });

  it("shows the replica's name and its details to admins, not on the status page", async () => {
    expect((await ask('GET', '/api/health', asAdmin)).body).toMatchObject({
      replica: 'eu-1',
      checks: { 'redis:memory': [{}], 'journal:room': [{}] },
    });
    expect((await ask('GET', '/api/health')).body).not.toHaveProperty('replica');
    const { components } = (await ask('GET', '/api/status')).body as {
      components: { id: string }[];
    };
    expect(components.map(({ id }) => id)).toEqual([
      'database',
      'redis',
      'jobs',
      'analytics',
      'realtime',
    ]);
  });

  it('shows each disabled protection to admins, and to nobody else', async () => {
    const off = await freshApp({
      env: {
        NODE_ENV: 'production',
        AUTH_SECRET: 'd1a5c8e37096b24f8d3ac75e10f9b642',
        DEVICE_BINDING: 'none',
        RATE_LIMIT: 'off',
      },
    });
    const { body } = await off.http
      .inject({ url: '/api/health', headers: asAdmin })
      .then((answer) => ({
        body: answer.json<{
          checks: Record<string, { componentId: string; status: string; output: string }[]>;
        }>(),
      }));
    const told = body.checks['settings:protection'] ?? [];
    expect(told.map(({ componentId }) => componentId)).toEqual(
      expect.arrayContaining(['RATE_LIMIT', 'DEVICE_BINDING', 'BASE_URL', 'SMTP_URL']),
    );
    expect(told.every(({ status, output }) => status === 'warn' && output.length > 20)).toBe(true);
    const open = await off.http.inject('/api/health');
    expect(open.body).not.toMatch(/settings|DEVICE_BINDING|RATE_LIMIT/);
    await vi.waitFor(
      async () =>
        expect((await off.http.inject('/api/health')).json()).toMatchObject({ status: 'pass' }),
      { timeout: 15_000, interval: 100 },
    );
    expect((await off.http.inject('/api/status')).json()).toMatchObject({
      status: { indicator: 'none' },
    });
    await off.close();
    expect((await ask('GET', '/api/health', asAdmin)).body).toMatchObject({
      checks: { 'settings:protection': [{ status: 'pass' }] },
    });
  });

  it('shows its checks to a signed-in admin, and to no other user', async () => {
    const boss = await openBearer(app, 'health.boss@example.com');
    const { cookie } = await openCookie(app, 'health.boss@example.com');
    expect((await ask('GET', '/api/health', boss.bearer)).body).toHaveProperty('checks');
    expect(
      (await ask('GET', '/api/health', { cookie: `svc_session=${cookie}` })).body,
    ).toHaveProperty('checks');
    const other = await openBearer(app, 'health.other@example.com');
    const stranger = await ask('GET', '/api/health', other.bearer);
    expect(stranger.status).toBe(200);
    expect(stranger.body).not.toHaveProperty('checks');
  });

  it('creates, uses and revokes keys for admins only', async () => {
    const body = { name: 'test', scopes: ['analytics:read'] };
    expect((await ask('POST', '/api/v1/api-keys', {}, body)).status).toBe(401);
    const made = await ask('POST', '/api/v1/api-keys/', asAdmin, body);
    expect(made.status).toBe(200);
    const asReader = { authorization: `Bearer ${String(made.body.key)}` };
    expect((await ask('GET', '/api/v1/api-keys', asReader)).status).toBe(403);
    expect((await ask('GET', '/analytics/sites', asReader)).status).toBe(200);
    expect((await ask('DELETE', `/api/v1/api-keys/${String(made.body.id)}`, asAdmin)).status).toBe(
      200,
    );
    expect((await ask('GET', '/analytics/sites', asReader)).status).toBe(401);
    expect(app.log()).not.toContain(String(made.body.key));
  });

  it('answers the demos, and reports about development, without credentials', async () => {
    for (const url of [
      '/cmyk/api/',
      '/workflows/api/v1/auth/dev-mode',
      '/min/core/zipcodedeliverability/',
      '/realtime/test',
      '/realtime/test-public/',
      '/geoip-test/',
    ]) {
      expect((await ask('GET', url)).status).toBe(200);
    }
    expect((await ask('GET', '/workflows/api/v1/auth/dev-status')).body).toMatchObject({
      enabled: false,
      environment: 'test',
    });
  });
});
