import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import type { Layout } from '../../platform/ui/pages.tsx';
import type { Scopes } from '../../platform/http/access.ts';
import type { composeAnalytics } from './compose.ts';
import { analyticsDisabled } from './disabled.ts';
import { dashboardRoutes } from './figures/routes.dashboard.ts';
import { exportRoutes } from './figures/routes.export.ts';
import { pendingRoutes } from './figures/routes.pending.ts';
import { retentionRoutes } from './figures/routes.retention.ts';
import { funnelAdminRoutes, funnelRoutes } from './goals/routes.funnels.ts';
import { goalAdminRoutes, goalRoutes } from './goals/routes.goals.ts';
import { ingestRoutes } from './ingest/routes.ingest.ts';
import { scriptRoutes } from './ingest/routes.script.ts';
import { sharePageRoutes } from './sharing/shares/routes.page.ts';
import { sharingRoutes } from './sharing/routes.sharing.ts';
import { reportUnsubscribeRoutes } from './sharing/reports/routes.unsubscribe.tsx';
import { createSharePage } from './sharing/shares/share-page.tsx';
import { annotationAdminRoutes, annotationRoutes } from './annotations/routes.annotations.ts';
import { siteAdminRoutes, siteRoutes } from './sites/routes.sites.ts';

interface AnalyticsServices extends Awaited<ReturnType<typeof composeAnalytics>> {
  scopes: Scopes;
  layout: Layout;
  clock: Clock;
  baseOrigin: string;
  /** Folder of the built browser scripts. */
  webFolder: URL;
}

const prefix = '/analytics';

/** Rejects requests for figures on a replica without an event store, after the guards have run. */
function rejectIfDisabled(
  figures: FastifyInstance,
  { figuresAreHere, misrouted }: AnalyticsServices,
): void {
  if (!figuresAreHere)
    figures.addHook('preHandler', () => {
      misrouted.note('query');
      return Promise.reject(analyticsDisabled());
    });
}

/** Public: sending events, and the script that sends them. */
function registerIngest(app: FastifyInstance, services: AnalyticsServices): void {
  const { scopes, ingest, webFolder } = services;
  scopes.identified(app, (senders) => {
    senders.register(ingestRoutes, { prefix, ingest });
  });
  scopes.public(app, (visitors) => {
    visitors.register(scriptRoutes, { webFolder });
  });
}

/** Figures, for callers with `analytics:read`. */
function registerFigures(app: FastifyInstance, services: AnalyticsServices): void {
  const { scopes } = services;
  scopes.withScope('analytics:read', app, (readers) => {
    rejectIfDisabled(readers, services);
    readers.register(dashboardRoutes, { prefix, ...services });
    readers.register(exportRoutes, { prefix, ...services });
    readers.register(siteRoutes, { prefix, ...services });
    readers.register(goalRoutes, { prefix, ...services });
    readers.register(funnelRoutes, { prefix, ...services });
    readers.register(annotationRoutes, { prefix, ...services });
    readers.register(retentionRoutes, { prefix, ...services });
  });
  scopes.withScope('analytics:write', app, (senders) => {
    rejectIfDisabled(senders, services);
    senders.register(pendingRoutes, { prefix, ...services });
  });
}

/** Management of sites and their definitions, for admins. */
function registerAdministration(app: FastifyInstance, services: AnalyticsServices): void {
  services.scopes.withScope('admin', app, (admins) => {
    admins.register(sharingRoutes, { prefix, ...services });
    admins.register(siteAdminRoutes, { prefix, ...services });
    admins.register(goalAdminRoutes, { prefix, ...services });
    admins.register(funnelAdminRoutes, { prefix, ...services });
    admins.register(annotationAdminRoutes, { prefix, ...services });
  });
}

/** Figures for people without an account, by link or email. */
function registerSharing(app: FastifyInstance, services: AnalyticsServices): void {
  const { scopes, shares, reports, layout, baseOrigin } = services;
  // One-click unsubscribe requests (RFC 8058) are sent by mail programs, not by our pages.
  scopes.public(app, (visitors) => {
    visitors.register(reportUnsubscribeRoutes, { prefix: '/analytics/reports', reports, layout });
  });
  scopes.sameOrigin(app, (visitors) => {
    const sharedDashboard = createSharePage(services);
    visitors.register(sharePageRoutes, { shares, layout, baseOrigin, sharedDashboard });
  });
}

/** Registers the routes of analytics. */
export function registerAnalytics(app: FastifyInstance, services: AnalyticsServices): void {
  app.describeTag('analytics', 'Track events and query figures.');
  app.describeTag('sites', 'Sites, their settings and annotations.');
  app.describeTag('goals', 'Goals and funnels.');
  app.describeTag('sharing', 'Share links and email reports.');
  registerIngest(app, services);
  registerFigures(app, services);
  registerAdministration(app, services);
  registerSharing(app, services);
}
