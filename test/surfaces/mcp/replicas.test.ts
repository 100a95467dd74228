import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { adminKey, asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { listen } from '../../support/sockets.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { accept, mcpUrl } from './client.ts';

const statusUri = 'status://summary';
const listed = { jsonrpc: '2.0', id: 5, method: 'tools/list' };

const originOf = async (app: FreshApp) => `http://127.0.0.1:${await listen(app)}`;

/** A client behind a load balancer that routes requests by `route`. */
async function createBalancedClient(route: (method: string, body: string) => string) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const notifications: string[] = [];
  client.fallbackNotificationHandler = (notification) =>
    Promise.resolve(void notifications.push(notification.method));
  const sent: string[] = [];
  const transport = new StreamableHTTPClientTransport(new URL(originA + mcpUrl), {
    requestInit: { headers: { authorization: `Bearer ${adminKey}` } },
    async fetch(_url, init) {
      const method = init?.method ?? 'GET';
      const origin = route(method, typeof init?.body === 'string' ? init.body : '');
      const answer = await fetch(origin + mcpUrl, init);
      sent.push(`${method} ${origin === originA ? 'A' : 'B'} ${answer.status}`);
      return answer;
    },
  });
  await client.connect(transport);
  return { client, transport, notifications, sent, id: transport.sessionId ?? '' };
}

/** Sends a raw request with a session id. */
function ask(
  origin: string,
  id: string,
  method: string,
  headers: Record<string, string> = asAdmin,
): Promise<Response> {
  const body = method === 'POST' ? JSON.stringify(listed) : null;
  return fetch(origin + mcpUrl, {
    method,
    body,
    headers: { ...accept, ...headers, 'mcp-session-id': id },
  });
}

/** Opens a session on the first replica, and then its stream. */
async function openStream(): Promise<{ id: string; stream: Response }> {
  const { client, id, sent } = await createBalancedClient(() => originA);
  await vi.waitFor(() => expect(sent).toContain('GET A 200'));
  await client.close();
  const stream = await vi.waitFor(async () => {
    const opened = await ask(originA, id, 'GET');
    expect(opened.status).toBe(200);
    return opened;
  });
  return { id, stream };
}

/**
 * The incident is only visible on the replica that opens it: replicas do not share their PGlite
 * databases.
 */
const openIncident = (app: FreshApp | undefined) =>
  app?.services.status.incidents.create(
    { name: 'Slow', status: 'investigating', body: 'We look into it.', components: [] },
    { actor: { kind: 'system' } },
  );

const env = {
  REDIS_URL: await testRedisUrl(),
  AUTH_SECRET: 'one secret of both replicas, long enough',
};
const first = await freshApp({ env });
const apps = [first, await freshApp({ env, databaseUrl: first.databaseUrl })];
const [originA = '', originB = ''] = await Promise.all(apps.map(originOf));
afterAll(() => Promise.all(apps.map((app) => app.close())), 30_000);

describe('a session opened on one replica', () => {
  it('continues on another: calls, its stream, and notifications', async () => {
    const elsewhere = (method: string, body: string) =>
      method === 'GET' || body.includes('tools/') ? originB : originA;
    const { client, notifications, sent } = await createBalancedClient(elsewhere);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_status');
    expect((await client.callTool({ name: 'get_status' })).structuredContent).toBeDefined();
    await vi.waitFor(() => expect(sent).toContain('GET B 200'));
    await client.subscribeResource({ uri: statusUri });
    await openIncident(apps[1]);
    await vi.waitFor(() => expect(notifications).toEqual(['notifications/resources/updated']), {
      timeout: 10_000,
    });
    await client.close();
  }, 30_000);

  it('has one stream, the newest on any replica', async () => {
    const { id, stream: first } = await openStream();
    const second = await ask(originB, id, 'GET');
    expect(second.status).toBe(200);
    await first.text();
    await second.body?.cancel();
  }, 30_000);

  it('ends on all replicas with its streams after DELETE on one', async () => {
    const { id, stream } = await openStream();
    expect((await ask(originB, id, 'DELETE')).status).toBe(200);
    await stream.text();
    for (const origin of [originA, originB]) {
      for (const method of ['POST', 'GET', 'DELETE'])
        expect((await ask(origin, id, method)).status).toBe(404);
    }
  }, 30_000);

  it('is refused to other callers on every replica', async () => {
    const { client, id } = await createBalancedClient(() => originA);
    const made = await apps[1]?.services.apiKeys.create({ name: 'other', scopes: ['admin'] });
    const { key = '' } = made ?? {};
    expect(key).not.toBe('');
    const other = { authorization: `Bearer ${key}` };
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await ask(originB, id, method, other)).status).toBe(404);
    expect((await ask(originB, id, 'POST')).status).toBe(200);
    await client.close();
  }, 30_000);
});
