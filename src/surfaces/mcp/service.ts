import { setTimeout as delay } from 'node:timers/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { Bus } from '../../platform/bus/bus.ts';
import type { ApiKeyScope } from '../../lib/access.ts';
import type { Caller } from './caller.ts';
import type * as Fixtures from './conformance/fixtures.ts';
import type { Catalogue } from './catalogue.ts';
import { statusUri } from './resources.ts';
import { createServers, type Sdk, type ServerSpec } from './server.ts';
import type { SessionRecords } from './session-records.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';

export interface McpDeps {
  /** What is offered, put together when the first message arrives. */
  catalogue: () => Catalogue;
  /** Fixtures of the conformance suite, where it may ask. */
  conformance?: (() => Promise<typeof Fixtures>) | undefined;
  /** When the status page changed last, Unix ms. */
  statusChangedAt: () => number;
  /** 32 bytes, the same on each replica. */
  sessionKey: Buffer;
  /** What every replica knows of sessions. */
  sessionRecords: SessionRecords;
  /** How replicas tell one another what happens to sessions. */
  bus: Pick<Bus, 'signal' | 'onSignal' | 'hear'>;
  appName: string;
  version: string;
  logger: Logger;
}

interface Loaded {
  sdk: Sdk;
  handler: McpHttpHandler;
  sessions: Sessions;
  /** Resolves when the calls that are under way are over, or after `ms`. */
  settled: (ms: number) => Promise<unknown>;
  stop: () => void;
}

const watchMs = 2000;
const mostStreams = 500;
/** How long calls that are under way may still take when the service stops. */
const callLimitMs = 2000;
const maxBytes = 64 * 1024;

const instructionsOf = (appName: string): string =>
  `${appName}: status page and incidents, first-party analytics, developer guides, devices and audit log of this service. Tools that the credential may not use are not listed. Times are UTC unless a time zone is given. Ask the person before you open or update an incident: it is public and subscribers are mailed.`;

const refusal = (code: number, message: string, status = 400): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

/** The Model Context Protocol, revision 2026-07-28 without sessions and those before with them. The SDK is read when the first message arrives. */
export function createMcp({
  catalogue,
  conformance,
  statusChangedAt,
  sessionKey,
  sessionRecords,
  bus,
  appName,
  version,
  logger,
}: McpDeps) {
  const callers = new WeakMap<Request, Caller>();
  let loading: Promise<Loaded> | undefined;
  let isClosed = false;
  let made: Catalogue | undefined;
  const catalogueOnce = () => (made ??= catalogue());
  const failed = (error: unknown) =>
    logger.debug({ err: error }, 'a message of the Model Context Protocol was refused');

  /** Looks whether the status has changed, for those who asked to be told. */
  function watchStatus(tell: (uri: string) => void, sessions: Sessions): () => void {
    let seen = statusChangedAt();
    const timer = setInterval(() => {
      sessions.purge();
      const now = statusChangedAt();
      if (now !== seen) tell(statusUri);
      seen = now;
    }, watchMs).unref();
    return () => clearInterval(timer);
  }

  async function load(): Promise<Loaded> {
    const [sdk, fixtures] = await Promise.all([
      import('@modelcontextprotocol/server'),
      conformance?.(),
    ]);
    const info = { name: 'platform-service', title: appName, version };
    const changes = {
      tools: () => handler.notify.toolsChanged(),
      prompts: () => handler.notify.promptsChanged(),
    };
    const spec: ServerSpec = {
      catalogue: catalogueOnce(),
      info,
      instructions: instructionsOf(appName),
      callerOf: (request) => callers.get(request),
    };
    const servers = createServers(
      sdk,
      fixtures === undefined ? spec : fixtures.withFixtures(sdk, spec, changes),
    );
    const handler: McpHttpHandler = sdk.createMcpHandler(() => servers.create(), {
      onerror: failed,
      maxRequestBodySize: maxBytes,
      legacy: 'reject',
      maxSubscriptions: mostStreams,
    });
    const legacy = sdk.legacyStatelessFallback(() => servers.create(), failed, {
      maxRequestBodySize: maxBytes,
    });
    const sessions = createSessions({
      sdk,
      servers,
      key: sessionKey,
      records: sessionRecords,
      signals: bus,
      failed,
      stateless: (request, body) => legacy(request, { parsedBody: body }),
    });
    bus.hear();
    const stopWatching = watchStatus((uri) => {
      handler.notify.resourceUpdated(uri);
      sessions.resourceUpdated(uri).catch(failed);
    }, sessions);
    return {
      sdk,
      handler,
      sessions,
      stop: stopWatching,
      settled: (ms) => withTimeout(servers.settled(), ms, () => undefined),
    };
  }

  return {
    /** Answers one HTTP request whose body has been read; undefined: it has none, or none that is JSON. */
    async answer(request: Request, body: unknown, caller: Caller): Promise<Response> {
      loading ??= load();
      const { sdk, handler, sessions } = await loading;
      callers.set(request, caller);
      if (isClosed) return refusal(-32_000, 'The service is shutting down.', 503);
      if (request.method === 'POST' && body === undefined) return handler.fetch(request);
      if (Array.isArray(body))
        return refusal(
          -32_600,
          'Invalid Request: several messages in one were taken back with the revision 2025-06-18. Send them one by one.',
        );
      const isLegacy = await sdk.isLegacyRequest(request, body);
      return isLegacy
        ? sessions.answer(request, body, caller)
        : handler.fetch(request, { parsedBody: body });
    },

    /** What a call needs that names this tool; undefined for a tool that needs nothing, or is none. */
    scopeOf: (name: string): ApiKeyScope | undefined =>
      catalogueOnce().tools.find(({ definition }) => definition.name === name)?.scope,

    /** Takes no more messages, lets calls finish for a moment, and ends sessions and streams. */
    async close(): Promise<void> {
      isClosed = true;
      const loaded = await loading?.catch(() => undefined);
      loaded?.stop();
      await loaded?.settled(callLimitMs);
      // Their answers are written in turns of the event loop that are still to come.
      await delay(0);
      loaded?.sessions.close();
      await loaded?.handler.close();
    },
  };
}

export type Mcp = ReturnType<typeof createMcp>;
