import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { adminKey, asAdmin } from '../../support/app.ts';
import { createBearerClient, newKeys } from '../../support/bearer-devices.ts';
import { TestClient } from '../../support/client.ts';
import { openCookie } from '../../support/sign-in.ts';
import { ask, mcpClient, mcpUrl, sendText } from './client.ts';

type McpClient = ReturnType<typeof mcpClient>;

const metadata = 'http://127.0.0.1:3000/.well-known/oauth-protected-resource/api/v2/mcp';
const statusTools = ['get_status', 'list_components'];
const readingTools = ['list_sites', 'query_analytics', 'top_pages'];
const otherTools = ['search_docs', 'get_guide', 'check_deliverability', 'lookup_ip', 'get_health'];
const openTools = [...statusTools, ...otherTools];
const incident = { name: 'x', body: 'y' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function withKey(scope: 'analytics:read' | 'analytics:write'): Promise<McpClient> {
  const { key } = await app.services.apiKeys.create({ name: scope, scopes: [scope] });
  return mcpClient(app, bearer(key));
}

async function toolsOf(client: McpClient): Promise<string[]> {
  const { body } = await client.ask('tools/list');
  return (body.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
}
const statusWith = async (headers: Record<string, string>) =>
  (await mcpClient(app, headers).ask('tools/list')).status;

const app = await sharedApp();
const admin = mcpClient(app, asAdmin);
const [reader, writer] = [await withKey('analytics:read'), await withKey('analytics:write')];

describe('authentication', () => {
  it.each([
    [mcpUrl, metadata],
    [`${mcpUrl}/`, `${metadata}/`],
    [`${mcpUrl}?a=b`, metadata],
  ])('at %s links to the metadata of the resource', async (url, where) => {
    const { status, headers } = await ask(app, 'tools/list', {}, { url });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="svc", resource_metadata="${where}", scope="analytics:read"`,
    );
  });

  it.each([
    ['', '/api/v2/mcp'],
    ['/api/v2/mcp', '/api/v2/mcp'],
    ['/api/v2/mcp/', '/api/v2/mcp/'],
  ])('serves metadata%s with the matching resource URL', async (suffix, path) => {
    const url = `/.well-known/oauth-protected-resource${suffix}`;
    const { status, body } = await new TestClient(app).get(url);
    expect(status).toBe(200);
    expect(body).toEqual({
      resource: `http://127.0.0.1:3000${path}`,
      resource_name: 'Platform Service',
      scopes_supported: ['analytics:read', 'admin'],
      bearer_methods_supported: ['header'],
      resource_documentation: 'http://127.0.0.1:3000/developer/guides/mcp',
    });
  });

  it.each(['Bearer svc_wrong', 'Basic YTpi'])('refuses %s', async (authorization) => {
    const { status, headers } = await mcpClient(app, { authorization }).ask('tools/list');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('resource_metadata=');
  });

  it('refuses cookies', async () => {
    const { headers } = await openCookie(app, 'eve@example.com');
    expect(await statusWith({ ...headers, origin: 'http://127.0.0.1:3000' })).toBe(401);
  });

  it('refuses pages of other sites, also with a rebound host name', async () => {
    const own = { ...asAdmin, host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' };
    expect(await statusWith(own)).toBe(200);
    const foreign = { ...own, origin: 'https://evil.example' };
    expect(await mcpClient(app, foreign).ask('tools/list')).toBeProblem(403, 'mcp.bad_origin');
    const rebound = { ...own, host: 'evil.example', origin: 'http://evil.example' };
    expect(await mcpClient(app, rebound).ask('tools/list')).toBeProblem(403, 'mcp.bad_host');
  });

  it('accepts access tokens; a bound token needs its proof', async () => {
    const { self } = await createBearerClient(app, { email: 'ana@example.com', roles: ['admin'] });
    const program = mcpClient(app, bearer(self.tokens.accessToken));
    expect(await toolsOf(program)).toEqual(openTools);
    const { isError, content } = await program.call('create_incident', incident);
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(
      /blackops\.device_not_cleared.*\nNext: request approval of this device/,
    );
    expect(app.services.status.state().incidents).toEqual([]);

    const client = await createBearerClient(app, { email: 'bo@example.com' });
    const keys = await newKeys();
    expect((await client.ask({ keys })).status).toBe(200);
    const proved = await client.call(mcpUrl, {
      method: 'POST',
      scheme: 'DPoP',
      keys,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_health' } },
    });
    expect(proved.status).toBe(200);
    expect(await statusWith(bearer(client.self.tokens.accessToken))).toBe(401);
  });
});

describe('a credential', () => {
  it('lists its allowed tools in a stable order, with complete schemas', async () => {
    expect(await toolsOf(writer)).toEqual(openTools);
    expect(await toolsOf(reader)).toEqual([...statusTools, ...readingTools, ...otherTools]);
    const { body } = await admin.ask('tools/list');
    const { tools, ...rest } = body.result as { tools: Record<string, unknown>[] };
    // 16 written by hand, those of the resources, and 11 made from operations.
    expect(tools).toHaveLength(61);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    expect(rest).toMatchObject({
      ttlMs: 300_000,
      cacheScope: 'private',
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'platform-service' } },
    });
    expect(JSON.stringify(tools)).not.toMatch(/\\p\{/i);
    for (const tool of tools)
      expect(tool).toMatchObject({
        name: expect.stringMatching(/^[a-z]+(_[a-z]+)+$/) as string,
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: expect.any(Boolean) as boolean },
      });
  });

  it('without the scope gets 403 with a challenge, and has no effect', async () => {
    const refused = await reader.tryTool('create_incident', incident);
    expect(refused).toBeProblem(403, 'request.forbidden');
    expect(refused.body).toMatchObject({ required_scope: 'admin' });
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer realm="svc", error="insufficient_scope", scope="admin", ' +
        `resource_metadata="${metadata}"`,
    );
    expect((await writer.tryTool('list_sites')).status).toBe(403);
    const { key } = await app.services.apiKeys.create({ name: 'r', scopes: ['analytics:read'] });
    const params = { name: 'get_audit_log', arguments: {} };
    const hidden = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }]);
    const batched = await sendText(app, hidden, {
      headers: { ...bearer(key), 'mcp-protocol-version': '2025-03-26' },
    });
    expect(batched).toMatchObject({ status: 400, body: { error: { code: -32_600 } } });
    expect(app.services.status.state().incidents).toEqual([]);
  });

  it('shows users with sessions and devices to admins only', async () => {
    const { userId } = await createBearerClient(app, { email: 'grace@example.com' });
    const byAddress = await admin.call('get_user', { identifier: 'Grace@Example.com' });
    expect(byAddress.structuredContent).toMatchObject({
      user: {
        id: userId,
        roles: [],
        disabled_at: null,
        ways: [{ kind: 'email', value: 'grace@example.com' }],
      },
      sessions: [{ via: 'bearer' }],
      devices: [],
    });
    const byId = await admin.call('get_user', { user_id: userId });
    expect(byId.structuredContent).toEqual(byAddress.structuredContent);
    for (const args of [
      {},
      { user_id: userId, identifier: 'grace@example.com' },
      { identifier: 'nobody@example.com' },
      { identifier: 'no address' },
      { user_id: '0198c0de-0000-7000-8000-000000000000' },
    ]) {
      const { isError, structuredContent } = await admin.call('get_user', args);
      expect(isError, JSON.stringify(args)).toBe(true);
      expect(structuredContent).toBeUndefined();
    }
    expect((await reader.tryTool('get_user', { user_id: userId })).status).toBe(403);
    expect(JSON.stringify(byAddress)).not.toMatch(/svc[ar]_|token|hash/i);
    expect(app.log()).not.toContain('example.com');
  });

  it('lists its allowed prompts', async () => {
    const names = async (client: McpClient) => {
      const { body } = await client.ask('prompts/list');
      return (body.result as { prompts: { name: string }[] }).prompts.map(({ name }) => name);
    };
    expect(await names(reader)).toEqual(['weekly_analytics_report']);
    expect(await names(admin)).toEqual(['incident_update', 'weekly_analytics_report']);
    const prompt = { name: 'incident_update', arguments: { facts: 'x' } };
    expect((await reader.ask('prompts/get', prompt)).body).toMatchObject({
      error: { code: -32_602 },
    });
  });
});

describe('the protocol', () => {
  it.each<[string, Record<string, string | undefined>]>([
    ["a method in the header that is not the body's", { 'mcp-method': 'tools/call' }],
    ['no revision in the header', { 'mcp-protocol-version': undefined }],
    ['another revision in the header', { 'mcp-protocol-version': '2025-11-25' }],
  ])('refuses %s', async (_what, headers) => {
    const answer = await ask(app, 'tools/list', {}, { headers: { ...asAdmin, ...headers } });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32_020 } } });
  });

  it.each<[string, string, Record<string, unknown>, number, number]>([
    ['methods', 'tools/burn', {}, 404, -32_601],
    ['tools', 'tools/call', { name: 'burn_it', arguments: {} }, 200, -32_602],
    ['resources', 'resources/read', { uri: 'docs://guides/nothing' }, 200, -32_602],
  ])('refuses unknown %s', async (_what, method, params, status, code) => {
    expect(await admin.ask(method, params)).toMatchObject({ status, body: { error: { code } } });
  });

  it('refuses unknown revisions, and names those that it supports', async () => {
    const revision = '2031-01-01';
    const meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };
    const future = await sendText(app, JSON.stringify(message), {
      headers: { ...asAdmin, 'mcp-protocol-version': revision, 'mcp-method': 'tools/list' },
    });
    expect(future).toMatchObject({
      status: 400,
      body: { error: { code: -32_022, data: { supported: ['2026-07-28'] } } },
    });
  });

  it('returns resources with their cache lifetime', async () => {
    const { body } = await writer.ask('resources/read', { uri: 'status://summary' });
    expect(body.result).toMatchObject({
      ttlMs: 10_000,
      cacheScope: 'public',
      contents: [{ mimeType: 'application/json' }],
    });
    const openApi = await writer.ask('resources/read', { uri: 'openapi://document' });
    const [{ text }] = (openApi.body.result as { contents: [{ text: string }] }).contents;
    expect(JSON.parse(text)).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/v2/mcp': { post: { operationId: 'mcp.message' } } },
    });
  });

  it.each([
    ['invalid', '{"jsonrpc":', 400],
    ['too deep', '['.repeat(5000) + ']'.repeat(5000), 400],
    ['too large', JSON.stringify({ a: 'x'.repeat(70_000) }), 413],
  ])('refuses bodies that are %s', async (_what, payload, status) => {
    const refused = await sendText(app, payload, { headers: asAdmin });
    expect(refused.status).toBe(status);
    if (status === 400) expect(refused.body).toMatchObject({ error: { code: -32_700 } });
  });

  it('refuses forms and other methods', async () => {
    const form = { ...asAdmin, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await sendText(app, 'a=b', { headers: form })).status).toBe(415);
    const client = new TestClient(app).as({ ...asAdmin, accept: 'text/event-stream' });
    for (const method of ['GET', 'DELETE'] as const)
      expect((await client.send(method, mcpUrl)).status).toBe(405);
  });

  it('advises on wrong arguments without repeating them', async () => {
    const adviceTo = async (name: string, args: object) =>
      (await admin.call(name, args)).content[0]?.text;
    const wrong = await admin.call('top_pages', { site_id: 'nothing-here', secret_word: 1 });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]?.text).toContain('Next: correct them and call top_pages again.');
    expect(await adviceTo('top_pages', { site_id: 'nothing-here' })).toContain(
      'Next: Call list_sites',
    );
    expect(await adviceTo('query_analytics', { site_id: 's', timezone: 'Mars/Base' })).toContain(
      'timezone: unknown time zone',
    );
    expect(app.log()).not.toContain(adminKey);
  });

  it('answers no random message with a 5xx', async () => {
    const methods =
      'tools/call tools/list initialize prompts/get resources/read completion/complete ping ' +
      'subscriptions/nothing';
    const names = 'get_status lookup_ip top_pages __proto__ constructor';
    const params = fc.record(
      {
        name: fc.constantFrom(...names.split(' ')),
        arguments: fc.jsonValue(),
        uri: fc.string(),
        _meta: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.constantFrom(...methods.split(' ')),
        params: fc.oneof(fc.jsonValue(), params),
      },
      { requiredKeys: [] },
    );
    const bodies = fc.oneof(
      message.map((each) => JSON.stringify(each)),
      fc.array(message, { maxLength: 3 }).map((each) => JSON.stringify(each)),
      fc.json(),
      fc.string(),
    );
    const versions = fc.constantFrom('2026-07-28', '2025-11-25', 'x');
    await fc.assert(
      fc.asyncProperty(bodies, versions, async (body, version) => {
        const headers = { ...asAdmin, 'mcp-protocol-version': version };
        expect((await sendText(app, body, { headers })).status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
    expect(app.log()).not.toContain('"level":"error"');
  });
});

describe('the schemas of tools', () => {
  it('have patterns without look-around, which engines of generated clients lack', async () => {
    const { text } = await admin.ask('tools/list');
    expect(text).toContain('pattern');
    expect(text.match(/"pattern":"[^"]*\(\?[=!<][^"]*"/g)).toBeNull();
  });
});
