import { describe, expect, it, vi } from 'vitest';
import { adminKey, asAdmin, freshApp } from '../../support/app.ts';
import { listen } from '../../support/sockets.ts';
import { accept, mcpUrl, oldClient } from './client.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Opens a stream of the revision 2026-07-28. */
const listenTo = (origin: string, credential: Record<string, string>) =>
  fetch(origin + mcpUrl, {
    method: 'POST',
    headers: {
      ...accept,
      ...credential,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'l',
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['status://summary'] }, _meta: meta },
    }),
  });

describe('streams', async () => {
  const app = await freshApp();
  const origin = `http://127.0.0.1:${await listen(app)}`;

  it('of a key are limited to 20, not affecting others, and end when it is revoked', async () => {
    const { apiKeys } = app.services;
    const { id, key } = await apiKeys.create({ name: 'many', scopes: ['analytics:read'] });
    const own = { authorization: `Bearer ${key}` };
    const open = [];
    for (let at = 0; at < 20; at += 1) open.push(await listenTo(origin, own));
    expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const refused = await listenTo(origin, own);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'mcp.too_many_streams' });
    const other = await listenTo(origin, asAdmin);
    expect(other.status).toBe(200);
    const ends = Promise.allSettled(open.map((stream) => stream.text()));
    await apiKeys.revoke(id);
    await ends;
    expect((await listenTo(origin, own)).status).toBe(401);
    await other.body?.cancel();
  }, 30_000);

  it('report status changes in both revisions, and end when the service stops', async () => {
    const { client, transport } = await oldClient(origin, adminKey);
    const notifications: string[] = [];
    client.fallbackNotificationHandler = (notification) =>
      Promise.resolve(void notifications.push(notification.method));
    await client.subscribeResource({ uri: 'status://summary' });
    const listening = await listenTo(origin, asAdmin);
    expect(Object.fromEntries(listening.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'cache-control': 'no-cache, no-transform',
    });
    const words = listening.text();
    await app.services.status.incidents.create(
      { name: 'x', status: 'investigating', body: 'y', components: [] },
      { actor: { kind: 'system' } },
    );
    await vi.waitFor(() => expect(notifications).toContain('notifications/resources/updated'), {
      timeout: 8000,
    });
    expect(transport.sessionId).toBeDefined();

    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(5000);
    const text = await words;
    expect(text).toContain('notifications/subscriptions/acknowledged');
    expect(text).toContain('notifications/resources/updated');
    expect(text).toContain('"resultType":"complete"');
    await client.close();
  }, 20_000);
});
