import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProbeListener } from '../../../src/areas/health/probe-listener.ts';
import { asAdmin, freshApp } from '../../support/app.ts';
import { ask } from '../../faults/ingest-service.ts';

async function open() {
  const listener = createProbeListener();
  onTestFinished(() => listener.close());
  return { listener, port: await listener.listen(0, '127.0.0.1') };
}

const bodyOf = ({ text }: { text: string }) => JSON.parse(text) as Record<string, unknown>;

test('before the service listens, the process is alive and not ready, with a reason', async () => {
  const { port } = await open();
  const live = await ask(port, '/api/health/live');
  expect(live.status).toBe(200);
  expect(bodyOf(live)).toEqual({ status: 'pass' });
  const ready = await ask(port, '/api/health/ready/');
  expect(ready.status).toBe(503);
  const starting = { status: 'fail', draining: false, reason: 'starting', failing: [] };
  expect(bodyOf(ready)).toMatchObject(starting);
  expect(ready.headers).toMatchObject({
    'retry-after': '5',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  for (const path of ['/api/health', '/api/health/queue?threshold=1', '/api/health/websocket']) {
    const answer = await ask(port, path);
    const headers = { 'content-type': 'application/problem+json' };
    expect(answer).toMatchObject({ status: 503, headers });
    expect(bodyOf(answer)).toMatchObject({ status: 503, detail: 'The service is starting.' });
  }
  expect(await ask(port, '/api/health/live', { method: 'HEAD' })).toMatchObject({
    status: 200,
    text: '',
  });
});

test('serves only probes, without details unless a key is sent', async () => {
  const app = await freshApp();
  onTestFinished(() => app.close());
  const { listener, port } = await open();
  listener.serve((request, response) => app.http.routing(request, response));
  expect(await ask(port, '/api/health/ready')).toMatchObject({ status: 200 });
  await vi.waitFor(
    async () => expect((await ask(port, '/api/health/queue?threshold=5')).status).toBe(200),
    { timeout: 15_000, interval: 100 },
  );
  // On a busy machine the first checks may time out.
  await vi.waitFor(
    async () => {
      const everybody = await ask(port, '/api/health/');
      expect(everybody.status).toBe(200);
      expect(bodyOf(everybody)).not.toHaveProperty('checks');
    },
    { timeout: 15_000, interval: 100 },
  );
  const wrong = { authorization: 'Bearer nope' };
  expect((await ask(port, '/api/health', { headers: wrong })).status).toBe(401);
  const posted = await ask(port, '/api/health/live', { method: 'POST', body: '{}' });
  expect(posted.headers.allow).toContain('GET');

  for (const path of [
    '/',
    '/api/status',
    '/api/healthy',
    '/api/health/live/x',
    '/api/health/../status',
    '/api//health',
    '/api/health%2Flive',
    '/api/v1/audit',
    '/analytics/track/',
    '//x/api/health',
  ]) {
    const answer = await ask(port, path, { headers: asAdmin });
    expect(answer.status, path).toBe(404);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(bodyOf(answer).code).toBe('request.not_found');
  }
  expect((await ask(port, 'http://x/api/status')).status).toBe(404);

  app.services.health.drain();
  await app.http.close();
  expect((await ask(port, '/api/health/live')).status).toBe(200);
  const ready = await ask(port, '/api/health/ready');
  expect(ready.status).toBe(503);
  expect(bodyOf(ready)).toMatchObject({ reason: 'draining', draining: true });
  expect((await ask(port, '/api/health')).status).toBe(200);
  expect((await ask(port, '/api/status')).status).toBe(404);
}, 30_000);

test('an address in use is reported at once', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(createProbeListener().listen(port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
});
