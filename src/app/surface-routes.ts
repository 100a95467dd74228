import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { registerAccount } from '../surfaces/account/plugin.ts';
import { registerDeveloper } from '../surfaces/developer/plugin.ts';
import { registerGraphql } from '../surfaces/graphql/plugin.ts';
import { mcpMetadataRoutes, mcpRoutes } from '../surfaces/mcp/routes.ts';
import { registerSite } from '../surfaces/pages/plugin.ts';
import { asyncApi } from '../surfaces/ws/asyncapi.ts';
import { messageHandlerRoute } from '../surfaces/ws/routes.assets.ts';
import { testChannelRoutes } from '../surfaces/ws/routes.trial.ts';
import { wsRoutes } from '../surfaces/ws/routes.ts';
import type { Config } from '../config.ts';
import { scope } from '../platform/http/scopes.ts';
import { registerConsole } from './console-routes.ts';
import { createMcpParts } from './mcp-services.ts';
import type { Services } from './services.ts';
import { version } from './version.ts';

export interface SurfaceOptions {
  config: Config;
  logger: Logger;
  services: Services;
  folders: {
    /** The folder of the built scripts of pages. */
    webFolder: URL;
    /** The folder of files that are served as they are. */
    publicFolder: URL;
  };
}

function registerSockets(http: FastifyInstance, { services, folders }: SurfaceOptions): void {
  http.describeTag('realtime', 'Sockets, and what tries them out.');
  const { scopes, bus, baseUrl, realtime, handshakes } = services;
  scopes.identified(http, (everybody) => {
    everybody.register(testChannelRoutes, {
      prefix: '/realtime',
      bus,
      asyncApi: () => asyncApi({ baseUrl, version }),
    });
  });
  // The sockets look at a handshake's credentials themselves, for it may be the page of another site that opens one.
  scopes.public(http, (everybody) => {
    everybody.register(wsRoutes, { realtime, handshakes });
    everybody.register(messageHandlerRoute, { folder: folders.webFolder, baseUrl });
  });
}

function registerMcp(http: FastifyInstance, { config, logger, services }: SurfaceOptions): void {
  http.describeTag('mcp', 'The Model Context Protocol, for assistants and agents.');
  let document: string | undefined;
  const mcp = createMcpParts({
    config,
    clock: services.clock,
    logger,
    services,
    openApi: () => (document ??= JSON.stringify(http.swagger())),
  });
  services.scopes.public(http, (everybody) => {
    everybody.register(mcpMetadataRoutes, mcp);
  });
  scope(http, 'key or token', mcp.mcpEntrance.guard, (callers) => {
    callers.register(mcpRoutes, mcp);
  });
}

/** What shows the same services in other forms: pages for people and developers, sockets, GraphQL, MCP. */
export function registerSurfaces(http: FastifyInstance, options: SurfaceOptions): void {
  const { config, services, folders } = options;
  registerSockets(http, options);
  registerAccount(http, services);
  registerMcp(http, options);
  registerDeveloper(http, { ...services, ...folders });
  registerConsole(http, { config, clock: services.clock, services, webFolder: folders.webFolder });
  registerGraphql(http, { ...services, ...folders });
  registerSite(http, { ...services, ...folders });
}
