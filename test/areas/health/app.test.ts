import { describe, expect, it, vi } from 'vitest';
import { asAdmin, freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { openBearer, openCookie } from '../../support/sign-in.ts';

const app = await freshApp({
  env: { ADMIN_EMAILS: 'health.boss@example.com', REPLICA_ID: 'eu-1' },
});
await app.services.queues.start();
const visitor = new TestClient(app);
const admin = visitor.as(asAdmin);

interface Checks {
  checks: Record<string, { componentId: string; status: string; output: string }[]>;
}

describe('the whole service', () => {
  it('is ready and healthy, and shows its checks to admins only', async () => {
    await app.http.ready();
    expect((await visitor.get('/api/health/ready')).body).toMatchObject({ status: 'pass' });
    expect((await visitor.get('/api/health')).body).not.toHaveProperty('checks');
    // On a busy machine the first check of the queues may time out.
    await vi.waitFor(
      async () =>
        expect((await admin.get('/api/health')).body).toMatchObject({
          status: 'pass',
          checks: { 'database:responseTime': [{ status: 'pass' }] },
        }),
      { timeout: 15_000, interval: 100 },
    );
    const queue = await visitor.get('/api/health/queue/');
    expect(queue.status).toBe(200);
    expect(queue.body.handlers).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'platform-heartbeat' })]),
    );
    const status = await visitor.get('/api/status/');
    expect(status.body).toMatchObject({ status: { indicator: 'none' } });
  });

  it('is ready by its own checks, independent of shared stores', async () => {
    await app.http.ready();
    const { body } = await visitor.get('/api/health/ready');
    expect(Object.keys(body.checks as object)).toEqual(['analytics:journal', 'eventLoop:delay']);
  });

  it("shows the replica's name and its details to admins, not on the status page", async () => {
    expect((await admin.get('/api/health')).body).toMatchObject({
      replica: 'eu-1',
      checks: { 'redis:memory': [{}], 'journal:room': [{}] },
    });
    expect((await visitor.get('/api/health')).body).not.toHaveProperty('replica');
    const { body } = await visitor.get<{ components: { id: string }[] }>('/api/status');
    expect(body.components.map(({ id }) => id).join()).toBe(
      'database,redis,jobs,analytics,realtime',
    );
  });

  it('shows each disabled protection to admins, and to nobody else', async () => {
    const production = { NODE_ENV: 'production', AUTH_SECRET: 'd1a5c8e37096b24f8d3ac75e10f9b642' };
    const off = await freshApp({
      env: { ...production, DEVICE_BINDING: 'none', RATE_LIMIT: 'off' },
    });
    const offVisitor = new TestClient(off);
    const { body } = await offVisitor.as(asAdmin).get<Checks>('/api/health');
    const told = body.checks['settings:protection'] ?? [];
    expect(told.map(({ componentId }) => componentId)).toEqual(
      expect.arrayContaining(['RATE_LIMIT', 'DEVICE_BINDING', 'BASE_URL', 'SMTP_URL']),
    );
    expect(told.every(({ status, output }) => status === 'warn' && output.length > 20)).toBe(true);
    const { text } = await offVisitor.get('/api/health');
    expect(text).not.toMatch(/settings|DEVICE_BINDING|RATE_LIMIT/);
    await vi.waitFor(
      async () => expect((await offVisitor.get('/api/health')).body.status).toBe('pass'),
      { timeout: 15_000, interval: 100 },
    );
    const { body: page } = await offVisitor.get('/api/status');
    expect(page).toMatchObject({ status: { indicator: 'none' } });
    await off.close();
    expect((await admin.get('/api/health')).body).toMatchObject({
      checks: { 'settings:protection': [{ status: 'pass' }] },
    });
  });

  it('shows its checks to a signed-in admin, and to no other user', async () => {
    const boss = await openBearer(app, 'health.boss@example.com');
    const browser = await openCookie(app, 'health.boss@example.com');
    for (const headers of [boss.bearer, browser.headers])
      expect((await visitor.get('/api/health', { headers })).body).toHaveProperty('checks');
    const other = await openBearer(app, 'health.other@example.com');
    const stranger = await visitor.get('/api/health', { headers: other.bearer });
    expect(stranger.status).toBe(200);
    expect(stranger.body).not.toHaveProperty('checks');
  });

  it('answers the demos, and reports about development, without credentials', async () => {
    for (const url of [
      '/cmyk/api/',
      '/workflows/api/v1/auth/dev-mode',
      '/min/core/zipcodedeliverability/',
      '/realtime/test',
      '/realtime/test-public/',
      '/geoip-test/',
    ])
      expect((await visitor.get(url)).status, url).toBe(200);
    expect((await visitor.get('/workflows/api/v1/auth/dev-status')).body).toMatchObject({
      enabled: false,
      environment: 'test',
    });
  });
});
