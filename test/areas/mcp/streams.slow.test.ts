import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adminKey, asAdmin, buildTestApp, type TestApp } from '../../support/app.ts';
import { accept, mcpUrl, oldClient } from './client.ts';

describe('streams', () => {
  let app: TestApp;
  let origin = '';
  let isClosed = false;

  beforeAll(async () => {
    app = await buildTestApp();
    await app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  }, 60_000);
  afterAll(async () => {
    if (!isClosed) await app.close();
  });

  it('tell of the status when it changes, in both ways, and end when the service stops', async () => {
    const { client, transport } = await oldClient(origin, adminKey);
    const told: string[] = [];
    client.fallbackNotificationHandler = (notification) => Promise.resolve(void told.push(notification.method));
    await client.subscribeResource({ uri: 'status://summary' });
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const listening = await fetch(origin + mcpUrl, {
      method: 'POST', headers: { ...accept, ...asAdmin, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: ['status://summary'] }, _meta: meta } }),
    });
    expect(Object.fromEntries(listening.headers)).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', 'cache-control': 'no-cache, no-transform' });
    const words = listening.text();
    await app.services.status.incidents.createIncident({ name: 'x', status: 'investigating', body: 'y', components: [] }, { actor: { kind: 'system' } });
    await vi.waitFor(() => expect(told).toContain('notifications/resources/updated'), { timeout: 8000 });
    expect(transport.sessionId).toBeDefined();

    const began = performance.now();
    await app.close();
    isClosed = true;
    expect(performance.now() - began).toBeLessThan(5000);
    const text = await words;
    expect(text).toContain('notifications/subscriptions/acknowledged');
    expect(text).toContain('notifications/resources/updated');
    expect(text).toContain('"resultType":"complete"');
    await client.close();
  }, 20_000);
});
