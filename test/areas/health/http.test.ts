import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiKeys } from '../../../src/areas/api-keys/service.ts';
import { createGuards } from '../../../src/areas/identity/sessions/guards.ts';
import { queueResponseTime, responseTime } from '../../../src/areas/health/checks.ts';
import { defineHeartbeat } from '../../../src/areas/health/jobs.ts';
import { type RealtimeMetrics, realtimeNotEnabled } from '../../../src/areas/health/realtime.ts';
import { healthOperations } from '../../../src/areas/health/operations.ts';
import { createHealth, type Health } from '../../../src/areas/health/service.ts';
import { requestErrors } from '../../../src/platform/errors/errors.ts';
import type { KeyPrincipal } from '../../../src/platform/identity/identity.ts';
import { createQueues, type Queues } from '../../../src/platform/queues/queues.ts';
import { createRedis, pingRedis, redisReady } from '../../../src/platform/redis/redis.ts';
import { loadCookies } from '../../../src/platform/http/cookies.ts';
import { startRedis } from '../../platform/bus/persistent-redis.ts';
import { request } from '../../support/client.ts';
import { createTestHttp, withOperations } from '../../support/http.ts';

const clock = { now: () => Date.now() };
const soon = { timeout: 10_000 };
const logger = pino({ level: 'silent' });
const admin = { authorization: 'Bearer admin' };
const keys: Record<string, KeyPrincipal> = {
  admin: { kind: 'api_key', id: 'env', scopes: ['admin'] },
  reader: { kind: 'api_key', id: 'key', scopes: ['analytics:read'] },
};
const byToken: ApiKeys['authenticate'] = async (token) => keys[token];
let authenticate = byToken;
const newGuards = () =>
  createGuards({
    apiKeys: { authenticate: (token) => authenticate(token) },
    sessions: { find: async () => undefined },
    baseOrigin: 'http://localhost',
    isBaseKnown: true,
    now: Date.now,
    requireProof: async () => undefined,
  });

let health: Health;
let queues: Queues;
let app: FastifyInstance;
let records: () => Promise<number>;
let realtime: RealtimeMetrics;
let redis: ReturnType<typeof createRedis>;
let round = 0;

const server = await startRedis();
afterAll(() => server.remove());

beforeEach(async () => {
  await server.start();
  redis = createRedis({ url: server.url, name: 'test', purpose: 'requests', logger });
  await redisReady(redis, 2000);
  health = createHealth({ clock, intervalMs: 50, timeoutMs: 1000 });
  const prefix = `health${(round += 1)}`;
  queues = createQueues({ connection: { url: server.url }, prefix, logger, clock });
  defineHeartbeat(queues);
  records = async () => 1.5;
  realtime = realtimeNotEnabled;
  authenticate = byToken;
  const database = responseTime(() => records());
  health.register('database:responseTime', database, {
    title: 'Records',
    componentType: 'datastore',
    gate: true,
    affectedEndpoints: ['/api/auth/{+path}'],
  });
  const sessions = responseTime(() => pingRedis(redis));
  const datastore = { title: 'Sessions', componentType: 'datastore', onError: 'warn' } as const;
  health.register('redis:responseTime', sessions, datastore);
  health.register('queue:responseTime', queueResponseTime(queues), {
    title: 'Jobs',
    onError: 'warn',
    links: { about: '/api/health/queue' },
  });
  const http = createTestHttp();
  ({ app } = http);
  await loadCookies(app);
  const context = {
    health,
    queues,
    guards: newGuards(),
    realtime: () => realtime,
    release: { version: '0.1.0', releaseId: 'abc123' },
    clock,
  };
  await withOperations(http, context, healthOperations);
});

afterEach(async () => {
  health.stop();
  await app.close();
  await queues.close(200);
  redis.disconnect();
});

const probe = (url: string, headers: Record<string, string> = {}) => request(app, { url, headers });

/**
 * Starts the checks and waits until all have passed: on a busy machine the first ones may time out
 * and are repeated.
 */
async function startWell(): Promise<void> {
  await health.start();
  await vi.waitFor(async () => expect((await probe('/api/health')).body.status).toBe('pass'), soon);
}

const failRecords = async () => {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
};

describe('GET /api/health/live', () => {
  it('passes before any check, and while the service drains', async () => {
    health.drain();
    expect(await probe('/api/health/live')).toMatchObject({
      status: 200,
      body: { status: 'pass' },
      headers: { 'cache-control': 'no-store' },
    });
  });

  it('passes without access to stores, for any credentials', async () => {
    records = vi.fn(async () => 1);
    authenticate = vi.fn(byToken);
    const wrong = { authorization: 'Bearer nope' };
    for (const headers of [{}, admin, wrong, { cookie: 'svc_session=x' }])
      expect((await probe('/api/health/live', headers)).status).toBe(200);
    expect(records).not.toHaveBeenCalled();
    expect(authenticate).not.toHaveBeenCalled();
  });
});

describe('GET /api/health/ready', () => {
  it('fails until the first checks have completed', async () => {
    expect(await probe('/api/health/ready')).toMatchObject({
      status: 503,
      body: {
        status: 'fail',
        reason: 'starting',
        draining: false,
        failing: ['database:responseTime'],
      },
      headers: { 'retry-after': '5' },
    });
    await health.start();
    expect(await probe('/api/health/ready/')).toMatchObject({
      status: 200,
      body: {
        status: 'pass',
        draining: false,
        reason: null,
        failing: [],
        checks: { 'database:responseTime': [{ status: 'pass' }] },
      },
    });
  });

  it('fails as soon as the service drains', async () => {
    await health.start();
    health.drain();
    const answer = await probe('/api/health/ready');
    expect(answer).toMatchObject({ status: 503, body: { reason: 'draining', draining: true } });
    expect(answer.headers['retry-after']).toBe('5');
  });

  it('names a failing gate without the reason, and passes again afterwards', async () => {
    await health.start();
    records = failRecords;
    const failing = { reason: 'check_failed', failing: ['database:responseTime'] };
    await vi.waitFor(
      async () =>
        expect(await probe('/api/health/ready')).toMatchObject({ status: 503, body: failing }),
      soon,
    );
    expect((await probe('/api/health/ready')).body.checks).toEqual({
      'database:responseTime': [{ status: 'fail', time: expect.any(String) as string }],
    });
    records = async () => 1;
    await vi.waitFor(async () => expect((await probe('/api/health/ready')).status).toBe(200), soon);
  });
});

describe('GET /api/health', () => {
  it('shows the public only the summary', async () => {
    await startWell();
    const { status, body, headers } = await probe('/api/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'pass',
      version: '0.1.0',
      releaseId: 'abc123',
      serviceId: 'platform-service',
      description: 'health of the platform service',
      links: { self: '/api/health', about: '/api/docs', status: '/api/status' },
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/^application\/json/) as string,
    });
  });

  it('shows an admin every check, in the format of the draft', async () => {
    await startWell();
    const { body } = await probe('/api/health/', admin);
    expect(body.checks).toMatchObject({
      'database:responseTime': [
        {
          componentId: 'database',
          componentType: 'datastore',
          observedValue: 1.5,
          observedUnit: 'ms',
          status: 'pass',
        },
      ],
      'redis:responseTime': [{ status: 'pass' }],
      'queue:responseTime': [{ status: 'pass', links: { about: '/api/health/queue' } }],
      uptime: [{ componentType: 'system', observedUnit: 's' }],
      'memory:utilization': [{ observedUnit: 'bytes' }],
      'eventLoop:utilization': [{ observedUnit: 'percent' }],
    });
    for (const [check] of Object.values(body.checks as Record<string, { time: string }[]>))
      expect(check?.time).toMatch(/^\d{4}-.*Z$/);
    expect(JSON.stringify(body)).not.toMatch(/"output"|"affectedEndpoints"|"notes"|"websocket:/);
  });

  it('responds with application/health+json to clients that accept it', async () => {
    for (const path of ['', '/live', '/ready', '/queue', '/websocket']) {
      const accept = 'application/health+json, application/json;q=0.5';
      const answer = await probe(`/api/health${path}`, { accept });
      expect(answer.headers['content-type']).toMatch(/^application\/health\+json/);
      expect(answer.headers.vary).toContain('accept');
    }
  });

  it('sends no-store with every response, also with errors', async () => {
    for (const [path, headers] of [
      ['', {}],
      ['', { authorization: 'Bearer nope' }],
      ['/queue?threshold=-1', {}],
      ['/ready', {}],
    ] as const) {
      const answer = await probe(`/api/health${path}`, headers);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('shows no details for other scopes, unknown schemes or stale cookies', async () => {
    await health.start();
    for (const headers of [
      { authorization: 'Bearer reader' },
      { authorization: 'Basic YWRtaW46' },
      { cookie: 'svc_session=gone' },
    ]) {
      const answer = await probe('/api/health', headers);
      expect(answer.status).toBe(200);
      expect(answer.body).not.toHaveProperty('checks');
    }
  });

  it("shows only the summary to an admin whose key can't be checked", async () => {
    await startWell();
    authenticate = async () => {
      throw requestErrors.unavailable();
    };
    const answer = await probe('/api/health', admin);
    expect(answer).toMatchObject({ status: 200, body: { status: 'pass' } });
    expect(answer.body).not.toHaveProperty('checks');
  });

  it('counts the connections of the WebSocket layer', async () => {
    const endpoint = { protocols: [], connections: 2, subscriptions: 0 };
    const endpoints = ['/ws/a', '/ws/b'].map((path) => ({ ...endpoint, path }));
    realtime = { ...realtimeNotEnabled, enabled: true, endpoints };
    expect((await probe('/api/health', admin)).body.checks).toMatchObject({
      'websocket:connections': [{ observedValue: 4, observedUnit: 'connections' }],
    });
  });

  it('notes why it should get no requests: starting, draining', async () => {
    const starting = { status: 'warn', notes: ['starting'] };
    expect((await probe('/api/health')).body).toMatchObject(starting);
    await startWell();
    health.drain();
    expect(await probe('/api/health')).toMatchObject({
      status: 200,
      body: { status: 'warn', notes: ['draining'] },
    });
  });

  it('fails when a check fails, with the reason for admins only', async () => {
    records = failRecords;
    await health.start();
    const everybody = await probe('/api/health');
    expect(everybody).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { status: 'fail', notes: ['check_failed'], output: 'database:responseTime fail' },
    });
    expect(JSON.stringify(everybody.body)).not.toContain('10.0.0.7');
    expect((await probe('/api/health', admin)).body.checks).toMatchObject({
      'database:responseTime': [
        {
          status: 'fail',
          affectedEndpoints: ['/api/auth/{+path}'],
          output: 'connect ECONNREFUSED 10.0.0.7:5432',
        },
      ],
    });
  });

  it('warns while Redis is down, and passes again when it is back', async () => {
    await health.start();
    await server.kill();
    const warned = { 'redis:responseTime': [{ status: 'warn' }] };
    await vi.waitFor(
      async () =>
        expect(await probe('/api/health', admin)).toMatchObject({
          status: 200,
          body: {
            status: 'warn',
            checks: { ...warned, 'queue:responseTime': [{ status: 'warn' }] },
          },
        }),
      soon,
    );
    expect((await probe('/api/health/ready')).status).toBe(200);
    expect(await probe('/api/health/queue')).toMatchObject({
      status: 503,
      body: { status: 'fail', broker: { reachable: false } },
    });
    await server.start();
    await vi.waitFor(
      async () => expect((await probe('/api/health')).body.status).toBe('pass'),
      soon,
    );
    expect((await probe('/api/health/queue')).status).toBe(200);
  }, 20_000);

  it('refuses an invalid key', async () => {
    expect((await probe('/api/health', { authorization: 'Bearer nope' })).status).toBe(401);
  });
});

describe('GET /api/health/queue', () => {
  it('shows the broker and every handler with its last success', async () => {
    await queues.start();
    await health.start();
    const heartbeat = {
      name: 'platform-heartbeat',
      concurrency: 1,
      active: 0,
      waiting: 0,
      delayed: 1,
      failed: 0,
      oldest_waiting_s: null,
      last_success_at: expect.any(String) as string,
    };
    await vi.waitFor(
      async () =>
        expect(await probe('/api/health/queue')).toMatchObject({
          status: 200,
          body: {
            status: 'pass',
            broker: { kind: 'redis', reachable: true },
            handlers: [heartbeat],
            over_threshold: [],
          },
        }),
      soon,
    );
  });

  it('fails when more jobs wait than the threshold allows', async () => {
    const waiting = defineHeartbeat(queues);
    await waiting.add({});
    await waiting.add({});
    await startWell();
    expect(await probe('/api/health/queue?threshold=1')).toMatchObject({
      status: 503,
      body: { status: 'fail', over_threshold: ['platform-heartbeat'] },
    });
    expect((await probe('/api/health/queue/?threshold=2')).status).toBe(200);
    expect((await probe('/api/health/queue')).status).toBe(200);
  });

  it('refuses a threshold that is not a number', async () => {
    expect((await probe('/api/health/queue?threshold=-1')).status).toBe(422);
    expect((await probe('/api/health/queue?threshold=many')).status).toBe(422);
  });

  it('fails when the broker was never checked', async () => {
    expect(await probe('/api/health/queue')).toMatchObject({
      status: 503,
      body: { broker: { reachable: false, latency_ms: null } },
    });
  });
});

describe('GET /api/health/websocket', () => {
  it('fails without a WebSocket layer', async () => {
    for (const url of ['/api/health/websocket', '/api/health/websocket/']) {
      expect(await probe(url)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
        body: {
          status: 'fail',
          enabled: false,
          endpoints: [],
          messages_sent_total: 0,
          slow_disconnects_total: 0,
          detail: 'The WebSocket layer is not enabled.',
        },
      });
    }
  });

  it('shows current connections, and fails as soon as the service drains', async () => {
    const protocols = ['graphql-transport-ws'];
    const endpoint = { path: '/ws/svc', protocols, connections: 3, subscriptions: 7 };
    const totals = { messages_sent_total: 12, slow_disconnects_total: 1 };
    realtime = { enabled: true, endpoints: [endpoint], ...totals };
    expect(await probe('/api/health/websocket')).toMatchObject({
      status: 200,
      body: { status: 'pass', ...realtime },
    });
    realtime = { ...realtime, endpoints: [{ ...endpoint, connections: 4 }] };
    expect((await probe('/api/health/websocket')).body).toMatchObject({
      endpoints: [{ connections: 4 }],
    });
    health.drain();
    expect(await probe('/api/health/websocket')).toMatchObject({
      status: 503,
      body: { status: 'fail', enabled: true, endpoints: [{ connections: 4 }] },
    });
  });
});
