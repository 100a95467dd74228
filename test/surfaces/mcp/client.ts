import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import * as firstHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApp } from '../../support/app.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';

export const mcpUrl = '/api/v2/mcp';
export const accept = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
};
const info = { name: 'test', version: '1.0.0' };

interface Sent {
  url?: string;
  headers?: Record<string, string | undefined>;
}

/** Sends text as the body of a message. A header that is undefined is left out. */
export function sendText(
  app: TestApp,
  payload: string,
  { url = mcpUrl, headers = {} }: Sent = {},
): Promise<TestResponse> {
  const given = Object.entries<string | undefined>({ ...accept, ...headers });
  const present = given.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new TestClient(app).post(url, payload, { headers: Object.fromEntries(present) });
}

/**
 * Sends a request of the revision 2026-07-28. `headers` override the correct ones; undefined
 * removes one.
 */
export function ask(
  app: TestApp,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, ...sent }: Sent = {},
): Promise<TestResponse> {
  const name = params.name ?? params.uri;
  const right = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
  return sendText(
    app,
    JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: envelope } }),
    { ...sent, headers: { ...right, ...headers } },
  );
}

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Calls a tool with the revision 2026-07-28; returns its result. */
export async function callTool(
  app: TestApp,
  name: string,
  args: object,
  headers: Record<string, string>,
): Promise<ToolResult> {
  const { status, body } = await ask(app, 'tools/call', { name, arguments: args }, { headers });
  if (status !== 200 || body.result === undefined)
    throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
  return body.result as ToolResult;
}

/** Sends requests of the revision 2026-07-28 with these headers. */
export const mcpClient = (app: TestApp, headers: Record<string, string> = {}) => ({
  ask: (method: string, params: Record<string, unknown> = {}) =>
    ask(app, method, params, { headers }),
  /** Calls a tool; returns the response, such as a refusal. */
  tryTool: (name: string, args: object = {}) =>
    ask(app, 'tools/call', { name, arguments: args }, { headers }),
  /** Calls a tool; returns its result. */
  call: (name: string, args: object = {}) => callTool(app, name, args, headers),
});

/** Connects the current client of the SDK with an API key. */
export async function newClient(origin: string, key: string): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(origin + mcpUrl), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}

export async function oldClient(
  origin: string,
  key: string,
): Promise<{ client: FirstClient; transport: firstHttp.StreamableHTTPClientTransport }> {
  const client = new FirstClient(info);
  const transport = new firstHttp.StreamableHTTPClientTransport(new URL(`${origin}${mcpUrl}/`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return { client, transport };
}
