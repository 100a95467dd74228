import type { FastifyInstance } from 'fastify';
import { consoleAssetRoutes } from '../surfaces/console/routes.assets.ts';
import { visitorRoutes } from '../surfaces/console/analytics/routes.visitors.ts';
import { analyticsPageRoutes } from '../surfaces/console/analytics/routes.analytics.ts';
import { goalFormRoutes, goalPageRoutes } from '../surfaces/console/analytics/routes.goals.ts';
import { siteFormRoutes, sitePageRoutes } from '../surfaces/console/analytics/routes.site.ts';
import { jobPageRoutes } from '../surfaces/console/operations/routes.jobs.ts';
import { auditDeskRoutes } from '../surfaces/console/people/routes.audit.ts';
import { deviceDeskRoutes } from '../surfaces/console/people/routes.devices.ts';
import { keyDeskRoutes } from '../surfaces/console/people/routes.keys.ts';
import { searchRoutes } from '../surfaces/console/routes.search.ts';
import { userRoutes } from '../surfaces/console/people/routes.users.ts';
import { overviewRoutes } from '../surfaces/console/operations/routes.overview.ts';
import { realtimePageRoutes } from '../surfaces/console/operations/routes.realtime.ts';
import { settingsPageRoutes } from '../surfaces/console/operations/routes.settings.ts';
import { statusFormRoutes, statusLookRoutes } from '../surfaces/console/status/routes.status.ts';
import { asConsole, withRole } from '../surfaces/console/guards.ts';
import { refuseRepeatedMembers } from '../platform/http/body-parsers.ts';
import { consolePath } from '../lib/site-paths.ts';
import { scope } from '../platform/http/scopes.ts';
import { loadWebScript } from '../platform/ui/web-script.ts';
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
          cleared.register(overviewRoutes, { prefix: consolePath, ...parts });
          cleared.register(searchRoutes, { prefix: consolePath, ...parts });
          cleared.register(statusLookRoutes, { prefix: consolePath.slice(0, -1), ...parts });
          cleared.register(realtimePageRoutes, { prefix: consolePath.slice(0, -1), ...parts });
          cleared.register(analyticsPageRoutes, { prefix: `${consolePath}analytics`, ...parts });
          cleared.register(visitorRoutes, { prefix: `${consolePath}analytics`, ...parts });
          cleared.register(goalPageRoutes, { prefix: `${consolePath}analytics/goals`, ...parts });
          cleared.register(sitePageRoutes, { prefix: `${consolePath}analytics/site`, ...parts });
        }),
      );
      scope(people, 'admin', withRole('admin'), (admins) =>
        scope(admins, 'admin, cleared device', deviceGuards.clearedDevice(), (cleared) => {
          cleared.register(statusFormRoutes, { prefix: consolePath.slice(0, -1), ...parts });
          cleared.register(jobPageRoutes, { prefix: consolePath.slice(0, -1), ...parts });
          cleared.register(settingsPageRoutes, { prefix: consolePath.slice(0, -1), ...parts });
          cleared.register(userRoutes, { prefix: `${consolePath}users`, ...parts });
          cleared.register(deviceDeskRoutes, { prefix: `${consolePath}devices`, ...parts });
          cleared.register(keyDeskRoutes, { prefix: `${consolePath}keys`, ...parts });
          cleared.register(auditDeskRoutes, { prefix: `${consolePath}audit`, ...parts });
          cleared.register(goalFormRoutes, { prefix: `${consolePath}analytics/goals`, ...parts });
          cleared.register(siteFormRoutes, { prefix: `${consolePath}analytics/site`, ...parts });
        }),
      );
    });
  });
}
