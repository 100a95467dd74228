import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { type Caller, ownerOf } from './caller.ts';
import type { Sdk, Server, Servers } from './server.ts';
import { createSessionIds } from './session-ids.ts';

interface Session {
  owner: string;
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  subscribed: Set<string>;
}

export interface SessionsDeps {
  sdk: Sdk;
  servers: Servers;
  /** 32 bytes, the same on each replica. */
  key: Buffer;
  /** Answers a message of the revisions with sessions without one. */
  stateless: (request: Request, body: unknown) => Promise<Response>;
  failed: (error: unknown) => void;
  /** How many this process remembers, of all and of one owner; the ones unused for longest go first. */
  most?: { all: number; ofOwner: number };
  /** Milliseconds after which one that is not used is forgotten. */
  idleMs?: number;
}

const maxUris = 50;
const ended = 10_000;
const refusal = (status: number, code: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
const unknown = () => refusal(404, -32_001, 'Session not found');

const methodOf = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined);
const isAnswer = (body: unknown): boolean => typeof body === 'object' && body !== null && !Array.isArray(body) && !('method' in body);

/** What only makes sense where the session is: questions of the server, and what it tells by itself. */
const needsItself = (body: unknown): boolean => isAnswer(body) || methodOf(body) === 'resources/subscribe' || methodOf(body) === 'resources/unsubscribe';

/**
 * The sessions of clients from before 2026-07-28. They live in this process only. Nothing that the service offers needs one, so
 * a session that is ours but not here (another replica's, forgotten, from before a restart) is answered without it; what needs the
 * session itself, and a session of nobody or of somebody else, is 404: clients begin anew then.
 */
export function createSessions({ sdk, servers, key, stateless, failed, most = { all: 1000, ofOwner: 50 }, idleMs = 30 * 60_000 }: SessionsDeps) {
  const ids = createSessionIds(key);
  const end = ({ server, transport }: Session): void => {
    transport.close().catch(failed);
    server.close().catch(failed);
  };
  const sessions = new LRUCache<string, Session>({ max: most.all, ttl: idleMs, updateAgeOnGet: true, ttlAutopurge: false, dispose: end });
  const over = new LRUCache<string, true>({ max: ended });

  function makeRoomFor(owner: string): void {
    const own = [...sessions.entries()].filter(([, session]) => session.owner === owner);
    // The cache gives those used last first.
    for (const [id] of own.slice(most.ofOwner - 1)) sessions.delete(id);
  }

  async function open(request: Request, body: unknown, owner: string): Promise<Response> {
    const subscribed = new Set<string>();
    const server = servers.create({
      subscribe(uri) {
        if (subscribed.size < maxUris) subscribed.add(uri);
      },
      unsubscribe: (uri) => void subscribed.delete(uri),
    });
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => ids.create(owner),
      onsessioninitialized(id) {
        makeRoomFor(owner);
        sessions.set(id, { owner, server, transport, subscribed });
      },
      onsessionclosed: (id) => {
        over.set(id, true);
        sessions.delete(id);
      },
    });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  function withoutIt(request: Request, body: unknown): Promise<Response> | Response {
    return request.method === 'POST' && !needsItself(body) ? stateless(request, body) : unknown();
  }

  return {
    /** Answers a request of a revision with sessions. */
    async answer(request: Request, body: unknown, caller: Caller): Promise<Response> {
      const [id, owner] = [request.headers.get('mcp-session-id'), ownerOf(caller)];
      if (id !== null) {
        if (over.has(id) || !ids.isOurs(id, owner)) return unknown();
        const session = sessions.get(id);
        return session === undefined ? withoutIt(request, body) : session.transport.handleRequest(request, { parsedBody: body });
      }
      if (request.method !== 'POST') return refusal(405, -32_000, 'Method not allowed: there is no stream without a session.', { allow: 'POST' });
      return methodOf(body) === 'initialize' ? open(request, body, owner) : stateless(request, body);
    },

    /** Tells the sessions that asked for it that a resource has changed. */
    resourceUpdated(uri: string): void {
      for (const { server, subscribed } of sessions.values()) if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(failed);
    },

    /** Forgets those that were not used for long. */
    purge: (): void => void sessions.purgeStale(),
    count: (): number => sessions.size,
    /** Ends all of them, and their streams. */
    close: (): void => sessions.clear(),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
