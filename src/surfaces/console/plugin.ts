import type { FastifyInstance } from 'fastify';
import { createSeal } from '../../lib/secrets/seal.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { scope } from '../../platform/http/scopes.ts';
import { actionPages } from './actions/routes.ts';
import { dashboardRoutes } from './analytics/dashboard/routes.dashboard.ts';
import { fileRoutes } from './analytics/dashboard/routes.files.ts';
import { goalFormRoutes, goalPageRoutes } from './analytics/goals/routes.goals.tsx';
import { sharingFormRoutes } from './analytics/site/routes.sharing.ts';
import { siteFormRoutes, sitePageRoutes } from './analytics/site/routes.site.tsx';
import { visitorRoutes } from './analytics/visitors/routes.visitors.ts';
import type { ConsoleContext } from './context.ts';
import { configurePages, withRole } from './guards.ts';
import { createKeptForms } from './kept-forms.ts';
import { createConsoleLayout } from './layout.tsx';
import { nfcWriteRoutes } from './nfc/routes.nfc.ts';
import { qrFileRoutes } from './qr/files/routes.files.ts';
import { qrLabelRoutes } from './qr/labels/routes.labels.ts';
import { qrLogoRoutes } from './qr/logos/routes.logos.ts';
import { qrConsoleRoutes } from './qr/routes.qr.ts';
import { jobRoutes } from './operations/routes.jobs.ts';
import { overviewRoutes } from './operations/routes.overview.ts';
import { realtimeRoutes } from './operations/routes.realtime.ts';
import { settingsRoutes } from './operations/routes.settings.ts';
import { contactRoutes } from './contact/routes.contact.ts';
import { accountFormRoutes } from './people/users/routes.accounts.ts';
import { factorResetFormRoutes } from './people/users/routes.factor-reset.ts';
import { auditRoutes } from './people/audit/routes.audit.ts';
import { invitationRoutes } from './people/invitations/routes.invitations.ts';
import { clearanceRoutes } from './people/devices/routes.clearance.ts';
import { deviceRoutes } from './people/devices/routes.devices.ts';
import { keyRoutes } from './people/keys/routes.keys.ts';
import { userPageRoutes } from './people/users/routes.users.ts';
import { webhookRoutes } from './people/keys/routes.webhook.ts';
import { resourceRoutes } from './resources/routes.resources.ts';
import {
  type ConsoleRoute,
  type ConsoleRoutesOptions,
  createResponses,
} from './request-context.ts';
import { searchRoutes } from './search/routes.search.ts';
import { createSearchTerms } from './search/search-terms.ts';
import { statusForms, statusPages } from './status/routes.status.ts';
import { waitlistConsoleRoutes } from './waitlist/routes.waitlist.ts';

/** Pages for everybody with a role. */
const viewerRoutes: readonly ConsoleRoute[] = statusPages;

/** Pages about users and operations, and every form that changes something. */
const adminRoutes: readonly ConsoleRoute[] = statusForms;

/** Pages for everybody with a role. */
function registerViewerRoutes(app: FastifyInstance, options: ConsoleRoutesOptions): void {
  app.register(overviewRoutes, options);
  app.register(searchRoutes, options);
  for (const add of viewerRoutes) add(app, options);
  app.register(realtimeRoutes, options);
  app.register(dashboardRoutes, options);
  app.register(fileRoutes, options);
  app.register(visitorRoutes, options);
  app.register(goalPageRoutes, options);
  app.register(sitePageRoutes, options);
}

/** Pages about users and operations, and every form that changes something. */
function registerAdminRoutes(app: FastifyInstance, options: ConsoleRoutesOptions): void {
  app.register(userPageRoutes, options);
  app.register(accountFormRoutes, options);
  app.register(factorResetFormRoutes, options);
  app.register(invitationRoutes, options);
  app.register(deviceRoutes, options);
  app.register(clearanceRoutes, options);
  app.register(keyRoutes, options);
  app.register(webhookRoutes, options);
  app.register(auditRoutes, options);
  for (const add of adminRoutes) add(app, options);
  app.register(contactRoutes, options);
  app.register(waitlistConsoleRoutes, options);
  app.register(qrConsoleRoutes, options);
  app.register(qrFileRoutes, options);
  app.register(qrLabelRoutes, options);
  app.register(qrLogoRoutes, options);
  app.register(nfcWriteRoutes, options);
  app.register(jobRoutes, options);
  app.register(settingsRoutes, options);
  app.register(goalFormRoutes, options);
  app.register(siteFormRoutes, options);
  app.register(sharingFormRoutes, options);
  app.register(resourceRoutes, options);
  app.register(actionPages, options);
}

/** The console: for users with a role, on cleared devices. */
export function registerConsole(http: FastifyInstance, context: ConsoleContext): void {
  const { scopes, deviceGuards, keys } = context.services;
  scopes.sameOrigin(http, (open) => {
    const layout = createConsoleLayout({
      appName: context.appName,
      assets: context.assets,
    });
    const options: ConsoleRoutesOptions = {
      ...context,
      ...context.services,
      ...createResponses(context, layout),
      searchTerms: createSearchTerms(createSeal(keys('console-search'))),
    };
    const keptForms = createKeptForms({
      redis: context.services.redis,
      seal: createSeal(keys('console-forms')),
    });
    refuseRepeatedMembers(open);
    scopes.signedIn(open, (users) => {
      configurePages(users, context, keptForms);
      scope(users, 'viewer', withRole('viewer'), (viewers) =>
        scope(viewers, 'viewer, approved device', deviceGuards.clearedDevice(), (cleared) =>
          registerViewerRoutes(cleared, options),
        ),
      );
      scope(users, 'admin', withRole('admin'), (admins) =>
        scope(admins, 'admin, approved device', deviceGuards.clearedDevice(), (cleared) =>
          registerAdminRoutes(cleared, options),
        ),
      );
    });
  });
}
