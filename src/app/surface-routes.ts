import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { scriptRoutes } from '../areas/analytics/ingest/routes.script.ts';
import { developerRoutes } from '../surfaces/developer/routes.ts';
import { createGraphiqlPage, graphqlPageRoutes } from '../surfaces/graphql/pages/routes.pages.ts';
import { graphqlRoutes } from '../surfaces/graphql/routes.ts';
import { mcpMetadataRoutes, mcpRoutes } from '../surfaces/mcp/routes.ts';
import { strayPage } from '../surfaces/pages/not-found-page.ts';
import { publicFileRoutes } from '../surfaces/pages/routes.public.ts';
import { siteRoutes } from '../surfaces/pages/routes.ts';
import { messageHandlerRoute } from '../surfaces/ws/routes.assets.ts';
import { baseUrlOf, type Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { scope } from '../platform/http/scopes.ts';
import { registerConsole } from './console-routes.ts';
import { createMcpParts } from './mcp-services.ts';
import type { Services } from './services.ts';

export interface SurfaceOptions {
  config: Config;
  clock: Clock;
  logger: Logger;
  services: Services;
  /** The folder of the built scripts of pages. */
  webFolder: URL;
  /** The folder of files that are served as they are. */
  publicFolder: URL;
}

/** What shows the same services in other forms: pages for people and developers, GraphQL, the Model Context Protocol. */
export function registerSurfaces(
  http: FastifyInstance,
  { config, clock, logger, services, webFolder, publicFolder }: SurfaceOptions,
): void {
  let document: string | undefined;
  const mcp = createMcpParts({
    config,
    clock,
    logger,
    services,
    openApi: () => (document ??= JSON.stringify(http.swagger())),
  });
  scope(http, 'public', undefined, (open) => void open.register(mcpMetadataRoutes, mcp));
  scope(
    http,
    'key or token',
    mcp.mcpEntrance.guard,
    (callers) => void callers.register(mcpRoutes, mcp),
  );
  http.strayPage = (problem) => services.siteLayout(strayPage(problem));
  scope(http, 'public', undefined, (open) => void open.register(scriptRoutes, { webFolder }));
  scope(
    http,
    'public',
    undefined,
    (open) =>
      void open.register(messageHandlerRoute, { folder: webFolder, baseUrl: baseUrlOf(config) }),
  );
  scope(
    http,
    'public',
    undefined,
    (open) =>
      void open.register(developerRoutes, { ...services, webFolder, baseUrl: baseUrlOf(config) }),
  );
  scope(
    http,
    'public',
    undefined,
    (open) => void open.register(siteRoutes, { ...services, clock, webFolder }),
  );
  registerConsole(http, { config, clock, services, webFolder });
  // No guard: what may be seen is asked for each field.
  scope(
    http,
    'public',
    undefined,
    (open) =>
      void open.register(graphqlRoutes, {
        ...services,
        sendPage: createGraphiqlPage({ ...services, webFolder }),
      }),
  );
  scope(
    http,
    'public',
    undefined,
    (open) => void open.register(graphqlPageRoutes, { ...services, webFolder }),
  );
  // Last, because a file must not take the path of a route.
  scope(
    http,
    'public',
    undefined,
    (open) => void open.register(publicFileRoutes, { publicFolder }),
  );
}
