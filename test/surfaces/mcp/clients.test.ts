import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, browser, freshApp, type FreshApp } from '../../support/app.ts';
import { newClient, oldClient } from './client.ts';

const dayMs = 86_400_000;
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
let offset = 0;
let app: FreshApp;
let origin = '';
let key = '';

/** Sends page views, dated so that `yesterday` includes them. */
async function readPages(pages: readonly string[]): Promise<void> {
  for (const url of pages) {
    const answer = await fetch(`${origin}/analytics/track/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': browser },
      body: JSON.stringify({ event: 'pageview', url, site_id: 'shop' }),
    });
    expect(answer.status).toBe(200);
  }
}

beforeAll(async () => {
  app = await freshApp({ clock: { now: () => noon - dayMs + offset } });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  key = (await app.services.apiKeys.create({ name: 'assistant', scopes: ['analytics:read'] })).key;
  await readPages(['/pricing', '/docs', '/pricing', '/pricing']);
  await app.applied();
  offset = dayMs;
}, 60_000);
afterAll(() => app.close());

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
    const client = await newClient(origin, key);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('create_incident');
    const { structuredContent } = await client.callTool(question);
    expect(structuredContent).toMatchObject(expected);
    expect((structuredContent as { period: { from: string } }).period.from.slice(0, 10)).toBe(
      new Date(noon - dayMs).toISOString().slice(0, 10),
    );
    await expect(
      client.callTool({ name: 'create_incident', arguments: incident }),
    ).rejects.toThrow();
    await client.close();
  });

  it('opens an incident as admin, which /status shows, and resolves it', async () => {
    const client = await newClient(origin, adminKey);
    const opened = await client.callTool({ name: 'create_incident', arguments: incident });
    const {
      incident: { id },
    } = opened.structuredContent as { incident: { id: string } };
    expect(await (await fetch(`${origin}/status`)).text()).toContain('Checkout is slow');
    expect((await client.callTool({ name: 'get_status' })).structuredContent).toMatchObject({
      incidents: [{ id, status: 'identified' }],
    });
    await client.callTool({
      name: 'update_incident',
      arguments: { id, status: 'resolved', body: 'Payments are quick again.' },
    });
    expect((await client.callTool({ name: 'get_status' })).structuredContent).toMatchObject({
      incidents: [],
    });
    const { events } = (
      await client.callTool({ name: 'get_audit_log', arguments: { target_id: id } })
    ).structuredContent as { events: { action: string; actor: unknown }[] };
    expect(events.map(({ action, actor }) => [action, actor])).toContainEqual([
      'status.incident_created',
      { kind: 'api_key', id: 'env' },
    ]);
    await client.close();
  });

  it('reads the guides, and completes arguments of prompts', async () => {
    const client = await newClient(origin, key);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['status://summary', 'openapi://document', 'docs://guides/sign-in']),
    );
    const {
      contents: [guide],
    } = await client.readResource({ uri: 'docs://guides/sign-in' });
    expect(guide).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('# Sign-in and sessions') as string,
    });
    const { structuredContent } = await client.callTool({
      name: 'search_docs',
      arguments: { query: 'refresh token' },
    });
    expect(JSON.stringify(structuredContent)).toContain('docs://guides/sign-in');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'weekly_analytics_report' },
      argument: { name: 'site_id', value: 'sh' },
    });
    expect(completion.values).toEqual(['shop']);
    await client.close();
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
    expect(await (await fetch(`${origin}/status`)).text()).toContain('Mail is late');
    await admin.transport.terminateSession();
    await admin.client.close();
  });
});
