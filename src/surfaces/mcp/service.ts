import { setTimeout as delay } from 'node:timers/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { ApiKeyScope } from '../../lib/access.ts';
import type { Caller } from './caller.ts';
import type { Catalogue } from './catalogue.ts';
import { errorResponse } from './message.ts';
import { statusUri } from './resources.ts';
import { createServers, type Sdk, type Servers, type ServerSpec } from './server.ts';
import type { SessionRecords } from './sessions/session-records.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';

/** Returns the specification of the server with more tools, resources or prompts. */
export type ExtendMcp = (
  sdk: Sdk,
  spec: ServerSpec,
  notify: { tools: () => void; prompts: () => void },
) => ServerSpec;

export interface McpDeps {
  /** Called on the first message. */
  catalogue: () => Catalogue;
  /** Adds to what the server offers. `notify` tells clients that a list has changed. */
  extend?: ExtendMcp | undefined;
  /** The time of the last change of the status page, Unix ms. */
  statusChangedAt: () => number;
  /** 32 bytes, the same on each replica. */
  sessionKey: Buffer;
  sessionRecords: SessionRecords;
  bus: Pick<Bus, 'signal' | 'onSignal' | 'listen'>;
  appName: string;
  version: string;
  logger: Logger;
}

/** The parts that are created once the SDK is loaded. */
interface Protocol {
  sdk: Sdk;
  servers: Servers;
  /** Handles requests of the revision 2026-07-28. */
  handler: McpHttpHandler;
  /** Handles requests of earlier revisions. */
  sessions: Sessions;
  stopWatching: () => void;
}

const watchMs = 2000;
const maxSubscriptions = 500;
/** How long shutdown waits for running tool calls. */
const drainMs = 2000;
const maxRequestBodySize = 64 * 1024;

const instructionsOf = (appName: string): string =>
  `${appName}: status page and incidents, first-party analytics, developer guides, devices and ` +
  'audit log of this service. Tools that the credential may not use are not listed. Times are ' +
  'UTC unless a time zone is given. Ask the person before you open or update an incident: it ' +
  'is public and subscribers are mailed.';

/** Every two seconds, notifies subscribers of a changed status and drops idle sessions. */
function watchStatus(
  changedAt: () => number,
  { handler, sessions }: Pick<Protocol, 'handler' | 'sessions'>,
  onError: (error: unknown) => void,
): () => void {
  let lastChange = changedAt();
  const timer = setInterval(() => {
    sessions.purge();
    const now = changedAt();
    if (now === lastChange) return;
    lastChange = now;
    handler.notify.resourceUpdated(statusUri);
    sessions.resourceUpdated(statusUri).catch(onError);
  }, watchMs).unref();
  return () => clearInterval(timer);
}

/** Loads the SDK and sets up the protocol with and without sessions. */
async function loadProtocol(
  { extend, statusChangedAt, sessionKey, sessionRecords, bus, appName, ...deps }: McpDeps,
  catalogue: Catalogue,
  callerOf: ServerSpec['callerOf'],
): Promise<Protocol> {
  const sdk = await import('@modelcontextprotocol/server');
  const onError = (error: unknown) =>
    deps.logger.debug({ err: error }, 'a message of the Model Context Protocol was refused');
  const info = { name: 'platform-service', title: appName, version: deps.version };
  const spec: ServerSpec = { catalogue, info, instructions: instructionsOf(appName), callerOf };
  const notify = {
    tools: () => handler.notify.toolsChanged(),
    prompts: () => handler.notify.promptsChanged(),
  };
  const servers = createServers(sdk, extend?.(sdk, spec, notify) ?? spec);
  const handler: McpHttpHandler = sdk.createMcpHandler(() => servers.create(), {
    onerror: onError,
    maxRequestBodySize,
    legacy: 'reject',
    maxSubscriptions,
  });
  const legacy = sdk.legacyStatelessFallback(() => servers.create(), onError, {
    maxRequestBodySize,
  });
  const sessions = createSessions({
    sdk,
    servers,
    key: sessionKey,
    records: sessionRecords,
    signals: bus,
    onError,
    stateless: (request, message) => legacy(request, { parsedBody: message }),
  });
  bus.listen();
  const stopWatching = watchStatus(statusChangedAt, { handler, sessions }, onError);
  return { sdk, servers, handler, sessions, stopWatching };
}

/**
 * Creates the Model Context Protocol server, with sessions (revisions before 2026-07-28) and
 * without. The SDK is loaded on the first message.
 */
export function createMcp(deps: McpDeps) {
  const callers = new WeakMap<Request, Caller>();
  let loading: Promise<Protocol> | undefined;
  let isClosed = false;
  let loadedCatalogue: Catalogue | undefined;
  const catalogue = () => (loadedCatalogue ??= deps.catalogue());

  return {
    /** Handles an HTTP request. `message` is its body; undefined when missing or not JSON. */
    async answer(request: Request, message: unknown, caller: Caller): Promise<Response> {
      loading ??= loadProtocol(deps, catalogue(), (incoming) => callers.get(incoming));
      const { sdk, handler, sessions } = await loading;
      callers.set(request, caller);
      if (isClosed) return errorResponse(503, -32_000, 'The service is shutting down.');
      if (request.method === 'POST' && message === undefined) return handler.fetch(request);
      if (Array.isArray(message))
        return errorResponse(
          400,
          -32_600,
          'Invalid Request: several messages in one were removed in the revision ' +
            '2025-06-18. Send them one by one.',
        );
      return (await sdk.isLegacyRequest(request, message))
        ? sessions.answer(request, message, caller)
        : handler.fetch(request, { parsedBody: message });
    },

    /** The scope that a tool needs; undefined for unknown tools and those that need none. */
    scopeOf: (name: string): ApiKeyScope | undefined =>
      catalogue().tools.find(({ definition }) => definition.name === name)?.scope,

    /** Refuses new messages, waits up to 2 s for running calls, then ends sessions and streams. */
    async close(): Promise<void> {
      isClosed = true;
      const protocol = await loading?.catch(() => undefined);
      if (protocol !== undefined) {
        protocol.stopWatching();
        await withTimeout(protocol.servers.settled(), drainMs, () => undefined);
      }
      // The results of finished calls are written in later turns of the event loop.
      await delay(0);
      protocol?.sessions.close();
      await protocol?.handler.close();
    },
  };
}

export type Mcp = ReturnType<typeof createMcp>;
