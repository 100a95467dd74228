import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { parseConfig } from '../../../src/config.ts';
import { adminKey, asAdmin, type TestApp } from '../../support/app.ts';
import { createBearerClient, newKeys } from '../../support/bearer-devices.ts';
import { ask, callTool, mcpUrl, sendText } from './client.ts';

let app: TestApp;
let reader: { authorization: string };
let writer: { authorization: string };
const metadata = 'http://127.0.0.1:3000/.well-known/oauth-protected-resource/api/v2/mcp';
const openTools = [
  'get_status',
  'list_components',
  'search_docs',
  'get_guide',
  'check_deliverability',
  'lookup_ip',
  'get_health',
];
const readingTools = ['list_sites', 'query_analytics', 'top_pages'];

async function keyWith(
  scope: 'analytics:read' | 'analytics:write',
): Promise<{ authorization: string }> {
  const { key } = await app.services.apiKeys.create({ name: scope, scopes: [scope] });
  return { authorization: `Bearer ${key}` };
}

async function toolsOf(headers: Record<string, string>): Promise<string[]> {
  const { body } = await ask(app, 'tools/list', {}, { headers });
  return (body.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

beforeAll(async () => {
  app = await sharedApp();
  [reader, writer] = [await keyWith('analytics:read'), await keyWith('analytics:write')];
}, 60_000);

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
    const answer = await app.http.inject(`/.well-known/oauth-protected-resource${suffix}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      resource: `http://127.0.0.1:3000${path}`,
      resource_name: 'Platform Service',
      scopes_supported: ['analytics:read', 'admin'],
      bearer_methods_supported: ['header'],
      resource_documentation: 'http://127.0.0.1:3000/developer/guides/mcp',
    });
  });

  it('refuses wrong keys, other schemes, and cookies', async () => {
    for (const authorization of ['Bearer svc_wrong', 'Basic YTpi']) {
      const { status, headers } = await ask(app, 'tools/list', {}, { headers: { authorization } });
      expect({
        authorization,
        status,
        includes: String(headers['www-authenticate']).includes('resource_metadata='),
      }).toEqual({ authorization, status: 401, includes: true });
    }
    const { user } = await app.services.users.signInAs({
      kind: 'email',
      key: 'eve@example.com',
      value: 'eve@example.com',
    });
    const { cookie } = await app.services.sessions.openCookie(user, {
      amr: ['otp'],
      acr: 'aal1',
      begun: Date.now(),
      client: 'x',
    });
    expect(
      (
        await ask(
          app,
          'tools/list',
          {},
          { headers: { cookie: `svc_session=${cookie}`, origin: 'http://127.0.0.1:3000' } },
        )
      ).status,
    ).toBe(401);
  });

  it('refuses pages of other sites, also with a rebound host name', async () => {
    const own = { ...asAdmin, host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' };
    expect((await ask(app, 'tools/list', {}, { headers: own })).status).toBe(200);
    const foreign = await ask(
      app,
      'tools/list',
      {},
      { headers: { ...own, origin: 'https://evil.example' } },
    );
    expect({ status: foreign.status, code: foreign.body.code }).toEqual({
      status: 403,
      code: 'mcp.bad_origin',
    });
    const rebound = await ask(
      app,
      'tools/list',
      {},
      { headers: { ...own, host: 'evil.example', origin: 'http://evil.example' } },
    );
    expect({ status: rebound.status, code: rebound.body.code }).toEqual({
      status: 403,
      code: 'mcp.bad_host',
    });
  });

  it('accepts access tokens; a bound token needs its proof', async () => {
    const admin = await createBearerClient(app, { email: 'ana@example.com', roles: ['admin'] });
    const bearer = { authorization: `Bearer ${admin.self.tokens.accessToken}` };
    expect(await toolsOf(bearer)).toEqual(openTools);
    const refused = await callTool(app, 'create_incident', { name: 'x', body: 'y' }, bearer);
    expect(refused).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringMatching(
            /blackops\.device_not_cleared.*\nNext: request approval of this device/,
          ) as string,
        },
      ],
    });
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
    expect(proved.status).toBe(406);
    expect(
      (
        await ask(
          app,
          'tools/list',
          {},
          { headers: { authorization: `Bearer ${client.self.tokens.accessToken}` } },
        )
      ).status,
    ).toBe(401);
  });
});

describe('a credential', () => {
  it('lists its allowed tools in a stable order, with complete schemas', async () => {
    expect(await toolsOf(writer)).toEqual(openTools);
    expect(await toolsOf(reader)).toEqual([
      'get_status',
      'list_components',
      ...readingTools,
      ...openTools.slice(2),
    ]);
    const { body } = await ask(app, 'tools/list', {}, { headers: asAdmin });
    const { tools, ...rest } = body.result as { tools: Record<string, unknown>[] };
    // 16 written by hand, and those of the resources.
    expect(tools).toHaveLength(50);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    expect(rest).toMatchObject({
      ttlMs: 300_000,
      cacheScope: 'private',
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'platform-service' } },
    });
    expect(JSON.stringify(tools)).not.toMatch(/\\p\{/i);
    for (const tool of tools) {
      expect(tool).toMatchObject({
        name: expect.stringMatching(/^[a-z]+(_[a-z]+)+$/) as string,
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: expect.any(Boolean) as boolean },
      });
    }
  });

  it('without the scope gets 403 with a challenge, and has no effect', async () => {
    const { status, headers, body } = await ask(
      app,
      'tools/call',
      { name: 'create_incident', arguments: { name: 'x', body: 'y' } },
      { headers: reader },
    );
    expect({ status, code: body.code, required_scope: body.required_scope }).toEqual({
      status: 403,
      code: 'request.forbidden',
      required_scope: 'admin',
    });
    expect(headers['www-authenticate']).toBe(
      'Bearer realm="svc", error="insufficient_scope", scope="admin", ' +
        `resource_metadata="${metadata}"`,
    );
    expect((await ask(app, 'tools/call', { name: 'list_sites' }, { headers: writer })).status).toBe(
      403,
    );
    const hidden = JSON.stringify([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_audit_log', arguments: {} },
      },
    ]);
    const batched = await sendText(app, hidden, {
      headers: { ...reader, 'mcp-protocol-version': '2025-03-26' },
    });
    expect({ status: batched.status, body: batched.body }).toMatchObject({
      status: 400,
      body: { error: { code: -32_600 } },
    });
    expect(app.services.status.state().incidents).toEqual([]);
  });

  it('shows users with sessions and devices to admins only', async () => {
    const { userId } = await createBearerClient(app, { email: 'grace@example.com' });
    const byAddress = await callTool(app, 'get_user', { identifier: 'Grace@Example.com' }, asAdmin);
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
    expect(
      (await callTool(app, 'get_user', { user_id: userId }, asAdmin)).structuredContent,
    ).toEqual(byAddress.structuredContent);
    for (const args of [
      {},
      { user_id: userId, identifier: 'grace@example.com' },
      { identifier: 'nobody@example.com' },
      { identifier: 'no address' },
      { user_id: '0198c0de-0000-7000-8000-000000000000' },
    ]) {
      const { isError, structuredContent } = await callTool(app, 'get_user', args, asAdmin);
      expect({ args, isError, structuredContent }).toEqual({
        args,
        isError: true,
        structuredContent: undefined,
      });
    }
    expect(
      (
        await ask(
          app,
          'tools/call',
          { name: 'get_user', arguments: { user_id: userId } },
          { headers: reader },
        )
      ).status,
    ).toBe(403);
    expect(JSON.stringify(byAddress)).not.toMatch(/svc[ar]_|token|hash/i);
    expect(app.log()).not.toContain('example.com');
  });

  it('lists its allowed prompts', async () => {
    const names = async (headers: Record<string, string>) =>
      (
        (await ask(app, 'prompts/list', {}, { headers })).body.result as {
          prompts: { name: string }[];
        }
      ).prompts.map(({ name }) => name);
    expect(await names(reader)).toEqual(['weekly_analytics_report']);
    expect(await names(asAdmin)).toEqual(['incident_update', 'weekly_analytics_report']);
    expect(
      (
        await ask(
          app,
          'prompts/get',
          { name: 'incident_update', arguments: { facts: 'x' } },
          { headers: reader },
        )
      ).body.error,
    ).toMatchObject({ code: -32_602 });
  });
});

describe('the protocol', () => {
  it.each<[string, Record<string, string | undefined>, number, number]>([
    ["a method in the header that is not the body's", { 'mcp-method': 'tools/call' }, 400, -32_020],
    ['no revision in the header', { 'mcp-protocol-version': undefined }, 400, -32_020],
    ['another revision in the header', { 'mcp-protocol-version': '2025-11-25' }, 400, -32_020],
  ])('refuses %s', async (_what, headers, status, code) => {
    const answer = await ask(app, 'tools/list', {}, { headers: { ...asAdmin, ...headers } });
    expect({ status: answer.status, code: (answer.body.error as { code: number }).code }).toEqual({
      status,
      code,
    });
  });

  it('refuses unknown methods, tools, resources and revisions with its own codes', async () => {
    const errorOf = async (method: string, params: Record<string, unknown>) => {
      const { status, body } = await ask(app, method, params, { headers: asAdmin });
      return [status, (body.error as { code: number } | undefined)?.code];
    };
    expect(await errorOf('tools/burn', {})).toEqual([404, -32_601]);
    expect(await errorOf('tools/call', { name: 'burn_it', arguments: {} })).toEqual([200, -32_602]);
    expect(await errorOf('resources/read', { uri: 'docs://guides/nothing' })).toEqual([
      200, -32_602,
    ]);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2031-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const future = await sendText(
      app,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
      { headers: { ...asAdmin, 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' } },
    );
    expect({ status: future.status, error: future.body.error }).toMatchObject({
      status: 400,
      error: { code: -32_022, data: { supported: ['2026-07-28'] } },
    });
  });

  it('returns resources with their cache lifetime', async () => {
    const { body } = await ask(
      app,
      'resources/read',
      { uri: 'status://summary' },
      { headers: writer },
    );
    expect(body.result).toMatchObject({
      ttlMs: 10_000,
      cacheScope: 'public',
      contents: [{ mimeType: 'application/json' }],
    });
    const openApi = await ask(
      app,
      'resources/read',
      { uri: 'openapi://document' },
      { headers: writer },
    );
    const [{ text }] = (openApi.body.result as { contents: [{ text: string }] }).contents;
    expect(JSON.parse(text)).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/v2/mcp': { post: { operationId: 'mcp.message' } } },
    });
  });

  it('refuses bodies that are invalid, too large or too deep', async () => {
    expect(await sendText(app, '{"jsonrpc":', { headers: asAdmin })).toMatchObject({
      status: 400,
      body: { error: { code: -32_700 } },
    });
    expect(
      await sendText(app, '['.repeat(5000) + ']'.repeat(5000), { headers: asAdmin }),
    ).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    expect(
      (await sendText(app, JSON.stringify({ a: 'x'.repeat(70_000) }), { headers: asAdmin })).status,
    ).toBe(413);
    expect(
      (
        await sendText(app, 'a=b', {
          headers: { ...asAdmin, 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).status,
    ).toBe(415);
    for (const method of ['GET', 'DELETE'] as const)
      expect(
        (
          await app.http.inject({
            method,
            url: mcpUrl,
            headers: { ...asAdmin, accept: 'text/event-stream' },
          })
        ).statusCode,
      ).toBe(405);
  });

  it('advises on wrong arguments without repeating them', async () => {
    const { isError, content } = await callTool(
      app,
      'top_pages',
      { site_id: 'nothing-here', secret_word: 1 },
      asAdmin,
    );
    expect({ isError, text: content[0]?.text }).toEqual({
      isError: true,
      text: expect.stringContaining('Next: correct them and call top_pages again.') as string,
    });
    expect(
      (await callTool(app, 'top_pages', { site_id: 'nothing-here' }, asAdmin)).content[0]?.text,
    ).toContain('Next: Call list_sites');
    expect(
      (await callTool(app, 'query_analytics', { site_id: 's', timezone: 'Mars/Base' }, asAdmin))
        .content[0]?.text,
    ).toContain('timezone: unknown time zone');
    expect(app.log()).not.toContain(adminKey);
  });

  it('answers no random message with a 5xx', async () => {
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.constantFrom(
          'tools/call',
          'tools/list',
          'initialize',
          'prompts/get',
          'resources/read',
          'completion/complete',
          'ping',
          'subscriptions/nothing',
        ),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              name: fc.constantFrom(
                'get_status',
                'lookup_ip',
                'top_pages',
                '__proto__',
                'constructor',
              ),
              arguments: fc.jsonValue(),
              uri: fc.string(),
              _meta: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    const bodies = fc.oneof(
      message.map((each) => JSON.stringify(each)),
      fc.array(message, { maxLength: 3 }).map((each) => JSON.stringify(each)),
      fc.json(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.constantFrom('2026-07-28', '2025-11-25', 'x'),
        async (body, version) => {
          const { status } = await sendText(app, body, {
            headers: { ...asAdmin, 'mcp-protocol-version': version },
          });
          expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 150 },
    );
    expect(app.log()).not.toContain('"level":"error"');
  });
});

it('refuses the conformance fixtures in production', () => {
  const production = {
    NODE_ENV: 'production',
    AUTH_SECRET: 'Kq7-4f1e7c92b7d84c0f-91ab5d3e6c2f4a80',
  };
  expect(() => parseConfig({ ...production, MCP_CONFORMANCE: '1' })).toThrow(/MCP_CONFORMANCE/);
  expect(parseConfig(production).MCP_CONFORMANCE).toBe(false);
});
