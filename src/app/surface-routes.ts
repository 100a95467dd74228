import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { registerAccount } from '../surfaces/account/plugin.ts';
import { registerComponents } from '../surfaces/gallery/plugin.ts';
import { registerConsole } from '../surfaces/console/plugin.ts';
import { registerDeveloper } from '../surfaces/developer/plugin.ts';
import { registerGraphql } from '../surfaces/graphql/plugin.ts';
import { registerIndexes } from '../surfaces/api-index/plugin.ts';
import { registerMcp } from '../surfaces/mcp/plugin.ts';
import type { ExtendMcp } from '../surfaces/mcp/service.ts';
import { registerSite } from '../surfaces/pages/plugin.ts';
import { registerSockets } from '../surfaces/ws/plugin.ts';
import type { Config } from '../config.ts';
import type { Services } from './services.ts';
import { listSettings } from './settings.ts';
import { releaseOf, version } from './version.ts';

export interface SurfaceOptions {
  config: Config;
  logger: Logger;
  services: Services;
  folders: {
    /** Folder of the built page scripts. */
    webFolder: URL;
    /** Folder of static files, with a trailing slash. */
    publicFolder: URL;
  };
  extendMcp?: ExtendMcp | undefined;
}

/** Registers the surfaces: pages, developer pages, sockets, GraphQL, MCP. */
export function registerSurfaces(http: FastifyInstance, options: SurfaceOptions): void {
  const { config, logger, services, folders, extendMcp } = options;
  registerSockets(http, { ...services, ...folders, version });
  registerAccount(http, services);
  registerMcp(http, {
    ...services,
    logger,
    extendMcp,
    release: releaseOf(config),
    openApi: http.openApiJson,
  });
  registerDeveloper(http, { ...services, ...folders });
  registerConsole(http, {
    ...services,
    version,
    settings: listSettings(config),
    meter: http.requestMeter,
  });
  registerComponents(http, services);
  registerGraphql(http, { ...services, ...folders });
  registerIndexes(http, { ...services, version });
  registerSite(http, { ...services, ...folders, version });
}
