import type { FastifyInstance } from 'fastify';
import type { Role } from '../../lib/access.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { scope } from '../../platform/http/scopes.ts';
import { dashboardPages } from './analytics/dashboard/routes.dashboard.ts';
import { filePages } from './analytics/dashboard/routes.files.ts';
import { goalForms, goalPages } from './analytics/goals/routes.goals.ts';
import { siteForms, siteSettingsPages } from './analytics/site/routes.site.ts';
import { visitorPages } from './analytics/visitors/routes.visitors.ts';
import { confirmRoutes } from './confirm/routes.confirm.ts';
import { contactRoutes } from './contact/routes.contact.ts';
import type { ConsoleContext } from './context.ts';
import { configurePages, withRole } from './guards.ts';
import { createSavedForms } from './saved-forms.ts';
import { createConsoleLayout } from './layout.tsx';
import { alarmRoutes } from './nfc/routes.alarms.ts';
import { tagRoutes } from './nfc/routes.tag.ts';
import { tagListRoutes } from './nfc/routes.tags.ts';
import { jobRoutes } from './operations/routes.jobs.ts';
import { healthRoute, overviewRoute, realtimeRoutes } from './operations/routes.operations.ts';
import { settingsRoutes } from './settings/routes.settings.ts';
import { auditRoutes } from './people/audit/routes.audit.ts';
import { deviceRoutes } from './people/devices/routes.devices.ts';
import { invitationRoutes } from './people/invitations/routes.invitations.ts';
import { keyRoutes } from './people/keys/routes.keys.ts';
import { webhookRoutes } from './people/keys/routes.webhook.ts';
import { signUpRoutes } from './people/sign-ups/routes.sign-ups.ts';
import { userRoutes } from './people/users/routes.users.ts';
import { qrRoutes } from './qr/routes.qr.ts';
import {
  type ConsoleRoute,
  type ConsoleRoutesOptions,
  createResponses,
} from './request-context.ts';
import { movedRoutes } from './routes.moved.ts';
import { resourceRoutes } from './resources/routes.resources.ts';
import { searchRoutes } from './search/routes.search.ts';
import { createSearchTerms } from './search/search-terms.ts';
import { statusForms, statusPages } from './status/routes.status.ts';
import { createWaiting } from './waiting.ts';
import { waitlistRoutes } from './waitlist/routes.waitlist.ts';

/** Pages for everybody with a role. */
const viewerRoutes: readonly ConsoleRoute[] = [
  overviewRoute,
  healthRoute,
  ...searchRoutes,
  ...statusPages,
  ...realtimeRoutes,
  ...dashboardPages,
  ...filePages,
  ...visitorPages,
  ...goalPages,
  ...siteSettingsPages,
];

/** Pages about users and operations, and every form that changes something. */
const adminRoutes = (context: ConsoleContext): ConsoleRoute[] => [
  ...confirmRoutes,
  ...userRoutes,
  ...invitationRoutes,
  ...signUpRoutes,
  ...deviceRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...statusForms,
  ...contactRoutes,
  ...waitlistRoutes,
  ...qrRoutes,
  ...tagListRoutes(context),
  ...alarmRoutes,
  ...tagRoutes,
  ...jobRoutes,
  ...settingsRoutes,
  ...goalForms,
  ...siteForms,
  ...resourceRoutes(context.resourceList),
  ...movedRoutes,
];

/** The console: for users with a role, on cleared devices. */
export function registerConsole(http: FastifyInstance, context: ConsoleContext): void {
  const { scopes, deviceGuards, keys, redis, brand, assets } = context;
  scopes.sameOrigin(http, (open) => {
    const layout = createConsoleLayout({ brand, assets });
    const ofAdmins = adminRoutes(context);
    const waiting = createWaiting(context);
    const options: ConsoleRoutesOptions = {
      ...context,
      ...createResponses({ ...context, waiting }, layout),
      waiting,
      searchTerms: createSearchTerms(createSeal(keys('console-search'))),
      routes: [...viewerRoutes, ...ofAdmins],
    };
    const savedForms = createSavedForms({ redis, seal: createSeal(keys('console-forms')) });
    refuseRepeatedMembers(open);
    scopes.signedIn(open, (users) => {
      configurePages(users, context, savedForms);
      const register = (role: Role, routes: readonly ConsoleRoute[]) =>
        scope(users, role, withRole(role), (holders) =>
          scope(holders, `${role}, approved device`, deviceGuards.clearedDevice(), (cleared) => {
            for (const { add } of routes) add(cleared, options);
          }),
        );
      register('viewer', viewerRoutes);
      register('admin', ofAdmins);
    });
  });
}
