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
  for (const [name, title] of [
    ['database', 'Records'],
    ['redis', 'Sessions'],
  ] as const)
    health.register(`${name}:responseTime`, async () => ({ status: found[name] }), { title });
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

const ask = (headers: Record<string, string> = {}, url = '/api/status') =>
  app.inject({ url, headers });
const ifNoneMatch = (etag: unknown) => ask({ 'if-none-match': String(etag) });

describe('the public status', () => {
  it('is a Statuspage summary, with and without a trailing slash', async () => {
    const answer = await ask();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toContain('public, max-age=30');
    const midnight = '2026-06-01T00:00:00.000Z';
    expect(answer.json()).toEqual({
      page: {
        id: 'platform-service',
        name: 'Platform Service',
        url: 'https://svc.example/status',
        time_zone: 'Etc/UTC',
        updated_at: midnight,
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
        created_at: midnight,
        updated_at: midnight,
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
    'of a database that would %s twice, and a Redis that would %s, is %s',
    async (database, redis, indicator, components) => {
      found = { database, redis };
      await ask();
      await checkAgain();
      expect((await ask()).json()).toMatchObject({ status: { indicator: 'none' } });
      await checkAgain();
      expect((await ask()).json()).toMatchObject({
        status: { indicator },
        components: components.map((status) => ({ status })),
      });
    },
  );

  it('is a 304 while nothing has changed, after any number of checks', async () => {
    const etag = String((await ask()).headers.etag);
    await checkAgain();
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect(await ifNoneMatch(tag)).toMatchObject({
        statusCode: 304,
        body: '',
        headers: { etag },
      });
  });

  it('is sent again after a change, also when everything is operational again', async () => {
    const { etag } = (await ask()).headers;
    found.redis = 'fail';
    await checkAgain();
    expect(await ifNoneMatch(etag)).toMatchObject({ statusCode: 304 });
    await checkAgain();
    const changed = await ifNoneMatch(etag);
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
    found.redis = 'pass';
    await checkAgain();
    expect(await ifNoneMatch(changed.headers.etag)).toMatchObject({ statusCode: 200 });
  });
});
