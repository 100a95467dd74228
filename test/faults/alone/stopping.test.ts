import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../support/redis-server.ts';
import { compareIds, eventOf, sendEvents, startNew } from '../ingest-kill.ts';
import {
  type Answer,
  ask,
  asAdmin,
  codeOf,
  post,
  startService,
  storedIds,
} from '../ingest-service.ts';

const stopped = { code: 0, signal: null };
const ready = (port: number) => ask(port, '/api/health/ready');
const statusOf = async (port: number, path: string) => (await ask(port, path)).status;
const sendOne = (port: number, id: string) => post(port, '/analytics/track', eventOf(id));

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** Starts a POST. The caller sends the body and ends the request. */
function begin(port: number, path: string, headers: Record<string, string>): ClientRequest {
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    agent: keepAliveAgent(),
    headers: { 'content-type': 'application/json', ...headers },
  });
  request.on('error', () => undefined);
  return request;
}

/** Sends an event but for the end of its body, which `finish` sends. It returns the response. */
function beginEvent(port: number, id: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify(eventOf(id));
  const length = { 'content-length': String(body.length) };
  const request = begin(port, '/analytics/track', { ...length, ...headers });
  request.write(body.slice(0, 10));
  return {
    request,
    async finish() {
      request.end(body.slice(10));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const { statusCode: status, headers: answered } = response;
      return { status, headers: answered, body: JSON.parse(await text(response)) as unknown };
    },
  };
}

/**
 * Sends events on so many connections, one after another on each, until the connection breaks.
 * `note` gets every answer, or the code of the error.
 */
async function writeUntilBroken(
  port: number,
  connections: number,
  note: (outcome: Answer | string, sent: { id: string; at: number }) => void,
): Promise<void> {
  const writers = Array.from({ length: connections }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let isOpen = true; isOpen;) {
      const sent = { id: randomUUID(), at: performance.now() };
      const event = eventOf(sent.id);
      const outcome = await post(port, '/analytics/track', event, { agent }).catch(codeOf);
      isOpen = typeof outcome !== 'string';
      note(outcome, sent);
    }
    agent.destroy();
  });
  await Promise.all(writers);
}

test('SIGTERM: is unready at once, finishes requests, exits with 0, loses nothing', async () => {
  const service = await startNew({ SHUTDOWN_GRACE_MS: '1500' });
  const { port } = service;
  const answered = new Set(await sendEvents(port, 4000));
  const slowId = randomUUID();
  const slow = beginEvent(port, slowId);
  expect((await ready(port)).status).toBe(200);

  const began = performance.now();
  service.signal('SIGTERM');
  const unready = await vi.waitFor(
    async () => {
      const answer = await ready(port);
      expect(answer.status).toBe(503);
      return answer;
    },
    { timeout: 1000, interval: 10 },
  );
  expect(performance.now() - began).toBeLessThan(500);
  const draining = { status: 'fail', draining: true, reason: 'draining' };
  expect(JSON.parse(unready.text)).toMatchObject(draining);
  expect(await statusOf(port, '/api/health/live')).toBe(200);
  const duringGrace = randomUUID();
  expect((await sendOne(port, duringGrace)).status).toBe(200);

  // The listener closes; the request in progress may still finish.
  await vi.waitFor(() => expect(ask(port, '/api/health/live')).rejects.toThrow(), {
    timeout: 5000,
    interval: 50,
  });
  expect(await slow.finish()).toMatchObject({ status: 200, body: { accepted: 1 } });
  expect(await service.exited).toEqual(stopped);
  expect(performance.now() - began).toBeLessThan(10_000);

  const next = await startService(service.env);
  const all = answered.add(duringGrace).add(slowId);
  expect(compareIds(all, await storedIds(next.port))).toEqual({ lost: 0, doubled: 0, foreign: 0 });
});

test('SIGINT under load: accepted events are stored, the others are refused with 503', async () => {
  const service = await startNew();
  const answered = new Set<string>();
  const statuses = new Set<number>();
  const writing = writeUntilBroken(service.port, 16, (outcome, { id }) => {
    if (typeof outcome === 'string') return;
    statuses.add(outcome.status);
    if (outcome.status === 200) answered.add(id);
    else expect(JSON.parse(outcome.text)).toMatchObject({ status: 503 });
  });
  await vi.waitFor(() => expect(answered.size).toBeGreaterThan(500), { timeout: 10_000 });
  const began = performance.now();
  expect(await service.kill('SIGINT')).toEqual(stopped);
  expect(performance.now() - began).toBeLessThan(10_000);
  await writing;
  expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);

  const next = await startService(service.env);
  const stored = await storedIds(next.port);
  expect(compareIds(answered, stored)).toMatchObject({ lost: 0, doubled: 0 });
});

test('exits with 0 within 10 s although clients hold a request or an export open', async () => {
  const service = await startNew();
  const { port } = service;
  await sendEvents(port, 40_000, { user_id: undefined, props: { text: 'x'.repeat(500) } });
  begin(port, '/analytics/track', { 'content-length': '1000' }).write('{');
  await vi.waitFor(
    async () =>
      expect((await ask(port, '/analytics/sites', { headers: asAdmin })).text).toContain(
        '"events":40000',
      ),
    { timeout: 20_000 },
  );
  const stuck = begin(port, '/analytics/export/events', asAdmin);
  stuck.end('{}');
  const [response] = (await once(stuck, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  const began = performance.now();
  expect(await service.kill('SIGTERM')).toEqual(stopped);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('HEALTH_PORT answers live 200 and ready 503 until the process ends', async () => {
  const probes = await freePort();
  const service = await startNew({ HEALTH_PORT: String(probes) });
  const { port } = service;
  expect(service.output()).toContain(`http://127.0.0.1:${probes}/api/health/ready`);
  expect((await ready(probes)).status).toBe(200);
  expect(await statusOf(probes, '/api/status')).toBe(404);
  expect((await ask(probes, '/api/health')).text).not.toContain('"checks"');
  const { text: checks } = await ask(probes, '/api/health', { headers: asAdmin });
  expect(checks).toContain('"database:responseTime"');

  const slow = beginEvent(port, randomUUID(), { expect: '100-continue' });
  await once(slow.request, 'continue');
  service.signal('SIGTERM');
  await vi.waitFor(() => expect(ask(port, '/api/status')).rejects.toThrow('ECONNREFUSED'), {
    timeout: 2000,
    interval: 10,
  });
  expect(await statusOf(probes, '/api/health/live')).toBe(200);
  const unready = await ready(probes);
  expect(unready.status).toBe(503);
  expect(JSON.parse(unready.text)).toMatchObject({ draining: true, reason: 'draining' });
  expect(await slow.finish()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(await service.exited).toEqual(stopped);
  await expect(ask(probes, '/api/health/live')).rejects.toThrow('ECONNREFUSED');
});

test('when saturated, is unready 100 ms after SIGTERM, and closes its connections', async () => {
  const probes = await freePort();
  const service = await startNew({ HEALTH_PORT: String(probes), SHUTDOWN_GRACE_MS: '1000' });
  const outcomes = new Set<string>();
  const connectionHeaders = new Set<string | undefined>();
  let drainingSince = Infinity;
  const writing = writeUntilBroken(service.port, 32, (outcome, { at }) => {
    outcomes.add(typeof outcome === 'string' ? outcome : String(outcome.status));
    if (typeof outcome !== 'string' && at > drainingSince)
      connectionHeaders.add(outcome.headers.connection);
  });
  const percent = expect.toSatisfy((observed: number) => observed > 50) as number;
  const saturated = { checks: { 'eventLoop:utilization': [{ observedValue: percent }] } };
  await vi.waitFor(
    async () => {
      const health = await ask(probes, '/api/health', { headers: asAdmin });
      expect(JSON.parse(health.text)).toMatchObject(saturated);
    },
    { timeout: 15_000, interval: 250 },
  );

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const readyStatus = async () => (await ask(probes, '/api/health/ready', { agent })).status;
  // The delay that the machine and this saturated process add to every answer.
  let slowest = 0;
  for (let times = 0; times < 100; times += 1) {
    const sent = performance.now();
    expect(await readyStatus()).toBe(200);
    slowest = Math.max(slowest, performance.now() - sent);
  }
  const began = performance.now();
  service.signal('SIGTERM');
  while ((await readyStatus()) !== 503)
    expect(performance.now() - began).toBeLessThan(100 + slowest);
  expect(performance.now() - began).toBeLessThan(100 + slowest);
  drainingSince = performance.now();
  expect(await statusOf(probes, '/api/health/live')).toBe(200);
  await writing;
  expect([...connectionHeaders]).toEqual(['close']);
  const expected = ['200', '503', 'ECONNREFUSED', 'ECONNRESET'];
  expect([...outcomes].filter((outcome) => !expected.includes(outcome))).toEqual([]);
  expect(await service.exited).toEqual(stopped);
});

test('idle connections and connections without a request do not delay the stop', async () => {
  const service = await startNew();
  const silent = connect(service.port, '127.0.0.1');
  silent.on('error', () => undefined).resume();
  onTestFinished(() => void silent.destroy());
  const idle = await ask(service.port, '/api/status', { agent: keepAliveAgent() });
  expect(idle.status).toBe(200);
  const began = performance.now();
  expect(await service.kill('SIGTERM')).toEqual(stopped);
  expect(performance.now() - began).toBeLessThan(3000);
});

test('the same signal two seconds later ends the process at once, code 128 + signal', async () => {
  const service = await startNew({ SHUTDOWN_GRACE_MS: '30000' });
  service.signal('SIGTERM');
  await vi.waitFor(async () => expect((await ready(service.port)).status).toBe(503), {
    timeout: 2000,
    interval: 10,
  });
  service.signal('SIGTERM');
  await delay(2200);
  expect(await statusOf(service.port, '/api/health/live')).toBe(200);
  const began = performance.now();
  expect(await service.kill('SIGTERM')).toEqual({ code: 143, signal: null });
  expect(performance.now() - began).toBeLessThan(3000);
});
