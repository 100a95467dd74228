import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProbeListener } from '../../../src/areas/health/probe-listener.ts';
import { freshApp } from '../../support/app.ts';
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
  expect({ status: live.status, body: bodyOf(live) }).toEqual({
    status: 200,
    body: { status: 'pass' },
  });
  const ready = await ask(port, '/api/health/ready/');
  expect({ status: ready.status, body: bodyOf(ready) }).toMatchObject({
    status: 503,
    body: { status: 'fail', draining: false, reason: 'starting', failing: [] },
  });
  expect(ready.headers).toMatchObject({
    'retry-after': '5',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  for (const path of ['/api/health', '/api/health/queue?threshold=1', '/api/health/websocket']) {
    const answer = await ask(port, path);
    expect({
      status: answer.status,
      'content-type': answer.headers['content-type'],
      body: bodyOf(answer),
    }).toMatchObject({
      status: 503,
      'content-type': 'application/problem+json',
      body: { status: 503, detail: 'The service is starting.' },
    });
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
      const open200 = await ask(port, '/api/health/');
      expect({ status: open200.status, body: Object.keys(bodyOf(open200)) }).toEqual({
        status: 200,
        body: expect.not.arrayContaining(['checks']) as string,
      });
    },
    { timeout: 15_000, interval: 100 },
  );
  expect(
    (await ask(port, '/api/health', { headers: { authorization: 'Bearer nope' } })).status,
  ).toBe(401);
  expect(
    (await ask(port, '/api/health/live', { method: 'POST', body: '{}' })).headers.allow,
  ).toContain('GET');

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
    const answer = await ask(port, path, {
      headers: { authorization: 'Bearer test-admin-key-0123456789abcdef0123' },
    });
    expect({
      path,
      status: answer.status,
      'content-type': answer.headers['content-type'],
      code: bodyOf(answer).code,
    }).toEqual({
      path,
      status: 404,
      'content-type': 'application/problem+json',
      code: 'request.not_found',
    });
  }
  expect((await ask(port, 'http://x/api/status')).status).toBe(404);

  app.services.health.drain();
  await app.http.close();
  expect((await ask(port, '/api/health/live')).status).toBe(200);
  const ready = await ask(port, '/api/health/ready');
  expect({ status: ready.status, body: bodyOf(ready) }).toMatchObject({
    status: 503,
    body: { reason: 'draining', draining: true },
  });
  expect((await ask(port, '/api/health')).status).toBe(200);
  expect((await ask(port, '/api/status')).status).toBe(404);
}, 30_000);

test('an address in use is reported at once', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  await expect(
    createProbeListener().listen((other.address() as AddressInfo).port, '127.0.0.1'),
  ).rejects.toThrow('EADDRINUSE');
});
