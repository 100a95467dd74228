import { setTimeout as delay } from 'node:timers/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { ApiKeyScope } from '../../lib/access.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import type { Caller } from './caller.ts';
import type { Catalogue } from './catalogue.ts';
import type { McpServices } from './context.ts';
import { errorResponse } from './message.ts';
import { createPrompts } from './prompts.ts';
import { createResources, createResourceTemplates, statusUri } from './resources.ts';
import { createServers, type Sdk, type Servers, type ServerSpec } from './server.ts';
import { createSessionRecords } from './sessions/session-records.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';
import { createTools } from './tools/tools.ts';

/** Returns the specification of the server with more tools, resources or prompts. */
export type ExtendMcp = (
  sdk: Sdk,
  spec: ServerSpec,
  notify: { tools: () => void; prompts: () => void },
) => ServerSpec;

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

function createCatalogue(services: McpServices): Catalogue {
  return {
    tools: createTools(services),
    resources: createResources(services),
    templates: createResourceTemplates(services.library),
    prompts: createPrompts(() => services.sites.list().map(({ key }) => key)),
  };
}

/**
 * Creates the Model Context Protocol server, with sessions (revisions before 2026-07-28) and
 * without. The SDK is loaded on the first message.
 */
export function createMcp(services: McpServices) {
  const { brand, bus, extendMcp, keys, logger, redis, release, status } = services;
  const sessionRecords = createSessionRecords(redis);
  const callers = new WeakMap<Request, Caller>();
  let loading: Promise<Protocol> | undefined;
  let isClosed = false;
  let loadedCatalogue: Catalogue | undefined;

  return {
    /** Handles an HTTP request. `message` is its body; undefined when missing or not JSON. */
    async answer(request: Request, message: unknown, caller: Caller): Promise<Response> {
      const { sdk, handler, sessions } = await (loading ??= loadProtocol());
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

  /** What the server offers. Created on the first message. */
  function catalogue(): Catalogue {
    return (loadedCatalogue ??= createCatalogue(services));
  }

  function onError(error: unknown): void {
    logger.debug({ err: error }, 'a message of the Model Context Protocol was refused');
  }

  /** Loads the SDK and sets up the protocol with and without sessions. */
  async function loadProtocol(): Promise<Protocol> {
    const sdk = await import('@modelcontextprotocol/server');
    const appName = brand().name;
    const spec: ServerSpec = {
      catalogue: catalogue(),
      info: { name: 'platform-service', title: appName, version: release.version },
      instructions: instructionsOf(appName),
      callerOf: (request) => callers.get(request),
    };
    const notify = {
      tools: () => handler.notify.toolsChanged(),
      prompts: () => handler.notify.promptsChanged(),
    };
    const servers = createServers(sdk, extendMcp?.(sdk, spec, notify) ?? spec);
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
      key: keys('mcp-sessions'),
      records: sessionRecords,
      signals: bus,
      onError,
      stateless: (request, message) => legacy(request, { parsedBody: message }),
    });
    bus.listen();
    return { sdk, servers, handler, sessions, stopWatching: watchStatus(handler, sessions) };
  }

  /** Every two seconds, notifies subscribers of a changed status and drops idle sessions. */
  function watchStatus(handler: McpHttpHandler, sessions: Sessions): () => void {
    const changedAt = () => status.state().updatedAt;
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
}

export type Mcp = ReturnType<typeof createMcp>;
