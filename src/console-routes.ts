import type { FastifyInstance } from 'fastify';
import { consoleAssetRoutes } from './areas/console/routes.assets.ts';
import { overviewRoutes } from './areas/console/routes.overview.ts';
import { asConsole, withRole } from './areas/console/scope.ts';
import { consoleHome } from './areas/console/sections.ts';
import { refuseRepeatedMembers } from './platform/body-parsers.ts';
import { scope } from './platform/scopes.ts';
import { loadWebScript } from './platform/web-script.ts';
import { createConsoleParts, type ConsoleParts } from './console-services.ts';

/** The console: for people with a role on cleared devices; who changes something is an admin. */
export function registerConsole(http: FastifyInstance, options: Omit<ConsoleParts, 'script' | 'meter'> & { webFolder: URL }): void {
  const { guards, deviceGuards, layout } = options.services;
  scope(http, 'public', guards.sameOrigin(), async (open) => {
    const parts = createConsoleParts({ ...options, meter: http.requestMeter, script: await loadWebScript(options.webFolder, 'console.js') });
    open.register(consoleAssetRoutes, parts);
    refuseRepeatedMembers(open);
    scope(open, 'signed-in', guards.signedIn(), (people) => {
      asConsole(people, layout);
      scope(people, 'viewer', withRole('viewer'), (viewers) => scope(viewers, 'viewer, cleared device', deviceGuards.clearedDevice(), (cleared) => {
        cleared.register(overviewRoutes, { prefix: consoleHome, ...parts });
      }));
      scope(people, 'admin', withRole('admin'), (admins) => scope(admins, 'admin, cleared device', deviceGuards.clearedDevice(), () => undefined));
    });
  });
}
