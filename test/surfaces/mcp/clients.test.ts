import { describe, expect, it, onTestFinished } from 'vitest';
import { dayMs } from '../../../src/lib/durations.ts';
import { clockFromNoon } from '../../support/clock.ts';
import { TestClient } from '../../support/client.ts';
import { listen } from '../../support/sockets.ts';
import { adminKey, browser, freshApp } from '../../support/app.ts';
import { newClient, oldClient } from './client.ts';

const noon = clockFromNoon();
// The page views are dated so that `yesterday` includes them.
let offset = -dayMs;

const app = await freshApp({ clock: { now: () => noon.now() + offset } });
const origin = `http://127.0.0.1:${await listen(app)}`;
const { apiKeys } = app.services;
const { key } = await apiKeys.create({ name: 'assistant', scopes: ['analytics:read'] });
const visitor = new TestClient(app).as({ 'user-agent': browser });
for (const url of ['/pricing', '/docs', '/pricing', '/pricing']) {
  const event = { event: 'pageview', url, site_id: 'shop' };
  expect((await visitor.post('/analytics/track/', event)).status).toBe(200);
}
await app.applied();
offset = 0;

const statusPage = async () => (await new TestClient(app).page('/status')).text;
/** Connects the SDK's client of 2026-07-28, until the test ends. */
async function connect(credential: string) {
  const client = await newClient(origin, credential);
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent as object,
  };
}

const expected = {
  site_id: 'shop',
  pages: [
    { page: '/pricing', visitors: 1, pageviews: 3 },
    { page: '/docs', visitors: 1, pageviews: 1 },
  ],
};
const question = { name: 'top_pages', arguments: { site_id: 'shop', period: 'yesterday' } };
const incident = {
  name: 'Checkout is slow',
  status: 'identified',
  body: 'Payments take longer than usual.',
  components: [],
};

describe("the SDK's client of 2026-07-28", () => {
  it("gets yesterday's top pages with a key with analytics:read", async () => {
    const { client, call } = await connect(key);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('create_incident');
    const result = await call(question.name, question.arguments);
    expect(result).toMatchObject(expected);
    expect((result as { period: { from: string } }).period.from.slice(0, 10)).toBe(
      new Date(noon.now() - dayMs).toISOString().slice(0, 10),
    );
    await expect(call('create_incident', incident)).rejects.toThrow();
  });

  it('opens an incident as admin, which /status shows, and resolves it', async () => {
    const { call } = await connect(adminKey);
    const opened = await call('create_incident', incident);
    const { id } = (opened as { incident: { id: string } }).incident;
    expect(await statusPage()).toContain('Checkout is slow');
    expect(await call('get_status')).toMatchObject({ incidents: [{ id, status: 'identified' }] });
    const resolution = { id, status: 'resolved', body: 'Payments are quick again.' };
    await call('update_incident', resolution);
    expect(await call('get_status')).toMatchObject({ incidents: [] });
    const created = { action: 'status.incident_created', actor: { kind: 'api_key', id: 'env' } };
    expect(await call('get_audit_log', { target_id: id })).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining(created)]) as unknown,
    });
  });

  it('reads the guides, and completes arguments of prompts', async () => {
    const { client, call } = await connect(key);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['status://summary', 'openapi://document', 'docs://guides/sign-in']),
    );
    const { contents } = await client.readResource({ uri: 'docs://guides/sign-in' });
    expect(contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('# Sign-in and sessions') as string,
    });
    const found = await call('search_docs', { query: 'refresh token' });
    expect(JSON.stringify(found)).toContain('docs://guides/sign-in');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'weekly_analytics_report' },
      argument: { name: 'site_id', value: 'sh' },
    });
    expect(completion.values).toEqual(['shop']);
  });
});

describe("the SDK's client of earlier revisions", () => {
  it('reads figures and opens an incident in a session', async () => {
    const { client, transport } = await oldClient(origin, key);
    expect(transport.sessionId).toMatch(/^[0-9a-f-]{36}\.[\w-]{22}$/);
    await client.listTools();
    expect((await client.callTool(question)).structuredContent).toMatchObject(expected);
    await client.close();
    expect(transport.protocolVersion).toBe('2025-11-25');
    const admin = await oldClient(origin, adminKey);
    const opened = await admin.client.callTool({
      name: 'create_incident',
      arguments: { ...incident, name: 'Mail is late' },
    });
    expect(opened.structuredContent).toMatchObject({ incident: { name: 'Mail is late' } });
    expect(await statusPage()).toContain('Mail is late');
    await admin.transport.terminateSession();
    await admin.client.close();
  });
});
