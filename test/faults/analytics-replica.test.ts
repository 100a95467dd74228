import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import { startTestRedis } from '../support/redis-server.ts';
import { findHaproxy, prepareReplica, startHaproxy } from './haproxy.ts';
import {
  type Answer,
  ask,
  asAdmin,
  codeOf,
  post,
  type Service,
  startService,
  storedIds,
} from './ingest-service.ts';
import { openStoreProxy } from './store-proxy.ts';

/**
 * Starts three replicas over one Redis and one PostgreSQL, behind the documented haproxy. Only the
 * first one runs analytics.
 */
async function startTrio() {
  const [redis, server] = await Promise.all([startTestRedis(), startPostgres()]);
  onTestFinished(async () => {
    await Promise.all([redis.stop(), server.stop()]);
  });
  const postgres = await openStoreProxy(server.url);
  const prepare = (name: string, analytics: 'on' | 'off') =>
    prepareReplica({
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      REPLICA_ID: name,
      ANALYTICS: analytics,
      SITE_REGISTRATION: 'open',
    });
  const one = await prepare('one', 'on');
  const two = await prepare('two', 'off');
  const three = await prepare('three', 'off');
  const replicas: Service[] = [];
  for (const { env } of [one, two, three]) replicas.push(await startService(env));
  const haproxy = await startHaproxy(one.ports, two.ports, three.ports);
  for (const name of ['one', 'two', 'three'] as const) await haproxy.untilUp(name);
  return { port: haproxy.port, replicas, postgres };
}

const json = ({ text }: Answer) => JSON.parse(text) as Record<string, unknown>;

const view = (address: string, url: string) => ({
  body: { event: 'pageview', url, site_id: 'shop', id: randomUUID() },
  more: { headers: { 'x-forwarded-for': address } },
});

/** Repeats a request until `stop`, and collects the statuses or error codes. */
function repeatedly(request: () => Promise<Pick<Answer, 'status'>>) {
  const outcomes: string[] = [];
  const state = { isStopped: false };
  const done = (async () => {
    while (!state.isStopped)
      outcomes.push(await request().then(({ status }) => String(status), codeOf));
  })();
  return {
    requests: (): number => outcomes.length,
    async stop(): Promise<{ requests: number; failed: string[] }> {
      state.isStopped = true;
      await done;
      return { requests: outcomes.length, failed: outcomes.filter((outcome) => outcome !== '200') };
    },
  };
}

/**
 * Waits until the replica has checked its database this many times more. Meanwhile the balancer has
 * checked the replica twice as often.
 */
async function waitForChecks(port: number, count: number): Promise<void> {
  const times = new Set<string>();
  await vi.waitFor(
    async () => {
      const { checks } = json(await ask(port, '/api/health', { headers: asAdmin })) as {
        checks: Record<'database:responseTime', { time: string }[]>;
      };
      times.add(checks['database:responseTime'][0]?.time ?? '');
      expect(times.size).toBeGreaterThan(count);
    },
    { timeout: 60_000, interval: 100 },
  );
}

describe.skipIf(findPostgres() === undefined || findHaproxy() === undefined)(
  'three replicas behind haproxy, one of them for analytics',
  () => {
    test('agree on the figures, keep visits whole and survive a PostgreSQL outage', async () => {
      const { port, replicas, postgres } = await startTrio();
      const visitors = Array.from({ length: 30 }, (_, at) => `203.0.113.${at + 1}`);
      const ids: string[] = [];
      for (const url of ['/', '/prices', '/order']) {
        for (const address of visitors) {
          const { body, more } = view(address, url);
          ids.push(body.id);
          expect((await post(port, '/analytics/track/', body, more)).status).toBe(200);
        }
      }
      await vi.waitFor(
        async () => expect((await storedIds(port)).sort()).toEqual([...ids].sort()),
        { timeout: 60_000, interval: 200 },
      );

      const dashboard = '/analytics/dashboard/?site_id=shop&period=24h';
      const answers = await Promise.all(
        Array.from(
          { length: 12 },
          async () => json(await ask(port, dashboard, { headers: asAdmin })).totals,
        ),
      );
      expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
      console.log('totals', JSON.stringify(answers[0]));
      expect(answers[0]).toMatchObject({ visitors: 30, visits: 30, pageviews: 90, bounce_rate: 0 });

      // The same import twice: no event counts twice.
      const events = Array.from({ length: 400 }, (_, at) => ({
        event: 'pageview',
        url: `/${at}`,
        site_id: 'imported',
        id: randomUUID(),
        timestamp: new Date(Date.now() - 3_600_000 - at).toISOString(),
      }));
      const imports = [
        await post(port, '/analytics/batch/', { events }, { headers: asAdmin }),
        await post(port, '/analytics/batch/', { events }, { headers: asAdmin }),
      ];
      expect(imports.map((each) => [json(each).accepted, json(each).duplicates])).toEqual([
        [400, 0],
        [0, 400],
      ]);
      await vi.waitFor(async () => expect(await storedIds(port)).toHaveLength(490), {
        timeout: 60_000,
        interval: 200,
      });

      // Requests that bypass the balancer: a refusal is better than a wrong figure.
      const two = replicas[1]?.port ?? 0;
      for (const refused of [
        await ask(two, dashboard, { headers: asAdmin }),
        await post(two, '/analytics/track/', view('203.0.113.1', '/').body),
        await ask(two, '/analytics/sites', { headers: asAdmin }),
        await post(two, '/analytics/export/events/', { columns: ['id'] }, { headers: asAdmin }),
      ]) {
        expect({
          status: refused.status,
          'retry-after': refused.headers['retry-after'],
          detail: json(refused).detail,
        }).toEqual({
          status: 503,
          'retry-after': '5',
          detail: expect.stringContaining('ANALYTICS=off') as string,
        });
      }
      expect(
        (await ask(two, '/analytics/pixel.gif?site=shop&page=/')).headers['x-svc-reason'],
      ).toBe('unavailable');
      expect(replicas[1]?.output()).not.toMatch(/"level":"error"(?!.*request completed)/);

      const page = { headers: { accept: 'text/html' } };
      const visits = {
        status: repeatedly(() => ask(port, '/status', page)),
        login: repeatedly(() => ask(port, '/login', page)),
        track: repeatedly(() => {
          const { body, more } = view('203.0.113.1', '/');
          return post(port, '/analytics/track/', body, more);
        }),
      };
      await postgres.setState('away');
      await vi.waitFor(async () => expect((await ask(port, '/api/health')).status).toBe(503), {
        timeout: 60_000,
        interval: 100,
      });
      await waitForChecks(replicas[0]?.port ?? 0, 4);
      expect((await ask(port, '/api/v1/audit', { headers: asAdmin })).status).toBe(503);
      await postgres.setState('open');
      await vi.waitFor(
        async () =>
          expect((await ask(port, '/api/v1/audit', { headers: asAdmin })).status).toBe(200),
        { timeout: 60_000, interval: 100 },
      );
      const figures = {
        status: await visits.status.stop(),
        login: await visits.login.stop(),
        track: await visits.track.stop(),
      };
      console.log('PostgreSQL away, through haproxy:', JSON.stringify(figures));
      for (const { requests, failed } of Object.values(figures)) {
        expect(failed).toEqual([]);
        expect(requests).toBeGreaterThan(20);
      }
    });
  },
);
