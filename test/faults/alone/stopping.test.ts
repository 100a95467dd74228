import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testRedisUrl } from '../../support/redis.ts';
import { freePort } from '../../support/redis-server.ts';
import { compareIds } from '../ingest-kill.ts';
import {
  ask,
  asAdmin,
  codeOf,
  dataFolder,
  post,
  type Service,
  startService,
  storedIds,
} from '../ingest-service.ts';

async function start(
  env: Record<string, string> = {},
): Promise<Service & { env: Record<string, string> }> {
  const all = {
    DATA_DIR: env.DATA_DIR ?? (await dataFolder('stopping-')),
    REDIS_URL: await testRedisUrl(),
    ...env,
  };
  const service = await startService(all);
  return { ...service, env: all };
}

const event = (id: string, more: object = {}) => ({
  event: 'pageview',
  url: '/',
  site_id: 'site',
  id,
  ...more,
});

/** Starts a POST. The caller sends the body and ends the request. */
function begin(
  port: number,
  path: string,
  headers: Record<string, string | number>,
  agent: Agent,
): ClientRequest {
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
  });
  request.on('error', () => undefined);
  return request;
}

async function answerOf(request: ClientRequest): Promise<{ status: number; text: string }> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  return { status: response.statusCode ?? 0, text };
}

test('SIGTERM: is unready at once, finishes requests, exits with 0, loses nothing', async () => {
  const service = await start({ SHUTDOWN_GRACE_MS: '1500' });
  const answered = new Set<string>();
  for (let times = 0; times < 20; times += 1) {
    const ids = Array.from({ length: 200 }, () => randomUUID());
    expect(
      (await post(service.port, '/analytics/batch', { events: ids.map((id) => event(id)) })).status,
    ).toBe(200);
    for (const id of ids) answered.add(id);
  }
  const agent = new Agent({ keepAlive: true });
  const slowId = randomUUID();
  const body = JSON.stringify(event(slowId));
  const slow = begin(service.port, '/analytics/track', { 'content-length': body.length }, agent);
  slow.write(body.slice(0, 10));
  expect((await ask(service.port, '/api/health/ready')).status).toBe(200);

  const began = performance.now();
  service.signal('SIGTERM');
  const ready = await vi.waitFor(
    async () => {
      const answer = await ask(service.port, '/api/health/ready');
      expect(answer.status).toBe(503);
      return answer;
    },
    { timeout: 1000, interval: 10 },
  );
  expect(performance.now() - began).toBeLessThan(500);
  expect(JSON.parse(ready.text)).toMatchObject({
    status: 'fail',
    draining: true,
    reason: 'draining',
  });
  expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  const duringGrace = randomUUID();
  expect((await post(service.port, '/analytics/track', event(duringGrace))).status).toBe(200);
  answered.add(duringGrace);

  // The listener closes; the request in progress may still finish.
  await vi.waitFor(
    async () =>
      expect(
        await ask(service.port, '/api/health/live').then(
          () => 'open',
          () => 'closed',
        ),
      ).toBe('closed'),
    { timeout: 5000, interval: 50 },
  );
  slow.end(body.slice(10));
  const finished = await answerOf(slow);
  expect({ status: finished.status, body: JSON.parse(finished.text) as unknown }).toMatchObject({
    status: 200,
    body: { accepted: 1 },
  });
  answered.add(slowId);
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(10_000);

  const next = await start(service.env);
  expect(compareIds(answered, await storedIds(next.port))).toEqual({
    lost: 0,
    doubled: 0,
    foreign: 0,
  });
});

test('SIGINT under load: accepted events are stored, the others are refused with 503', async () => {
  const service = await start();
  const answered = new Set<string>();
  const statuses = new Set<number>();
  let isRunning = true;
  const writers = Array.from({ length: 16 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (isRunning) {
      const id = randomUUID();
      const answer = await post(service.port, '/analytics/track', event(id), { agent }).catch(
        () => undefined,
      );
      if (answer === undefined) break;
      statuses.add(answer.status);
      if (answer.status === 200) answered.add(id);
      else expect(JSON.parse(answer.text)).toMatchObject({ status: 503 });
    }
    agent.destroy();
  });
  await vi.waitFor(() => expect(answered.size).toBeGreaterThan(500), { timeout: 10_000 });
  const began = performance.now();
  expect(await service.kill('SIGINT')).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(10_000);
  isRunning = false;
  await Promise.all(writers);
  expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);

  const next = await start(service.env);
  const stored = await storedIds(next.port);
  expect(compareIds(answered, stored)).toMatchObject({ lost: 0, doubled: 0 });
});

test('exits with 0 within 10 s although clients hold a request or an export open', async () => {
  const service = await start();
  for (let times = 0; times < 20; times += 1) {
    const events = Array.from({ length: 2000 }, () =>
      event(randomUUID(), { props: { text: 'x'.repeat(500) } }),
    );
    await post(service.port, '/analytics/batch', { events }, { headers: asAdmin });
  }
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const half = begin(service.port, '/analytics/track', { 'content-length': 1000 }, agent);
  half.write('{');
  await vi.waitFor(
    async () =>
      expect((await ask(service.port, '/analytics/sites', { headers: asAdmin })).text).toContain(
        '"events":40000',
      ),
    { timeout: 20_000 },
  );
  const stuck = begin(service.port, '/analytics/export/events', asAdmin, agent);
  stuck.end('{}');
  const [response] = (await once(stuck, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  const began = performance.now();
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('HEALTH_PORT answers live 200 and ready 503 until the process ends', async () => {
  const probes = await freePort();
  const service = await start({ HEALTH_PORT: String(probes) });
  expect(service.output()).toContain(`http://127.0.0.1:${probes}/api/health/ready`);
  expect((await ask(probes, '/api/health/ready')).status).toBe(200);
  expect((await ask(probes, '/api/status')).status).toBe(404);
  expect((await ask(probes, '/api/health')).text).not.toContain('"checks"');
  expect((await ask(probes, '/api/health', { headers: asAdmin })).text).toContain(
    '"database:responseTime"',
  );

  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const body = JSON.stringify(event(randomUUID()));
  const slow = begin(
    service.port,
    '/analytics/track',
    { 'content-length': body.length, expect: '100-continue' },
    agent,
  );
  slow.write(body.slice(0, 10));
  await once(slow, 'continue');
  service.signal('SIGTERM');
  await vi.waitFor(
    async () =>
      expect(await ask(service.port, '/api/status').then(() => 'open', codeOf)).toBe(
        'ECONNREFUSED',
      ),
    { timeout: 2000, interval: 10 },
  );
  expect((await ask(probes, '/api/health/live')).status).toBe(200);
  const ready = await ask(probes, '/api/health/ready');
  expect({ status: ready.status, body: JSON.parse(ready.text) as unknown }).toMatchObject({
    status: 503,
    body: { draining: true, reason: 'draining' },
  });
  slow.end(body.slice(10));
  const [response] = (await once(slow, 'response')) as [IncomingMessage];
  expect({ status: response.statusCode, connection: response.headers.connection }).toEqual({
    status: 200,
    connection: 'close',
  });
  response.resume();
  expect(await service.exited).toEqual({ code: 0, signal: null });
  await expect(ask(probes, '/api/health/live')).rejects.toThrow('ECONNREFUSED');
});

test('when saturated, is unready 100 ms after SIGTERM, and closes its connections', async () => {
  const probes = await freePort();
  const service = await start({ HEALTH_PORT: String(probes), SHUTDOWN_GRACE_MS: '1000' });
  const statuses = new Set<string>();
  const connectionHeaders = new Set<string | undefined>();
  let isDraining = false;
  const writers = Array.from({ length: 32 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let isRunning = true; isRunning;) {
      const sentDraining = isDraining;
      const answer = await post(service.port, '/analytics/track', event(randomUUID()), {
        agent,
      }).catch(codeOf);
      isRunning = typeof answer !== 'string';
      statuses.add(typeof answer === 'string' ? answer : String(answer.status));
      if (typeof answer !== 'string' && sentDraining)
        connectionHeaders.add(answer.headers.connection);
    }
    agent.destroy();
  });
  await vi.waitFor(
    async () =>
      expect(
        JSON.parse((await ask(probes, '/api/health', { headers: asAdmin })).text),
      ).toMatchObject({
        checks: {
          'eventLoop:utilization': [
            { observedValue: expect.toSatisfy((percent: number) => percent > 50) as number },
          ],
        },
      }),
    { timeout: 15_000, interval: 250 },
  );

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  // The delay that the machine and this saturated process add to every answer.
  let slowest = 0;
  for (let times = 0; times < 100; times += 1) {
    const sent = performance.now();
    expect((await ask(probes, '/api/health/ready', { agent })).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - sent);
  }
  const began = performance.now();
  service.signal('SIGTERM');
  while ((await ask(probes, '/api/health/ready', { agent })).status !== 503)
    expect(performance.now() - began).toBeLessThan(100 + slowest);
  expect(performance.now() - began).toBeLessThan(100 + slowest);
  isDraining = true;
  expect((await ask(probes, '/api/health/live')).status).toBe(200);
  await Promise.all(writers);
  expect([...connectionHeaders]).toEqual(['close']);
  expect(
    [...statuses].filter(
      (status) => !['200', '503', 'ECONNREFUSED', 'ECONNRESET'].includes(status),
    ),
  ).toEqual([]);
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

test('idle connections and connections without a request do not delay the stop', async () => {
  const service = await start();
  const agent = new Agent({ keepAlive: true });
  const silent = connect(service.port, '127.0.0.1')
    .on('error', () => undefined)
    .resume();
  onTestFinished(() => {
    agent.destroy();
    silent.destroy();
  });
  expect((await ask(service.port, '/api/status', { agent })).status).toBe(200);
  const began = performance.now();
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(3000);
});

test('the same signal two seconds later ends the process at once, code 128 + signal', async () => {
  const service = await start({ SHUTDOWN_GRACE_MS: '30000' });
  const id = randomUUID();
  expect((await post(service.port, '/analytics/track', event(id))).status).toBe(200);
  service.signal('SIGTERM');
  await vi.waitFor(
    async () => expect((await ask(service.port, '/api/health/ready')).status).toBe(503),
    { timeout: 2000, interval: 10 },
  );
  service.signal('SIGTERM');
  await delay(2200);
  expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  const began = performance.now();
  expect(await service.kill('SIGTERM')).toEqual({ code: 143, signal: null });
  expect(performance.now() - began).toBeLessThan(3000);
  const next = await start({ DATA_DIR: service.env.DATA_DIR ?? '' });
  await vi.waitFor(async () => expect(await storedIds(next.port)).toEqual([id]), {
    timeout: 10_000,
    interval: 100,
  });
});
