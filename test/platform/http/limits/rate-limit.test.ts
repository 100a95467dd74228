import { Redis } from 'ioredis';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { requestErrors } from '../../../../src/platform/errors/errors.ts';
import { createRedis, redisReady } from '../../../../src/platform/redis/redis.ts';
import { limit, rateLimit } from '../../../../src/platform/http/limits/rate-limit.ts';
import { scope } from '../../../../src/platform/http/scopes.ts';
import { startTestRedis } from '../../../support/redis-server.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import { configurePageScope } from '../../../../src/platform/ui/page-scope.ts';
import { createLayout } from '../../../../src/platform/ui/pages.tsx';
import { testAssets } from '../../../support/app.ts';
import { createTestHttp, withPublicRoutes } from '../../../support/http.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function createApp(redis: Redis, env: Record<string, string> = {}, enabled = true) {
  const http = createTestHttp(env);
  await rateLimit(http.app, { redis, enabled });
  scope(http.app, 'public', undefined, (routes) => {
    routes.get('/limited', { config: { rateLimit: limit({ max: 2, seconds: 60 }) } }, () => ({
      ok: true,
    }));
    routes.get('/other', { config: { rateLimit: limit({ max: 2, seconds: 60 }) } }, () => ({
      ok: true,
    }));
    routes.get(
      '/ingest',
      { config: { rateLimit: limit({ max: 2, seconds: 60, failOpen: true }) } },
      () => ({ ok: true }),
    );
    routes.get('/free', () => ({ ok: true }));
  });
  scope(
    http.app,
    'admin',
    () => {
      throw requestErrors.unauthenticated();
    },
    (routes) => {
      routes.get('/guarded', { config: { rateLimit: limit({ max: 2, seconds: 60 }) } }, () => ({}));
    },
  );
  await http.app.ready();
  cleanups.push(() => http.app.close());
  return http;
}

function connected(url: string): Redis {
  const redis = createRedis({
    url,
    name: 'test',
    logger: createTestHttp().logger,
    purpose: 'requests',
  });
  cleanups.push(() => redis.disconnect());
  return redis;
}

async function readyRedis(): Promise<Redis> {
  const redis = connected(await testRedisUrl());
  await redisReady(redis, 5000);
  return redis;
}

async function statuses(
  http: ReturnType<typeof createTestHttp>,
  url: string,
  addresses: string[],
  headers: Record<string, string> = {},
) {
  const found: number[] = [];
  for (const remoteAddress of addresses)
    found.push((await http.app.inject({ url, remoteAddress, headers })).statusCode);
  return found;
}

describe('a limited route', () => {
  test('answers 429 with a problem and the time to wait', async () => {
    const http = await createApp(await readyRedis());
    const began = performance.now();
    const first = await http.app.inject('/limited');
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    await http.app.inject('/limited/');
    const refused = await http.app.inject('/limited');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    const seconds = Number(refused.headers['retry-after']);
    expect(refused.json()).toMatchObject({
      status: 429,
      code: 'request.rate_limited',
      retry_after: seconds,
    });
    const spent = Math.ceil((performance.now() - began) / 1000);
    for (const left of [Number(first.headers['ratelimit-reset']), seconds]) {
      expect(left).toBeLessThanOrEqual(60);
      expect(left).toBeGreaterThanOrEqual(60 - spent);
    }
    expect((await http.app.inject('/other')).statusCode).toBe(200);
  });

  test('sends browsers a page with the time to wait', async () => {
    const http = createTestHttp();
    await rateLimit(http.app, { redis: await readyRedis(), enabled: true });
    const layout = createLayout('Acme', await testAssets());
    await withPublicRoutes(http, (pages) => {
      configurePageScope(pages, { layout, back: { href: '/', text: 'Back' } });
      pages.post('/page', { config: { rateLimit: limit({ max: 1, seconds: 60 }) } }, () => '');
    });
    cleanups.push(() => http.app.close());
    const request = { method: 'POST', url: '/page', headers: { accept: 'text/html' } } as const;
    await http.app.inject(request);
    const refused = await http.app.inject(request);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body).toContain('<h1');
  });

  test('counts before it looks at credentials', async () => {
    const http = await createApp(await readyRedis());
    expect(await statuses(http, '/guarded', ['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([
      401, 401, 429,
    ]);
  });

  test('counts an IPv6 /64 as one client, and mapped IPv4 as IPv4', async () => {
    const http = await createApp(await readyRedis());
    expect(
      await statuses(http, '/limited', [
        '2001:db8:1:2::1',
        '2001:db8:1:2:ffff::9',
        '2001:db8:1:2::3',
        '2001:db8:1:3::1',
      ]),
    ).toEqual([200, 200, 429, 200]);
    expect(
      await statuses(http, '/limited', [
        '192.0.2.9',
        '::ffff:192.0.2.9',
        '192.0.2.9',
        '192.0.2.10',
      ]),
    ).toEqual([200, 200, 429, 200]);
  });

  test('ignores forwarded addresses of an untrusted client', async () => {
    const http = await createApp(await readyRedis());
    const found: number[] = [];
    for (const forged of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      found.push(
        ...(await statuses(http, '/limited', ['203.0.113.5'], { 'x-forwarded-for': forged })),
      );
    }
    expect(found).toEqual([200, 200, 429]);
  });

  test('counts the clients behind a trusted proxy separately', async () => {
    const http = await createApp(await readyRedis(), { TRUST_PROXY: '10.0.0.1' });
    for (const client of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      expect(await statuses(http, '/limited', ['10.0.0.1'], { 'x-forwarded-for': client })).toEqual(
        [200],
      );
    }
  });

  test('shares its counter with every replica', async () => {
    const url = await testRedisUrl();
    const [one, two] = [connected(url), connected(url)];
    await Promise.all([redisReady(one, 5000), redisReady(two, 5000)]);
    const [first, second] = [await createApp(one), await createApp(two)];
    await first.app.inject('/limited');
    await second.app.inject('/limited');
    expect((await first.app.inject('/limited')).statusCode).toBe(429);
  });

  test('has no limit when limits are off', async () => {
    const http = await createApp(await readyRedis(), {}, false);
    expect(await statuses(http, '/limited', ['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([
      200, 200, 200,
    ]);
    expect((await http.app.inject('/limited')).headers['ratelimit-limit']).toBeUndefined();
  });
});

describe('without Redis', () => {
  async function expectDegraded(http: ReturnType<typeof createTestHttp>): Promise<void> {
    let fastest = Infinity;
    // A busy machine may stall the whole process once or twice.
    for (let round = 0; round < 3 && fastest >= 1000; round += 1) {
      const begin = performance.now();
      const [refused, ingest, free] = await Promise.all(
        ['/limited', '/ingest', '/free'].map((url) => http.app.inject(url)),
      );
      fastest = performance.now() - begin;
      expect({
        refusedStatus: refused?.statusCode,
        ingestStatus: ingest?.statusCode,
        freeStatus: free?.statusCode,
      }).toEqual({ refusedStatus: 503, ingestStatus: 200, freeStatus: 200 });
      expect(refused?.headers['retry-after']).toBe('5');
      expect(refused?.json()).toMatchObject({ code: 'request.unavailable' });
    }
    expect(fastest).toBeLessThan(1000);
  }

  test('limited routes answer 503 within a second, and fail-open ones still work', async () => {
    const server = await startTestRedis();
    cleanups.push(() => server.stop());
    const redis = connected(`redis://127.0.0.1:${server.port}`);
    await redisReady(redis, 5000);
    const http = await createApp(redis);
    expect((await http.app.inject('/limited')).statusCode).toBe(200);
    await server.stop();
    await vi.waitFor(() => expect(redis.status).not.toBe('ready'), { timeout: 10_000 });
    await expectDegraded(http);
  });

  test('a hanging server counts as down, and everything recovers automatically', async () => {
    const server = await startTestRedis();
    cleanups.push(() => server.stop());
    const [redis, other] = [connected(`redis://127.0.0.1:${server.port}`), new Redis(server.port)];
    cleanups.push(() => other.disconnect());
    await redisReady(redis, 5000);
    const http = await createApp(redis);
    await other.client('PAUSE', 4000, 'ALL');
    await expectDegraded(http);
    // Requests sent meanwhile are counted late, so each attempt uses another address.
    let host = 0;
    await vi.waitFor(
      async () =>
        expect(
          (
            await http.app.inject({
              url: '/other',
              remoteAddress: `192.0.2.${(host += 1)}`,
            })
          ).statusCode,
        ).toBe(200),
      15_000,
    );
  });
});
