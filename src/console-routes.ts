import type { FastifyInstance } from 'fastify';
import { consoleAssetRoutes } from './areas/console/routes.assets.ts';
import { visitorRoutes } from './areas/console/routes.visitors.ts';
import { analyticsPageRoutes } from './areas/console/routes.analytics.ts';
import { goalFormRoutes, goalPageRoutes } from './areas/console/routes.goals.ts';
import { siteFormRoutes, sitePageRoutes } from './areas/console/routes.site.ts';
import { jobPageRoutes } from './areas/console/routes.jobs.ts';
import { auditDeskRoutes } from './areas/console/routes.audit.ts';
import { deviceDeskRoutes } from './areas/console/routes.devices.ts';
import { keyDeskRoutes } from './areas/console/routes.keys.ts';
import { searchRoutes } from './areas/console/routes.search.ts';
import { userRoutes } from './areas/console/routes.users.ts';
import { overviewRoutes } from './areas/console/routes.overview.ts';
import { realtimePageRoutes } from './areas/console/routes.realtime.ts';
import { settingsPageRoutes } from './areas/console/routes.settings.ts';
import { statusFormRoutes, statusLookRoutes } from './areas/console/routes.status.ts';
import { asConsole, withRole } from './areas/console/guards.ts';
import { refuseRepeatedMembers } from './platform/body-parsers.ts';
import { consoleHome } from './platform/console-place.ts';
import { scope } from './platform/scopes.ts';
import { loadWebScript } from './platform/web-script.ts';
import { createConsoleParts, type ConsoleParts } from './console-services.ts';

/** The console: for people with a role on cleared devices; who changes something is an admin. */
export function registerConsole(
  http: FastifyInstance,
  options: Omit<ConsoleParts, 'script' | 'meter'> & { webFolder: URL },
): void {
  const { guards, deviceGuards } = options.services;
  scope(http, 'public', guards.sameOrigin(), async (open) => {
    const parts = createConsoleParts({
      ...options,
      meter: http.requestMeter,
      script: await loadWebScript(options.webFolder, 'console.js'),
    });
    open.register(consoleAssetRoutes, parts);
    refuseRepeatedMembers(open);
    scope(open, 'signed-in', guards.signedIn(), (people) => {
      asConsole(people, options.services);
      scope(people, 'viewer', withRole('viewer'), (viewers) =>
        scope(viewers, 'viewer, cleared device', deviceGuards.clearedDevice(), (cleared) => {
          cleared.register(overviewRoutes, { prefix: consoleHome, ...parts });
          cleared.register(searchRoutes, { prefix: consoleHome, ...parts });
          cleared.register(statusLookRoutes, { prefix: consoleHome.slice(0, -1), ...parts });
          cleared.register(realtimePageRoutes, { prefix: consoleHome.slice(0, -1), ...parts });
          cleared.register(analyticsPageRoutes, { prefix: `${consoleHome}analytics`, ...parts });
          cleared.register(visitorRoutes, { prefix: `${consoleHome}analytics`, ...parts });
          cleared.register(goalPageRoutes, { prefix: `${consoleHome}analytics/goals`, ...parts });
          cleared.register(sitePageRoutes, { prefix: `${consoleHome}analytics/site`, ...parts });
        }),
      );
      scope(people, 'admin', withRole('admin'), (admins) =>
        scope(admins, 'admin, cleared device', deviceGuards.clearedDevice(), (cleared) => {
          cleared.register(statusFormRoutes, { prefix: consoleHome.slice(0, -1), ...parts });
          cleared.register(jobPageRoutes, { prefix: consoleHome.slice(0, -1), ...parts });
          cleared.register(settingsPageRoutes, { prefix: consoleHome.slice(0, -1), ...parts });
          cleared.register(userRoutes, { prefix: `${consoleHome}users`, ...parts });
          cleared.register(deviceDeskRoutes, { prefix: `${consoleHome}devices`, ...parts });
          cleared.register(keyDeskRoutes, { prefix: `${consoleHome}keys`, ...parts });
          cleared.register(auditDeskRoutes, { prefix: `${consoleHome}audit`, ...parts });
          cleared.register(goalFormRoutes, { prefix: `${consoleHome}analytics/goals`, ...parts });
          cleared.register(siteFormRoutes, { prefix: `${consoleHome}analytics/site`, ...parts });
        }),
      );
    });
  });
}
