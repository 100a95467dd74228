import * as sdk from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../src/areas/mcp/caller.ts';
import { createServers } from '../../../src/areas/mcp/server.ts';
import { createSessionIds } from '../../../src/areas/mcp/session-ids.ts';
import { createSessions } from '../../../src/areas/mcp/sessions.ts';
import { ownTask } from '../../../src/platform/questioner.ts';
import { accept } from './client.ts';

const key = Buffer.alloc(32, 1);
const callerNamed = (id: string): Caller => ({ principal: { kind: 'api_key', id, scopes: [] }, notCleared: undefined, address: '192.0.2.1', requestId: 'r', questioner: ownTask('test') });
const [ada, bob] = [callerNamed('ada'), callerNamed('bob')];
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } };
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

function houseOf(most = { all: 3, ofOwner: 2 }, idleMs = 60_000) {
  const callers = new WeakMap<Request, Caller>();
  const servers = createServers(sdk, { offer: { tools: [], resources: [], templates: [], prompts: [] }, info: { name: 'x', version: '1' }, instructions: '', callerOf: (request) => callers.get(request) });
  const failed = () => undefined;
  const stateless = sdk.legacyStatelessFallback(() => servers.create(), failed);
  const sessions = createSessions({ sdk, servers, key, failed, most, idleMs, stateless: (request, parsedBody) => stateless(request, { parsedBody }) });
  async function send(body: unknown, caller: Caller, id?: string, method = 'POST') {
    const request = new Request('http://here/mcp', { method, headers: { ...accept, ...(id === undefined ? {} : { 'mcp-session-id': id }) } });
    callers.set(request, caller);
    const response = await sessions.answer(request, body, caller);
    return { status: response.status, id: response.headers.get('mcp-session-id') ?? '' };
  }
  return { sessions, send };
}

describe('a session', () => {
  it('is its owner\'s; of nobody, or of somebody else, it is 404', async () => {
    const { sessions, send } = houseOf();
    const { status, id } = await send(initialize, ada);
    expect([status, id === '']).toEqual([200, false]);
    expect((await send(list, ada, id)).status).toBe(200);
    expect((await send(list, bob, id)).status).toBe(404);
    expect((await send(list, ada, 'made-up')).status).toBe(404);
    expect((await send(list, ada, createSessionIds(Buffer.alloc(32, 2)).create('api_key ada'))).status).toBe(404);
    expect((await send(undefined, ada, id, 'DELETE')).status).toBe(200);
    expect((await send(list, ada, id)).status).toBe(404);
    expect(sessions.count()).toBe(0);
  });

  it('that another replica or an earlier process knew is answered, except what needs the session itself', async () => {
    const { id } = await houseOf().send(initialize, ada);
    const { sessions, send } = houseOf();
    expect((await send(list, ada, id)).status).toBe(200);
    expect((await send({ jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params: { uri: 'status://summary' } }, ada, id)).status).toBe(404);
    expect((await send(undefined, ada, id, 'GET')).status).toBe(404);
    expect((await send({ jsonrpc: '2.0', id: 3, result: {} }, ada, id)).status).toBe(404);
    expect((await send(list, bob, id)).status).toBe(404);
    expect(sessions.count()).toBe(0);
  });

  it('is one of few: the ones unused for longest are forgotten, first the owner\'s own', async () => {
    const { sessions, send } = houseOf();
    const ids: string[] = [];
    for (let opened = 0; opened < 5; opened += 1) ids.push((await send(initialize, ada)).id);
    expect(sessions.count()).toBe(2);
    await send(initialize, bob);
    await send(initialize, bob);
    expect(sessions.count()).toBe(3);
    expect((await send(list, ada, ids[0])).status).toBe(200);
    sessions.close();
    expect(sessions.count()).toBe(0);
  });

  it('that nobody uses is forgotten', async () => {
    const { sessions, send } = houseOf({ all: 10, ofOwner: 10 }, 20);
    await send(initialize, ada);
    await vi.waitFor(() => {
      sessions.purge();
      expect(sessions.count()).toBe(0);
    }, { timeout: 10_000 });
  });
});
