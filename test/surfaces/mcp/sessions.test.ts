import * as sdk from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../src/surfaces/mcp/caller.ts';
import { createServers } from '../../../src/surfaces/mcp/server.ts';
import { createSessionRecords } from '../../../src/surfaces/mcp/sessions/session-records.ts';
import { createSessionIds } from '../../../src/surfaces/mcp/sessions/session-ids.ts';
import { createSessions } from '../../../src/surfaces/mcp/sessions/sessions.ts';
import { systemRequester } from '../../../src/platform/http/requests/requester.ts';
import { redisReady } from '../../../src/platform/redis/redis.ts';
import { isStoreUnavailable } from '../../../src/platform/errors/store-failures.ts';
import { replica } from '../../platform/bus/replica.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { startTestRedis } from '../../support/redis-server.ts';
import { accept } from './client.ts';

const key = Buffer.alloc(32, 1);
const callerNamed = (id: string): Caller => ({
  principal: { kind: 'api_key', id, scopes: [] },
  notCleared: undefined,
  address: '192.0.2.1',
  requestId: 'r',
  requester: systemRequester('test'),
});
const [ada, bob] = [callerNamed('ada'), callerNamed('bob')];
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
};
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

interface ReplicaOptions {
  maxSessions?: number;
  perOwner?: number;
  idleMs?: number;
  /** URL of Redis. Services with the same URL are replicas. */
  url?: string;
}

const status = { uri: 'status://summary', name: 'status' };
const resources = [{ definition: status, read: () => Promise.resolve({ contents: [] }) }];

async function openSessions({
  maxSessions = 3,
  perOwner = 2,
  idleMs = 60_000,
  url,
}: ReplicaOptions = {}) {
  const callers = new WeakMap<Request, Caller>();
  const servers = createServers(sdk, {
    catalogue: { tools: [], resources, templates: [], prompts: [] },
    info: { name: 'x', version: '1' },
    instructions: '',
    callerOf: (request) => callers.get(request),
  });
  const onError = () => undefined;
  const stateless = sdk.legacyStatelessFallback(() => servers.create(), onError);
  const { bus, redis } = await replica(url ?? (await testRedisUrl()));
  const records = createSessionRecords(redis, { perOwner, idleMs });
  const sessions = createSessions({
    sdk,
    servers,
    key,
    onError,
    maxSessions,
    records,
    signals: bus,
    stateless: (request, parsedBody) => stateless(request, { parsedBody }),
  });
  async function fetch(body: unknown, caller: Caller, id?: string, method = 'POST') {
    const request = new Request('http://here/mcp', {
      method,
      headers: { ...accept, ...(id === undefined ? {} : { 'mcp-session-id': id }) },
    });
    callers.set(request, caller);
    return sessions.answer(request, body, caller);
  }
  async function send(body: unknown, caller: Caller, id?: string, method = 'POST') {
    const response = await fetch(body, caller, id, method);
    // The response to a message is a stream that ends after it.
    if (method === 'POST') await response.text();
    return { status: response.status, id: response.headers.get('mcp-session-id') ?? '' };
  }
  return { sessions, send, fetch, redis };
}

async function openReplicas(address?: string) {
  const url = address ?? (await testRedisUrl());
  return [await openSessions({ url }), await openSessions({ url })] as const;
}

const subscribe = {
  jsonrpc: '2.0',
  id: 3,
  method: 'resources/subscribe',
  params: { uri: status.uri },
};

describe('a session', () => {
  it('belongs to its owner; unknown, ended and foreign sessions are 404', async () => {
    const { sessions, send } = await openSessions();
    const { status: opened, id } = await send(initialize, ada);
    expect(opened).toBe(200);
    expect(id).not.toBe('');
    expect((await send(list, ada, id)).status).toBe(200);
    expect((await send(list, bob, id)).status).toBe(404);
    expect((await send(list, ada, 'made-up')).status).toBe(404);
    expect(
      (await send(list, ada, createSessionIds(Buffer.alloc(32, 2)).create('api_key ada'))).status,
    ).toBe(404);
    expect((await send(undefined, ada, id, 'DELETE')).status).toBe(200);
    expect((await send(list, ada, id)).status).toBe(404);
    expect(sessions.count()).toBe(0);
  });

  it('that has expired in Redis still answers what needs no session; the rest is 404', async () => {
    const { id } = await (await openSessions()).send(initialize, ada);
    const { sessions, send } = await openSessions();
    expect((await send(list, ada, id)).status).toBe(200);
    expect((await send(subscribe, ada, id)).status).toBe(404);
    expect((await send(undefined, ada, id, 'GET')).status).toBe(404);
    expect((await send({ jsonrpc: '2.0', id: 3, result: {} }, ada, id)).status).toBe(404);
    expect((await send(list, bob, id)).status).toBe(404);
    expect(sessions.count()).toBe(0);
  });

  it('is dropped as the least recently used of its owner when there are too many', async () => {
    const { sessions, send, redis } = await openSessions();
    const ids: string[] = [];
    for (let opened = 0; opened < 5; opened += 1) ids.push((await send(initialize, ada)).id);
    expect(sessions.count()).toBe(2);
    expect(await redis.zrange('mcp:{api_key ada}:sessions', '0', '-1')).toEqual(ids.slice(3));
    expect((await redis.keys('mcp:*')).sort()).toEqual(
      ['sessions', ...ids.slice(3)].map((name) => `mcp:{api_key ada}:${name}`).sort(),
    );
    await send(initialize, bob);
    await send(initialize, bob);
    expect(sessions.count()).toBe(3);
    expect((await send(list, ada, ids[0])).status).toBe(200);
    sessions.close();
    expect(sessions.count()).toBe(0);
  });

  it('expires when idle', async () => {
    const { sessions, send, redis } = await openSessions({
      maxSessions: 10,
      perOwner: 10,
      idleMs: 20,
    });
    await send(initialize, ada);
    await vi.waitFor(
      async () => {
        sessions.purge();
        expect(sessions.count()).toBe(0);
        expect(await redis.keys('mcp:*')).toEqual([]);
      },
      { timeout: 10_000 },
    );
  });
});

describe('a session of another replica', () => {
  it('is adopted once by concurrent requests, with its subscriptions', async () => {
    const [a, b] = await openReplicas();
    const { id } = await a.send(initialize, ada);
    expect((await a.send(subscribe, ada, id)).status).toBe(200);
    const [stream, answer] = await Promise.all([
      b.fetch(undefined, ada, id, 'GET'),
      b.send(list, ada, id),
    ]);
    for (const { status: answered } of [stream, answer]) expect(answered).toBe(200);
    expect(b.sessions.count()).toBe(1);
    await b.sessions.resourceUpdated(status.uri);
    b.sessions.close();
    expect(await stream.text()).toContain('notifications/resources/updated');
  });

  it('is refused to other owners, and not adopted', async () => {
    const [a, b] = await openReplicas();
    const { id } = await a.send(initialize, ada);
    expect((await b.send(list, bob, id)).status).toBe(404);
    expect((await b.send(undefined, bob, id, 'GET')).status).toBe(404);
    expect((await b.send(undefined, bob, id, 'DELETE')).status).toBe(404);
    expect(b.sessions.count()).toBe(0);
    expect((await a.send(list, ada, id)).status).toBe(200);
  });

  it('counts towards the limit of its owner across replicas', async () => {
    const [a, b] = await openReplicas();
    const first = await a.send(initialize, ada);
    for (const each of [a, b]) await each.send(initialize, ada);
    expect(await a.redis.zcard('mcp:{api_key ada}:sessions')).toBe(2);
    expect((await b.send(undefined, ada, first.id, 'GET')).status).toBe(404);
  });
});

describe('without Redis', () => {
  it('sessions in memory continue; others and deletions are unavailable', async () => {
    const server = await startTestRedis();
    const [a, b] = await openReplicas(server.url);
    const { id } = await a.send(initialize, ada);
    await server.stop();
    expect((await a.send(list, ada, id)).status).toBe(200);
    expect((await a.send(initialize, ada)).status).toBe(200);
    expect((await a.send(subscribe, ada, id)).status).toBe(200);
    const stream = await a.fetch(undefined, ada, id, 'GET');
    await a.sessions.resourceUpdated(status.uri);
    for (const method of ['POST', 'GET', 'DELETE']) {
      await expect(b.send(method === 'POST' ? list : undefined, ada, id, method)).rejects.toSatisfy(
        isStoreUnavailable,
      );
    }
    await expect(a.send(undefined, ada, id, 'DELETE')).rejects.toSatisfy(isStoreUnavailable);
    expect(await stream.text()).toContain('notifications/resources/updated');
  });

  it('subscriptions survive when Redis comes back empty', async () => {
    const { sessions, send, fetch, redis } = await openSessions();
    const { id } = await send(initialize, ada);
    await send(subscribe, ada, id);
    const stream = await fetch(undefined, ada, id, 'GET');
    await redis.flushdb();
    await sessions.resourceUpdated(status.uri);
    sessions.close();
    expect(await stream.text()).toContain('notifications/resources/updated');
  });

  it('subscriptions made meanwhile reach other replicas once Redis is back', async () => {
    const first = await startTestRedis();
    const [a, b] = await openReplicas(first.url);
    const { id } = await a.send(initialize, ada);
    await first.stop();
    await a.send(subscribe, ada, id);
    const second = await startTestRedis({ at: first.port });
    try {
      await Promise.all([a, b].map(({ redis }) => redisReady(redis, 10_000)));
      expect((await a.send(list, ada, id)).status).toBe(200);
      const stream = await b.fetch(undefined, ada, id, 'GET');
      expect(stream.status).toBe(200);
      await b.sessions.resourceUpdated(status.uri);
      b.sessions.close();
      expect(await stream.text()).toContain('notifications/resources/updated');
    } finally {
      await second.stop();
    }
  });
});
