import { brandNamed } from '../../../support/brand.ts';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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

const twice = { config: { rateLimit: limit({ max: 2, seconds: 60 }) } };
const twiceFailingOpen = { config: { rateLimit: limit({ max: 2, seconds: 60, failOpen: true }) } };

async function createApp(
  redis: Redis,
  { enabled = true, env = {} }: { enabled?: boolean; env?: Record<string, string> } = {},
) {
  const http = createTestHttp(env);
  await rateLimit(http.app, { redis, enabled });
  scope(http.app, 'public', undefined, (routes) => {
    routes.get('/limited', twice, () => ({}));
    routes.get('/other', twice, () => ({}));
    routes.get('/brief', { config: { rateLimit: limit({ max: 1, seconds: 1 }) } }, () => ({}));
    routes.get('/ingest', twiceFailingOpen, () => ({}));
    routes.get('/free', () => ({}));
  });
  const refuse = () => {
    throw requestErrors.unauthenticated();
  };
  scope(http.app, 'admin', refuse, (routes) => {
    routes.get('/guarded', twice, () => ({}));
  });
  await http.app.ready();
  onTestFinished(() => http.app.close());
  return http.app;
}

async function connected(url: string): Promise<Redis> {
  const { logger } = createTestHttp();
  const redis = createRedis({ url, name: 'test', logger, purpose: 'requests' });
  onTestFinished(() => redis.disconnect());
  await redisReady(redis, 5000);
  return redis;
}

const readyRedis = async (): Promise<Redis> => connected(await testRedisUrl());

/** Sends a request from each address, one after another. Returns the statuses. */
async function statuses(
  app: FastifyInstance,
  url: string,
  addresses: string[],
  headers: Record<string, string> = {},
) {
  const found: number[] = [];
  for (const remoteAddress of addresses)
    found.push((await app.inject({ url, remoteAddress, headers })).statusCode);
  return found;
}

describe('a limited route', () => {
  test('answers 429 with a problem and the time to wait', async () => {
    const app = await createApp(await readyRedis());
    const began = performance.now();
    const first = await app.inject('/limited');
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    await app.inject('/limited/');
    const refused = await app.inject('/limited');
    expect(refused).toBeProblem(429, 'request.rate_limited');
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    const seconds = Number(refused.headers['retry-after']);
    expect(refused.json()).toMatchObject({ retry_after: seconds });
    const spent = Math.ceil((performance.now() - began) / 1000);
    for (const left of [Number(first.headers['ratelimit-reset']), seconds]) {
      expect(left).toBeLessThanOrEqual(60);
      expect(left).toBeGreaterThanOrEqual(60 - spent);
    }
    expect((await app.inject('/other')).statusCode).toBe(200);
  });

  test('sends browsers a page with the time to wait', async () => {
    const http = createTestHttp();
    await rateLimit(http.app, { redis: await readyRedis(), enabled: true });
    const layout = createLayout(brandNamed('Acme'), await testAssets());
    await withPublicRoutes(http, (pages) => {
      configurePageScope(pages, { layout, back: { href: '/', text: 'Back' } });
      pages.post('/page', { config: { rateLimit: limit({ max: 1, seconds: 60 }) } }, () => '');
    });
    onTestFinished(() => http.app.close());
    const request = { method: 'POST', url: '/page', headers: { accept: 'text/html' } } as const;
    await http.app.inject(request);
    const refused = await http.app.inject(request);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body).toContain('<h1');
  });

  test.each([
    [
      'counts before it looks at credentials',
      '/guarded',
      ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
      [401, 401, 429],
    ],
    [
      'counts an IPv6 /64 as one client',
      '/limited',
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::3', '2001:db8:1:3::1'],
      [200, 200, 429, 200],
    ],
    [
      'counts mapped IPv4 as IPv4',
      '/limited',
      ['192.0.2.9', '::ffff:192.0.2.9', '192.0.2.9', '192.0.2.10'],
      [200, 200, 429, 200],
    ],
  ])('%s', async (_what, url, addresses, expected) => {
    expect(await statuses(await createApp(await readyRedis()), url, addresses)).toEqual(expected);
  });

  test('ignores forwarded addresses of an untrusted client', async () => {
    const app = await createApp(await readyRedis());
    const found: number[] = [];
    for (const forged of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
      found.push(
        ...(await statuses(app, '/limited', ['203.0.113.5'], { 'x-forwarded-for': forged })),
      );
    expect(found).toEqual([200, 200, 429]);
  });

  test('counts the clients behind a trusted proxy separately', async () => {
    const app = await createApp(await readyRedis(), { env: { TRUST_PROXY: '10.0.0.1' } });
    for (const client of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
      expect(await statuses(app, '/limited', ['10.0.0.1'], { 'x-forwarded-for': client })).toEqual([
        200,
      ]);
  });

  test('lets a refused client in again once the window has ended', async () => {
    const app = await createApp(await readyRedis());
    await app.inject('/brief');
    expect((await app.inject('/brief')).statusCode).toBe(429);
    await expect.poll(async () => (await app.inject('/brief')).statusCode).toBe(200);
  });

  test('shares its counter with every replica', async () => {
    const url = await testRedisUrl();
    const first = await createApp(await connected(url));
    const second = await createApp(await connected(url));
    await first.inject('/limited');
    await second.inject('/limited');
    expect((await first.inject('/limited')).statusCode).toBe(429);
  });

  test('has no limit when limits are off', async () => {
    const app = await createApp(await readyRedis(), { enabled: false });
    const addresses = ['192.0.2.1', '192.0.2.1', '192.0.2.1'];
    expect(await statuses(app, '/limited', addresses)).toEqual([200, 200, 200]);
    expect((await app.inject('/limited')).headers['ratelimit-limit']).toBeUndefined();
  });
});

describe('without Redis', () => {
  async function startRedis() {
    const server = await startTestRedis();
    onTestFinished(() => server.stop());
    const redis = await connected(`redis://127.0.0.1:${server.port}`);
    return { server, redis };
  }

  async function expectDegraded(app: FastifyInstance): Promise<void> {
    let fastest = Infinity;
    // A busy machine may stall the whole process once or twice.
    for (let round = 0; round < 3 && fastest >= 1000; round += 1) {
      const begin = performance.now();
      const [refused, ingest, free] = await Promise.all(
        ['/limited', '/ingest', '/free'].map((url) => app.inject(url)),
      );
      fastest = performance.now() - begin;
      expect(refused).toBeProblem(503, 'request.unavailable');
      expect(refused?.headers['retry-after']).toBe('5');
      expect({ ingest, free }).toMatchObject({
        ingest: { statusCode: 200 },
        free: { statusCode: 200 },
      });
    }
    expect(fastest).toBeLessThan(1000);
  }

  test('limited routes answer 503 within a second, and fail-open ones still work', async () => {
    const { server, redis } = await startRedis();
    const app = await createApp(redis);
    expect((await app.inject('/limited')).statusCode).toBe(200);
    await server.stop();
    await vi.waitFor(() => expect(redis.status).not.toBe('ready'), { timeout: 10_000 });
    await expectDegraded(app);
  });

  test('a hanging server counts as down, and everything recovers automatically', async () => {
    const { server, redis } = await startRedis();
    const other = new Redis(server.port);
    onTestFinished(() => other.disconnect());
    const app = await createApp(redis);
    await other.client('PAUSE', 4000, 'ALL');
    await expectDegraded(app);
    // Requests sent meanwhile are counted late, so each attempt uses another address.
    let host = 0;
    await vi.waitFor(async () => {
      const remoteAddress = `192.0.2.${(host += 1)}`;
      expect((await app.inject({ url: '/other', remoteAddress })).statusCode).toBe(200);
    }, 15_000);
  });
});
