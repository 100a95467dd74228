import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusRoutes } from '../../../src/areas/status/feeds/routes.summary.ts';
import { mainEngine } from '../../platform/database/engines.ts';
import { request } from '../../support/client.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';
import { type Replica, useReplicas } from './replica.ts';

const { clock, open } = useReplicas(mainEngine);
let replica: Replica;
let app: FastifyInstance;

beforeEach(async () => {
  replica = await open();
  app = await withPublicRoutes(createTestHttp(), (routes) => {
    routes.register(statusRoutes, { status: replica.status });
  });
});
afterEach(() => app.close());

async function checkAgain(): Promise<void> {
  clock.pass(1000);
  await replica.checkOnce();
}
const ask = (headers: Record<string, string> = {}, url = '/api/status') =>
  request(app, { url, headers });
const ifNoneMatch = (etag: unknown) => ask({ 'if-none-match': String(etag) });

describe('the public status', () => {
  it('is a Statuspage summary, with and without a trailing slash', async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toContain('public, max-age=30');
    const noon = '2026-06-01T12:00:00.000Z';
    expect(answer.body).toEqual({
      page: {
        id: 'platform-service',
        name: 'Platform Service',
        url: 'https://svc.example/status',
        time_zone: 'Etc/UTC',
        updated_at: noon,
      },
      status: { indicator: 'none', description: 'All Systems Operational' },
      components: ['Database', 'Redis'].map((name, index) => ({
        id: ['database', 'redis'][index],
        name,
        description: null,
        status: 'operational',
        group: false,
        group_id: null,
        position: index + 1,
        only_show_if_degraded: false,
        created_at: noon,
        updated_at: noon,
      })),
      incidents: [],
      scheduled_maintenances: [],
    });
    expect((await ask({}, '/api/status/')).text).toBe(answer.text);
  });

  it.each([
    ['warn', 'pass', 'minor', ['degraded_performance', 'operational']],
    ['fail', 'pass', 'major', ['major_outage', 'operational']],
    ['fail', 'warn', 'major', ['major_outage', 'degraded_performance']],
    ['fail', 'fail', 'critical', ['major_outage', 'major_outage']],
  ] as const)(
    'of a database that would %s twice, and a Redis that would %s, is %s',
    async (database, redis, indicator, components) => {
      Object.assign(replica.found, { database, redis });
      await ask();
      await checkAgain();
      expect((await ask()).body).toMatchObject({ status: { indicator: 'none' } });
      await checkAgain();
      expect((await ask()).body).toMatchObject({
        status: { indicator },
        components: components.map((status) => ({ status })),
      });
    },
  );

  it('says when it was last checked, to the minute, however old the last change is', async () => {
    const updatedAt = async () => {
      const { body } = await request<{ page: { updated_at: string } }>(app, { url: '/api/status' });
      return body.page.updated_at;
    };
    const { etag } = (await ask()).headers;
    clock.pass(7 * 60_000 + 12_000);
    // Nothing was checked meanwhile: no newer time would be true.
    expect(await updatedAt()).toBe('2026-06-01T12:00:00.000Z');
    await replica.checkOnce();
    clock.pass(11_000);
    expect(await updatedAt()).toBe('2026-06-01T12:07:00.000Z');
    expect(await ifNoneMatch(etag)).toMatchObject({ status: 200 });
    expect((await ask()).body).toMatchObject({
      components: [{ updated_at: '2026-06-01T12:00:00.000Z' }, {}],
    });
  });

  it('is a 304 while nothing has changed, after any number of checks', async () => {
    const etag = String((await ask()).headers.etag);
    await checkAgain();
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect(await ifNoneMatch(tag)).toMatchObject({ status: 304, text: '', headers: { etag } });
  });

  it('is sent again after a change, even when everything is operational again', async () => {
    const { etag } = (await ask()).headers;
    replica.found.redis = 'fail';
    await checkAgain();
    expect(await ifNoneMatch(etag)).toMatchObject({ status: 304 });
    await checkAgain();
    const changed = await ifNoneMatch(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
    replica.found.redis = 'pass';
    await checkAgain();
    expect(await ifNoneMatch(changed.headers.etag)).toMatchObject({ status: 200 });
  });
});
