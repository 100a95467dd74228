import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../../src/areas/audit/service.ts';
import { createAuditStore } from '../../../src/areas/audit/store.ts';
import { createHealth } from '../../../src/areas/health/service.ts';
import type { HealthStatus } from '../../../src/areas/health/monitor.ts';
import { statusRoutes } from '../../../src/areas/status/feeds/routes.summary.ts';
import { createStatus } from '../../../src/areas/status/service.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { engines, openTestDatabase, silent } from '../../platform/database/engines.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const [pglite] = engines;
let db: Database;
let closeDatabase: () => Promise<void>;
let now: number;
let found: Record<'database' | 'redis', HealthStatus>;
let app: FastifyInstance;
let checkAgain: () => Promise<void>;

beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase(pglite));
}, 60_000);
afterAll(() => closeDatabase());
afterEach(() => app.close());

beforeEach(async () => {
  await db.deleteFrom('status_components').execute();
  now = Date.UTC(2026, 5, 1);
  found = { database: 'pass', redis: 'pass' };
  const clock = { now: () => now };
  const health = createHealth({ clock });
  health.register('database:responseTime', async () => ({ status: found.database }), {
    title: 'Records',
  });
  health.register('redis:responseTime', async () => ({ status: found.redis }), {
    title: 'Sessions',
  });
  checkAgain = async () => {
    now += 1000;
    await health.start();
    health.stop();
  };
  const audit = createAudit({ store: createAuditStore(db), clock, logger: silent });
  const status = createStatus({
    db,
    health,
    publisher: { publishInBackground: () => undefined },
    audit,
    clock,
    logger: silent,
    baseUrl: 'https://svc.example',
  });
  await status.refresh();
  app = await withPublicRoutes(createTestHttp(), (routes) => {
    routes.register(statusRoutes, { prefix: '/api/status', status });
  });
  await checkAgain();
});

const ask = async (headers: Record<string, string> = {}, url = '/api/status') =>
  app.inject({ url, headers });
const summary = async () =>
  (await ask()).json<{ status: unknown; components: { status: string }[] }>();

describe('GET /api/status', () => {
  it('200 › is a Statuspage summary, with and without a trailing slash', async () => {
    const answer = await ask();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toContain('public, max-age=30');
    expect(answer.json()).toEqual({
      page: {
        id: 'platform-service',
        name: 'Platform Service',
        url: 'https://svc.example/status',
        time_zone: 'Etc/UTC',
        updated_at: '2026-06-01T00:00:00.000Z',
      },
      status: { indicator: 'none', description: 'All Systems Operational' },
      components: ['Records', 'Sessions'].map((name, index) => ({
        id: ['database', 'redis'][index],
        name,
        description: null,
        status: 'operational',
        group: false,
        group_id: null,
        position: index + 1,
        only_show_if_degraded: false,
        created_at: '2026-06-01T00:00:00.000Z',
        updated_at: '2026-06-01T00:00:00.000Z',
      })),
      incidents: [],
      scheduled_maintenances: [],
    });
    expect((await ask({}, '/api/status/')).body).toBe(answer.body);
  });

  it.each([
    ['warn', 'pass', 'minor', ['degraded_performance', 'operational']],
    ['fail', 'pass', 'major', ['major_outage', 'operational']],
    ['fail', 'warn', 'major', ['major_outage', 'degraded_performance']],
    ['fail', 'fail', 'critical', ['major_outage', 'major_outage']],
  ] as const)(
    '200 › database %s and redis %s is %s',
    async (database, redis, indicator, components) => {
      found = { database, redis };
      await ask();
      await checkAgain();
      expect(await summary()).toMatchObject({ status: { indicator: 'none' } });
      await checkAgain();
      const { status, components: shown } = await summary();
      expect(status).toMatchObject({ indicator });
      expect(shown.map((component) => component.status)).toEqual(components);
    },
  );

  it('304 › while nothing has changed, after any number of checks', async () => {
    const { etag } = (await ask()).headers;
    await checkAgain();
    for (const tag of [String(etag), `W/${String(etag)}`, `"other", ${String(etag)}`, '*']) {
      const answer = await ask({ 'if-none-match': tag });
      expect(answer.statusCode).toBe(304);
      expect(answer.body).toBe('');
      expect(answer.headers.etag).toBe(etag);
    }
  });

  it('200 › after a change, also when everything is operational again', async () => {
    const { etag } = (await ask()).headers;
    found.redis = 'fail';
    await checkAgain();
    expect((await ask({ 'if-none-match': String(etag) })).statusCode).toBe(304);
    await checkAgain();
    const changed = await ask({ 'if-none-match': String(etag) });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
    found.redis = 'pass';
    await checkAgain();
    expect((await ask({ 'if-none-match': String(changed.headers.etag) })).statusCode).toBe(200);
  });
});
