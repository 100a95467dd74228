import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SupervisedThread } from '../../../../src/areas/analytics/worker/supervised-thread.ts';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest } from './ingest-client.ts';

const site = newSite();
const json = { 'content-type': 'application/json' };
let client: IngestClient;
let port: number;
let sharePath: string;

beforeAll(async () => {
  client = await openIngest();
  await client.store(batch, { events: [{ event: 'pageview', url: '/', site_id: site }] }, asAdmin);
  await client.app.applied();
  const share = await client.ask('POST', `/analytics/sites/${site}/shares`, asAdmin, {
    name: 'The agency',
  });
  sharePath = new URL(String(share.body.url)).pathname;
  await client.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (client.app.http.server.address() as AddressInfo).port;
});
afterAll(() => client.close());

/**
 * Replaces the event store with one that never answers: a query ends only when it is aborted.
 * Returns the abort signals of the queries it receives.
 */
function mockHangingStore(): AbortSignal[] {
  const signals: AbortSignal[] = [];
  const { thread } = client.app.stores.pipeline;
  const before = { ...thread };
  onTestFinished(() => void Object.assign(thread, before));
  const hang = (_question: unknown, signal = new AbortController().signal) =>
    new Promise<never>((_resolve, reject) => {
      signals.push(signal);
      signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
  const replaced: Partial<SupervisedThread> = {
    dashboard: hang,
    goals: hang,
    retention: hang,
    funnel: hang,
    siteStats: (signal) => hang(undefined, signal),
  };
  Object.assign(thread, replaced);
  return signals;
}

interface OutgoingRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

function send({ method, path, headers = asAdmin, body }: OutgoingRequest) {
  const request = httpRequest({
    port,
    method,
    path,
    agent: false,
    headers: { ...headers, ...(body === undefined ? {} : json) },
  });
  request.on('error', () => undefined);
  request.end(body === undefined ? undefined : JSON.stringify(body));
  return request;
}

const mcpCall = {
  method: 'POST',
  path: '/api/v2/mcp',
  headers: {
    ...asAdmin,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'query_analytics',
  },
  body: {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: {
      name: 'query_analytics',
      arguments: { site_id: site },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      },
    },
  },
};

describe('a query whose client disconnects', () => {
  it.each<[string, () => OutgoingRequest]>([
    ['the dashboard', () => ({ method: 'GET', path: `/analytics/dashboard/?site_id=${site}` })],
    ['the list of sites', () => ({ method: 'GET', path: '/analytics/sites' })],
    ['goals', () => ({ method: 'GET', path: `/analytics/goals?site_id=${site}` })],
    ['retention', () => ({ method: 'GET', path: `/analytics/retention?site_id=${site}` })],
    ['a share link', () => ({ method: 'GET', path: sharePath, headers: {} })],
    [
      'GraphQL',
      () => ({
        method: 'POST',
        path: '/api/graphql/',
        body: { query: `{ dashboard(siteId: "${site}") { totals { visits } } }` },
      }),
    ],
    ['a tool of MCP', () => mcpCall],
  ])('is aborted at once: %s', async (_name, createRequest) => {
    const signals = mockHangingStore();
    const request = send(createRequest());
    await vi.waitFor(() => expect(signals).toHaveLength(1), 5000);
    expect(signals[0]?.aborted).toBe(false);
    request.destroy();
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), 5000);
  });

  it('is aborted in the store thread too, and the next one is answered', async () => {
    const { thread } = client.app.stores.pipeline;
    // Keep the thread busy until the cancellation arrives, which is sent right after the query.
    const earlier = Array.from({ length: 100 }, () => thread.siteStats());
    await expect(thread.siteStats(AbortSignal.abort())).rejects.toThrow('taken back');
    await Promise.all(earlier);
    expect(await thread.siteStats()).toHaveLength(1);
  });
});

describe('queries through a share link', () => {
  it('that hang leave slots to others, and beyond five waiting get 429', async () => {
    const signals = mockHangingStore();
    const responses: IncomingMessage[] = [];
    const slow = Array.from({ length: 7 }, () =>
      send({ method: 'GET', path: sharePath, headers: {} }).on('response', (answer) =>
        responses.push(answer),
      ),
    );
    await vi.waitFor(() => expect(responses).toHaveLength(2), 5000);
    expect(
      responses.map(({ statusCode, headers }) => [statusCode, headers['retry-after']]),
    ).toEqual([
      [429, '5'],
      [429, '5'],
    ]);
    expect(signals).toHaveLength(1);
    const admins = send({ method: 'GET', path: `/analytics/dashboard/?site_id=${site}` });
    await vi.waitFor(() => expect(signals).toHaveLength(2), 5000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    for (const request of [...slow, admins]) request.destroy();
    // A query that waited may still begin before its client is known to be gone.
    await vi.waitFor(() => expect(signals.every(({ aborted }) => aborted)).toBe(true), 5000);
  });

  it('may have ten filters but no regular expressions: 422 names the operators', async () => {
    const open = (...filters: string[]) =>
      client.ask(
        'GET',
        `${sharePath}?${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`,
      );
    for (const operator of ['matches', 'matches_not']) {
      const answer = await open(`page:${operator}:^/a`);
      expect({ status: answer.status, text: answer.text }).toEqual({
        status: 422,
        text: expect.stringContaining('is, is_not, contains, contains_not') as string,
      });
      expect((await open('source:is:x', `page:${operator}:^/a`)).status).toBe(422);
    }
    const ten = Array.from({ length: 10 }, (_, at) => `page:is_not:/${at}`);
    expect((await open(...ten)).status).toBe(200);
    expect((await open(...ten, 'page:is:/')).status).toBe(422);
  });
});

it('an export whose client disconnects before the first chunk is aborted too', async () => {
  const { thread } = client.app.stores.pipeline;
  const before = { ...thread };
  onTestFinished(() => void Object.assign(thread, before));
  const signals: AbortSignal[] = [];
  Object.assign(thread, {
    async *export(_query, { signal, settled }) {
      signals.push(signal);
      try {
        await once(signal, 'abort');
      } finally {
        settled();
      }
      signal.throwIfAborted();
      yield new Uint8Array();
      return 0;
    },
  } satisfies Pick<SupervisedThread, 'export'>);
  const request = send({ method: 'POST', path: '/analytics/export/events/', body: {} });
  await vi.waitFor(() => expect(signals).toHaveLength(1), 5000);
  request.destroy();
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), 5000);
});
