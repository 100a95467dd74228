import { randomUUID } from 'node:crypto';
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { Bus } from '../../platform/bus/bus.ts';
import { isStoreUnavailable } from '../../platform/errors/store-failures.ts';
import { type Caller, ownerOf } from './caller.ts';
import { parametersOf, repeatInitialize } from './initialize.ts';
import type { Sdk, Server, Servers } from './server.ts';
import { createSessionIds } from './session-ids.ts';
import type { SessionRecords, SessionRef } from './session-records.ts';

interface Session extends SessionRef {
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  /** What the client said in `initialize`, as JSON. */
  parameters: string;
  /** Redis decides, but what was subscribed to while it was away stands here alone. */
  subscribed: Set<string>;
  /** True while Redis does not know what this replica knows of the subscriptions. */
  isAhead: boolean;
}

export interface SessionsDeps {
  sdk: Sdk;
  servers: Servers;
  /** 32 bytes, the same on each replica. */
  key: Buffer;
  /** What every replica knows of sessions. */
  records: SessionRecords;
  signals: Pick<Bus, 'signal' | 'onSignal'>;
  /** Answers a message of the revisions with sessions without one. */
  stateless: (request: Request, body: unknown) => Promise<Response>;
  failed: (error: unknown) => void;
  /** How many sessions this process holds at most; the ones unused for longest go first. */
  most?: number;
}

const maxUris = 50;
const endedSignal = 'mcp_session_ended';
const streamSignal = 'mcp_stream_opened';
const refusal = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
const unknown = () => refusal(404, -32_001, 'Session not found');

const methodOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
const isAnswer = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !('method' in body);

/** What only makes sense where the session is: questions of the server, and what it tells by itself. */
const needsItself = (body: unknown): boolean =>
  isAnswer(body) ||
  methodOf(body) === 'resources/subscribe' ||
  methodOf(body) === 'resources/unsubscribe';

/** Keeps what a replica holds of a session and what Redis has of it alike, as long as Redis is there. */
function createSharing(records: SessionRecords, failed: (error: unknown) => void) {
  return {
    /** Tells Redis that a session is used; true when another replica has ended it. Without Redis it goes on. */
    async isEnded(session: Session): Promise<boolean> {
      try {
        const kept = await records.keep(session, session.parameters);
        if (kept === 'ended') return true;
        if (session.isAhead || (kept?.isNew === true && session.subscribed.size > 0)) {
          await records.replace(session, [...session.subscribed]);
          session.isAhead = false;
        }
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        failed(error);
      }
      return false;
    },

    /** Subscriptions change here at once, and in Redis as soon as it is there. */
    async share(session: Session, told: Promise<unknown>): Promise<void> {
      await told.catch((error: unknown) => {
        session.isAhead = true;
        failed(error);
      });
    },

    /** Reads what was subscribed to on other replicas. Without Redis, what is known here has to do. */
    async refresh(session: Session): Promise<void> {
      if (session.isAhead) return;
      const uris = await records.subscriptions(session).catch(failed);
      if (uris !== undefined) session.subscribed = new Set(uris);
    },
  };
}

/**
 * The sessions of clients from before 2026-07-28. Each replica holds those it has met, and Redis what all have to know: a request
 * that reaches a replica for the first time makes it adopt the session. A session that Redis has forgotten is answered without it,
 * since nothing that the service offers needs one; what needs the session itself, and a session that was ended, or is nobody's or
 * somebody else's, is 404: clients begin anew then. While Redis is away sessions that are held go on, and others are 503.
 */
export function createSessions({
  sdk,
  servers,
  key,
  records,
  signals,
  stateless,
  failed,
  most = 1000,
}: SessionsDeps) {
  const ids = createSessionIds(key);
  const replica = randomUUID();
  const { ofOwner, idleMs } = records.limits;
  const sharing = createSharing(records, failed);
  const adopting = new Map<string, Promise<Session | 'ended' | undefined>>();
  const close = ({ server, transport }: Session): void => {
    transport.close().catch(failed);
    server.close().catch(failed);
  };
  const sessions = new LRUCache<string, Session>({
    max: most,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: false,
    dispose: close,
  });

  signals.onSignal(
    endedSignal,
    (id) => void (id === undefined ? dropEnded().catch(failed) : sessions.delete(id)),
  );
  signals.onSignal(streamSignal, (subject) => {
    const [by, id] = subject?.split(' ') ?? [];
    // A message goes to one stream only: the newest, since the client has most likely lost the one before.
    if (id !== undefined && by !== replica) sessions.peek(id)?.transport.closeStandaloneSSEStream();
  });

  /** Signals may have been missed. */
  async function dropEnded(): Promise<void> {
    for (const { id } of await records.ended([...sessions.values()])) sessions.delete(id);
  }

  function hold(session: Session): void {
    const own = [...sessions.entries()].filter(([, { owner }]) => owner === session.owner);
    // The cache gives those used last first.
    for (const [id] of own.slice(ofOwner - 1)) sessions.delete(id);
    sessions.set(session.id, session);
  }

  async function check(session: Session): Promise<void> {
    if (await sharing.isEnded(session)) sessions.delete(session.id);
  }

  async function endEverywhere({ id, owner }: Session): Promise<void> {
    sessions.delete(id);
    await records.end({ id, owner });
    signals.signal(endedSignal, id);
  }

  async function connect(
    ref: SessionRef,
    parameters: string,
    subscribed: Set<string>,
  ): Promise<Session> {
    const server = servers.create({
      async subscribe(uri) {
        if (session.subscribed.size >= maxUris) return;
        session.subscribed.add(uri);
        await sharing.share(session, records.subscribe(ref, uri));
      },
      async unsubscribe(uri) {
        session.subscribed.delete(uri);
        await sharing.share(session, records.unsubscribe(ref, uri));
      },
    });
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => ref.id,
      async onsessioninitialized() {
        hold(session);
        await check(session);
      },
      onsessionclosed: () => endEverywhere(session),
    });
    const session: Session = { ...ref, server, transport, parameters, subscribed, isAhead: false };
    await server.connect(transport);
    return session;
  }

  async function open(request: Request, body: unknown, owner: string): Promise<Response> {
    const { transport } = await connect(
      { id: ids.create(owner), owner },
      parametersOf(body),
      new Set(),
    );
    return transport.handleRequest(request, { parsedBody: body });
  }

  async function adoptOnce(ref: SessionRef): Promise<Session | 'ended' | undefined> {
    const kept = await records.keep(ref);
    if (kept === undefined || kept === 'ended') return kept;
    const session = await connect(ref, kept.parameters, new Set(await records.subscriptions(ref)));
    await repeatInitialize(session.transport, ref.id, kept.parameters);
    return session;
  }

  /** Takes over a session that another replica has opened; requests that come at the same time share one. */
  function adopt(ref: SessionRef): Promise<Session | 'ended' | undefined> {
    const under = adopting.get(ref.id) ?? adoptOnce(ref).finally(() => adopting.delete(ref.id));
    adopting.set(ref.id, under);
    return under;
  }

  async function find(ref: SessionRef): Promise<Session | 'ended' | undefined> {
    const held = sessions.get(ref.id);
    if (held === undefined) return adopt(ref);
    await check(held);
    return sessions.has(ref.id) ? held : 'ended';
  }

  async function answerIn(ref: SessionRef, request: Request, body: unknown): Promise<Response> {
    const session = await find(ref);
    if (session === 'ended') return unknown();
    if (session === undefined)
      return request.method === 'POST' && !needsItself(body) ? stateless(request, body) : unknown();
    const response = await session.transport.handleRequest(request, { parsedBody: body });
    if (request.method === 'GET' && response.ok)
      signals.signal(streamSignal, `${replica} ${ref.id}`);
    return response;
  }

  return {
    /** Answers a request of a revision with sessions. */
    async answer(request: Request, body: unknown, caller: Caller): Promise<Response> {
      const [id, owner] = [request.headers.get('mcp-session-id'), ownerOf(caller)];
      if (id !== null)
        return ids.isOurs(id, owner) ? answerIn({ id, owner }, request, body) : unknown();
      if (request.method !== 'POST')
        return refusal(405, -32_000, 'Method not allowed: there is no stream without a session.', {
          allow: 'POST',
        });
      return methodOf(body) === 'initialize'
        ? open(request, body, owner)
        : stateless(request, body);
    },

    /** Tells the sessions that asked for it that a resource has changed. */
    async resourceUpdated(uri: string): Promise<void> {
      await Promise.all(
        [...sessions.values()].map(async (session) => {
          await sharing.refresh(session);
          if (session.subscribed.has(uri))
            await session.server.sendResourceUpdated({ uri }).catch(failed);
        }),
      );
    },

    /** Forgets those that were not used for long. */
    purge: (): void => void sessions.purgeStale(),
    count: (): number => sessions.size,
    /** Ends all that are held here, and their streams. Other replicas go on with them. */
    close: (): void => sessions.clear(),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
