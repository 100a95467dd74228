import type { Bus } from '../../../platform/bus/bus.ts';
import { type Caller, ownerOf } from '../caller.ts';
import { createLocalSessions, type Session } from './local-sessions.ts';
import { initializeParams, replayInitialize } from '../initialize.ts';
import { errorResponse, isResponse, methodOf } from '../message.ts';
import type { Sdk, Servers } from '../server.ts';
import { createSessionIds } from './session-ids.ts';
import type { SessionRecords, SessionRef } from './session-records.ts';
import { createSessionSync } from './session-sync.ts';

export interface SessionsDeps {
  sdk: Sdk;
  servers: Servers;
  /** 32 bytes, the same on each replica. */
  key: Buffer;
  records: SessionRecords;
  signals: Pick<Bus, 'signal' | 'onSignal'>;
  /** Handles a message of an older revision without a session. */
  stateless: (request: Request, message: unknown) => Promise<Response>;
  onError: (error: unknown) => void;
  /** The maximum number of sessions in this process. Default: 1000. */
  maxSessions?: number;
}

type Found = Session | 'ended' | undefined;

const maxSubscriptions = 50;

const sessionNotFound = () => errorResponse(404, -32_001, 'Session not found');
const streamWithoutSession = () =>
  errorResponse(405, -32_000, 'Method not allowed: there is no stream without a session.', {
    allow: 'POST',
  });

/** True for messages that need the session itself: responses and subscriptions. */
const needsSession = (message: unknown): boolean =>
  isResponse(message) ||
  methodOf(message) === 'resources/subscribe' ||
  methodOf(message) === 'resources/unsubscribe';

/**
 * The sessions of revisions before 2026-07-28. Redis stores the state that all replicas need; a
 * replica that receives a message of a session for the first time adopts the session from there.
 *
 * - Expired in Redis: messages are handled without the session, or get 404 if they need it.
 * - Ended, or issued to another owner: 404, on which clients start a new session.
 * - While Redis is unavailable: sessions in memory continue, all others get 503.
 */
export function createSessions(deps: SessionsDeps) {
  const { sdk, servers, key, records, stateless, onError } = deps;
  const ids = createSessionIds(key);
  const local = createLocalSessions(deps);
  const sync = createSessionSync(records, onError);
  const adopting = new Map<string, Promise<Found>>();

  return {
    /** Handles a request of a revision with sessions. */
    async answer(request: Request, message: unknown, caller: Caller): Promise<Response> {
      const id = request.headers.get('mcp-session-id');
      const owner = ownerOf(caller);
      if (id !== null && !ids.isIssuedTo(owner, id)) return sessionNotFound();
      if (id !== null) return answerIn(await find({ id, owner }), request, message);
      if (request.method !== 'POST') return streamWithoutSession();
      return methodOf(message) === 'initialize'
        ? open(request, message, owner)
        : stateless(request, message);
    },

    /** Notifies the sessions that are subscribed to a resource. */
    async resourceUpdated(uri: string): Promise<void> {
      await Promise.all(
        [...local.sessions.values()].map(async (session) => {
          await sync.refresh(session);
          if (session.subscribed.has(uri))
            await session.server.sendResourceUpdated({ uri }).catch(onError);
        }),
      );
    },

    purge: (): void => void local.sessions.purgeStale(),
    count: (): number => local.sessions.size,
    /** Closes the sessions of this process. Other replicas can still adopt them. */
    close: (): void => local.sessions.clear(),
  };

  async function open(request: Request, message: unknown, owner: string): Promise<Response> {
    const ref = { id: ids.create(owner), owner };
    const { transport } = await connect(ref, initializeParams(message));
    return transport.handleRequest(request, { parsedBody: message });
  }

  async function connect(
    ref: SessionRef,
    params: string,
    uris: readonly string[] = [],
  ): Promise<Session> {
    const server = servers.create({
      async subscribe(uri) {
        if (session.subscribed.size >= maxSubscriptions) return;
        session.subscribed.add(uri);
        await sync.waitForWrite(session, records.subscribe(ref, uri));
      },
      async unsubscribe(uri) {
        session.subscribed.delete(uri);
        await sync.waitForWrite(session, records.unsubscribe(ref, uri));
      },
    });
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => ref.id,
      async onsessioninitialized() {
        local.hold(session);
        if (await sync.isEnded(session)) local.sessions.delete(ref.id);
      },
      async onsessionclosed() {
        local.sessions.delete(ref.id);
        await records.end(ref);
        local.signalEnd(ref.id);
      },
    });
    const subscribed = new Set(uris);
    const session: Session = {
      ...ref,
      server,
      transport,
      params,
      subscribed,
      hasUnsyncedChanges: false,
    };
    await server.connect(transport);
    return session;
  }

  /** Finds a session, or adopts it once for all concurrent requests. */
  async function find(ref: SessionRef): Promise<Found> {
    const session = local.sessions.get(ref.id);
    if (session !== undefined) {
      if (await sync.isEnded(session)) local.sessions.delete(ref.id);
      return local.sessions.has(ref.id) ? session : 'ended';
    }
    const adoption = adopting.get(ref.id) ?? adopt(ref).finally(() => adopting.delete(ref.id));
    adopting.set(ref.id, adoption);
    return adoption;
  }

  /** Restores a session that another replica has opened. */
  async function adopt(ref: SessionRef): Promise<Found> {
    const record = await records.touch(ref);
    if (record === undefined || record === 'ended') return record;
    const session = await connect(ref, record.params, await records.subscriptions(ref));
    await replayInitialize(session.transport, ref.id, record.params);
    return session;
  }

  async function answerIn(session: Found, request: Request, message: unknown): Promise<Response> {
    const { method } = request;
    if (session === 'ended') return sessionNotFound();
    if (session === undefined)
      return method === 'POST' && !needsSession(message)
        ? stateless(request, message)
        : sessionNotFound();
    const response = await session.transport.handleRequest(request, { parsedBody: message });
    if (method === 'GET' && response.ok) local.signalStream(session.id);
    return response;
  }
}

export type Sessions = ReturnType<typeof createSessions>;
