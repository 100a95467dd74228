import type { FastifyInstance } from 'fastify';
import type { Sites } from '../../areas/analytics/sites/sites.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { Scopes } from '../../platform/http/access.ts';
import type { DeviceGuards } from '../../areas/identity/devices/guards.ts';
import { identitySignal } from '../../platform/bus/signals.ts';
import { scope } from '../../platform/http/scopes.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Catalogue } from './catalogue.ts';
import { createMcpGuard } from './guards.ts';
import { createPrompts } from './prompts.ts';
import { createResources, createResourceTemplates } from './resources.ts';
import { mcpMetadataRoutes } from './routes.metadata.ts';
import { mcpRoutes } from './routes.ts';
import { createMcp, type ExtendMcp } from './service.ts';
import { createSessionRecords } from './sessions/session-records.ts';
import { createStreams } from './sessions/streams.ts';
import type { ToolServices } from './tools/services.ts';
import { createTools } from './tools/tools.ts';

interface McpServices
  extends
    ToolServices,
    Pick<Resources, 'baseUrl' | 'bus' | 'config' | 'keys' | 'logger' | 'redis'> {
  scopes: Scopes;
  guards: Guards;
  deviceGuards: DeviceGuards;
  sites: Pick<Sites, 'list'>;
  extendMcp?: ExtendMcp | undefined;
  /** The OpenAPI document as JSON, once every route is registered. */
  openApi: () => Promise<string>;
}

function createCatalogue(services: McpServices): Catalogue {
  const { library, logger, openApi, sites, status } = services;
  return {
    tools: createTools(services, {
      onError: (error, tool, requestId) =>
        logger.error({ err: error, tool, request_id: requestId }, 'a tool failed'),
    }),
    resources: createResources({ library, openApi, statusSummary: status.summary }),
    templates: createResourceTemplates(library),
    prompts: createPrompts(() => sites.list().map(({ key }) => key)),
  };
}

/** Registers the Model Context Protocol on top of the services of the REST API. */
export function registerMcp(app: FastifyInstance, services: McpServices): void {
  const { baseUrl, bus, config, deviceGuards, guards, keys, status } = services;
  const appName = config.APP_NAME;
  const streams = createStreams();
  bus.onSignal(identitySignal, (id) => streams.closeOf(id));
  const guard = createMcpGuard({
    guards,
    clearedDevice: deviceGuards.clearedDevice(),
    baseUrl,
  });
  const mcp = createMcp({
    catalogue: () => createCatalogue(services),
    extend: services.extendMcp,
    statusChangedAt: () => status.state().updatedAt,
    sessionKey: keys('mcp-sessions'),
    sessionRecords: createSessionRecords(services.redis),
    bus,
    appName,
    version: services.release.version,
    logger: services.logger,
  });
  app.describeTag('mcp', 'Model Context Protocol for AI assistants and agents.');
  services.scopes.public(app, (everybody) => {
    everybody.register(mcpMetadataRoutes, { baseUrl, appName });
  });
  scope(app, 'key or token', guard, (callers) => {
    callers.register(mcpRoutes, { mcp, streams, baseUrl });
  });
}
