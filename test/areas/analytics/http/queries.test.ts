import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { queryFunctions } from '../../../../src/areas/analytics/store/queries.ts';
import type { SupervisedThread } from '../../../../src/areas/analytics/worker/supervised-thread.ts';
import { asAdmin } from '../../../support/app.ts';
import { listen } from '../../../support/sockets.ts';
import { beginRequest, exportUrl, newSite, useAnalytics, view } from '../support.ts';

const analytics = await useAnalytics();
const site = newSite();
const dashboard = `/analytics/dashboard/?site_id=${site}`;

await analytics.fill(view(site));
const sharePath = (await analytics.createShare(site)).path;
const port = await listen(analytics.app);

/** Replaces functions of the thread of the event store until the test ends. */
function replace(functions: Partial<SupervisedThread>): void {
  const { thread } = analytics.app.stores.pipeline;
  const before = { ...thread };
  onTestFinished(() => void Object.assign(thread, before));
  Object.assign(thread, functions);
}

/**
 * Replaces the event store with one that never answers: a query ends only when it is aborted.
 * Returns the abort signals of the queries it receives.
 */
function mockHangingStore(): AbortSignal[] {
  const signals: AbortSignal[] = [];
  const hang = (signal = new AbortController().signal) =>
    new Promise<never>((_resolve, reject) => {
      signals.push(signal);
      signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
  replace(queryFunctions((_name, _params, signal?: AbortSignal) => hang(signal)));
  return signals;
}

function send(
  method: string,
  path: string,
  { headers = asAdmin, body }: { headers?: Record<string, string>; body?: object } = {},
) {
  const type = body && { 'content-type': 'application/json' };
  const request = beginRequest(port, method, path, { ...headers, ...type });
  request.end(body && JSON.stringify(body));
  return request;
}

const mcpCall = {
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
const graphqlBody = { query: `{ dashboard(siteId: "${site}") { totals { visits } } }` };

describe('a query whose client disconnects', () => {
  it.each([
    ['the dashboard', () => send('GET', dashboard)],
    ['the list of sites', () => send('GET', '/analytics/sites')],
    ['goals', () => send('GET', `/analytics/goals?site_id=${site}`)],
    ['retention', () => send('GET', `/analytics/retention?site_id=${site}`)],
    ['a share link', () => send('GET', sharePath, { headers: {} })],
    ['GraphQL', () => send('POST', '/api/graphql/', { body: graphqlBody })],
    ['a tool of MCP', () => send('POST', '/api/v2/mcp', mcpCall)],
  ])('is aborted at once: %s', async (_name, start) => {
    const signals = mockHangingStore();
    const request = start();
    await vi.waitFor(() => expect(signals).toHaveLength(1), 5000);
    expect(signals[0]?.aborted).toBe(false);
    request.destroy();
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), 5000);
  });

  it('is aborted in the store thread too, and the next one is answered', async () => {
    const { thread } = analytics.app.stores.pipeline;
    // Keep the thread busy until the cancellation arrives, which is sent right after the query.
    const earlier = Array.from({ length: 100 }, () => thread.siteStats(null));
    await expect(thread.siteStats(null, AbortSignal.abort())).rejects.toThrow(
      'the query was canceled',
    );
    await Promise.all(earlier);
    expect(await thread.siteStats(null)).toHaveLength(1);
  });

  it('is aborted, too, when it is an export that has not sent its first chunk', async () => {
    const signals: AbortSignal[] = [];
    replace({
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
    });
    const request = send('POST', exportUrl, { body: {} });
    await vi.waitFor(() => expect(signals).toHaveLength(1), 5000);
    request.destroy();
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), 5000);
  });
});

describe('queries through a share link', () => {
  it('that hang leave slots to others, and beyond five waiting get 429', async () => {
    const signals = mockHangingStore();
    const responses: IncomingMessage[] = [];
    const slow = Array.from({ length: 7 }, () =>
      send('GET', sharePath, { headers: {} }).on('response', (answer) => responses.push(answer)),
    );
    await vi.waitFor(() => expect(responses).toHaveLength(2), 5000);
    for (const response of responses)
      expect(response).toMatchObject({ statusCode: 429, headers: { 'retry-after': '5' } });
    expect(signals).toHaveLength(1);
    const admins = send('GET', dashboard);
    await vi.waitFor(() => expect(signals).toHaveLength(2), 5000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    for (const request of [...slow, admins]) request.destroy();
    // A query that waited may still begin before its client is known to be gone.
    await vi.waitFor(() => expect(signals.every(({ aborted }) => aborted)).toBe(true), 5000);
  });

  it('may have ten filters but no regular expressions: 422 names the operators', async () => {
    const open = (...filters: string[]) =>
      analytics.tracker.get(
        `${sharePath}?${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`,
      );
    expect(await open('page:contains:/')).toMatchObject({ status: 200 });
    for (const operator of ['matches', 'matches_not']) {
      expect(await open(`page:${operator}:^/a`)).toMatchObject({
        status: 422,
        text: expect.stringContaining('is, is_not, contains, contains_not') as string,
      });
      expect(await open('source:is:x', `page:${operator}:^/a`)).toMatchObject({ status: 422 });
    }
    const ten = Array.from({ length: 10 }, (_, at) => `page:is_not:/${at}`);
    expect(await open(...ten)).toMatchObject({ status: 200 });
    expect(await open(...ten, 'page:is:/')).toMatchObject({ status: 422 });
  });
});
