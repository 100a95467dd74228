import type { Bus } from '../../../platform/bus/bus.ts';
import { type Caller, ownerOf } from '../caller.ts';
import { createLocalSessions, type LocalSessions, type Session } from './local-sessions.ts';
import { initializeParams, replayInitialize } from '../initialize.ts';
import { errorResponse, isResponse, methodOf } from '../message.ts';
import type { Sdk, Servers } from '../server.ts';
import { createSessionIds } from './session-ids.ts';
import type { SessionRecords, SessionRef } from './session-records.ts';
import { createSessionSync, type SessionSync } from './session-sync.ts';

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

interface SessionContext extends SessionsDeps {
  local: LocalSessions;
  sync: SessionSync;
}

type FindSession = (ref: SessionRef) => Promise<Session | 'ended' | undefined>;

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

async function connect(
  context: SessionContext,
  ref: SessionRef,
  params: string,
  uris: readonly string[] = [],
): Promise<Session> {
  const { sdk, servers, records, local, sync } = context;
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
      if (await sync.isEnded(session)) local.drop(ref.id);
    },
    async onsessionclosed() {
      local.drop(ref.id);
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

/** Restores a session that another replica has opened. */
async function adopt(context: SessionContext, ref: SessionRef): ReturnType<FindSession> {
  const { records } = context;
  const record = await records.touch(ref);
  if (record === undefined || record === 'ended') return record;
  const session = await connect(context, ref, record.params, await records.subscriptions(ref));
  await replayInitialize(session.transport, ref.id, record.params);
  return session;
}

/** Returns a function that finds a session, or adopts it once for all concurrent requests. */
function createFind(context: SessionContext): FindSession {
  const { local, sync } = context;
  const adopting = new Map<string, ReturnType<FindSession>>();

  function adoptOnce(ref: SessionRef): ReturnType<FindSession> {
    const adoption =
      adopting.get(ref.id) ?? adopt(context, ref).finally(() => adopting.delete(ref.id));
    adopting.set(ref.id, adoption);
    return adoption;
  }

  return async (ref) => {
    const session = local.get(ref.id);
    if (session === undefined) return adoptOnce(ref);
    if (await sync.isEnded(session)) local.drop(ref.id);
    return local.has(ref.id) ? session : 'ended';
  };
}

async function answerIn(
  { local, stateless }: SessionContext,
  session: Awaited<ReturnType<FindSession>>,
  request: Request,
  message: unknown,
): Promise<Response> {
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

/**
 * The sessions of revisions before 2026-07-28. Redis stores the state that all replicas need; a
 * replica that receives a message of a session for the first time adopts the session from there.
 *
 * - Expired in Redis: messages are handled without the session, or get 404 if they need it.
 * - Ended, or issued to another owner: 404, on which clients start a new session.
 * - While Redis is unavailable: sessions in memory continue, all others get 503.
 */
export function createSessions(deps: SessionsDeps) {
  const { key, records, signals, stateless, onError, maxSessions = 1000 } = deps;
  const ids = createSessionIds(key);
  const local = createLocalSessions({ records, signals, onError, maxSessions });
  const sync = createSessionSync(records, onError);
  const context: SessionContext = { ...deps, local, sync };
  const find = createFind(context);

  async function open(request: Request, message: unknown, owner: string): Promise<Response> {
    const ref = { id: ids.create(owner), owner };
    const { transport } = await connect(context, ref, initializeParams(message));
    return transport.handleRequest(request, { parsedBody: message });
  }

  return {
    /** Handles a request of a revision with sessions. */
    async answer(request: Request, message: unknown, caller: Caller): Promise<Response> {
      const id = request.headers.get('mcp-session-id');
      const owner = ownerOf(caller);
      if (id !== null && !ids.isIssuedTo(owner, id)) return sessionNotFound();
      if (id !== null) return answerIn(context, await find({ id, owner }), request, message);
      if (request.method !== 'POST') return streamWithoutSession();
      return methodOf(message) === 'initialize'
        ? open(request, message, owner)
        : stateless(request, message);
    },

    /** Notifies the sessions that are subscribed to a resource. */
    async resourceUpdated(uri: string): Promise<void> {
      await Promise.all(
        local.all().map(async (session) => {
          await sync.refresh(session);
          if (session.subscribed.has(uri))
            await session.server.sendResourceUpdated({ uri }).catch(onError);
        }),
      );
    },

    purge: local.dropIdle,
    count: local.count,
    /** Closes the sessions of this process. Other replicas can still adopt them. */
    close: local.dropAll,
  };
}

export type Sessions = ReturnType<typeof createSessions>;
