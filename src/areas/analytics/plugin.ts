import type { FastifyInstance } from 'fastify';
import type { Layout } from '../../platform/ui/pages.ts';
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
import { reportUnsubscribeRoutes } from './sharing/reports/routes.unsubscribe.ts';
import { createSharePage } from './sharing/shares/share-page.ts';
import { annotationAdminRoutes, annotationRoutes } from './annotations/routes.annotations.ts';
import { siteAdminRoutes, siteRoutes } from './sites/routes.sites.ts';

interface AnalyticsServices extends Awaited<ReturnType<typeof composeAnalytics>> {
  scopes: Scopes;
  layout: Layout;
  baseOrigin: string;
  /** The folder of the built scripts of pages. */
  webFolder: URL;
}

const prefix = '/analytics';

/**
 * Refuses what concerns figures on a replica that has none, after the guards have looked at who
 * asks.
 */
function refuseElsewhere(figures: FastifyInstance, { figuresAreHere }: AnalyticsServices): void {
  if (!figuresAreHere) figures.addHook('preHandler', () => Promise.reject(analyticsDisabled()));
}

/** Events come from everybody, and the script that sends them goes to everybody. */
function registerIngest(app: FastifyInstance, services: AnalyticsServices): void {
  const { scopes, ingest, webFolder } = services;
  scopes.identified(app, (senders) => {
    senders.register(ingestRoutes, { prefix, ingest });
  });
  scopes.public(app, (everybody) => {
    everybody.register(scriptRoutes, { webFolder });
  });
}

/** Figures: for whoever may read them, people on cleared devices. */
function registerFigures(app: FastifyInstance, services: AnalyticsServices): void {
  const { scopes } = services;
  scopes.withScope('analytics:read', app, (readers) => {
    refuseElsewhere(readers, services);
    readers.register(dashboardRoutes, { prefix, ...services });
    readers.register(exportRoutes, { prefix, ...services });
    readers.register(siteRoutes, { prefix, ...services });
    readers.register(goalRoutes, { prefix, ...services });
    readers.register(funnelRoutes, { prefix, ...services });
    readers.register(annotationRoutes, { prefix, ...services });
    readers.register(retentionRoutes, { prefix, ...services });
  });
  scopes.withScope('analytics:write', app, (senders) => {
    refuseElsewhere(senders, services);
    senders.register(pendingRoutes, { prefix, ...services });
  });
}

/** Sites and what belongs to them: changed by admins. */
function registerAdministration(app: FastifyInstance, services: AnalyticsServices): void {
  services.scopes.withScope('admin', app, (admins) => {
    admins.register(sharingRoutes, { prefix, ...services });
    admins.register(siteAdminRoutes, { prefix, ...services });
    admins.register(goalAdminRoutes, { prefix, ...services });
    admins.register(funnelAdminRoutes, { prefix, ...services });
    admins.register(annotationAdminRoutes, { prefix, ...services });
  });
}

/** Figures for people without an account: by a link, or by mail. */
function registerSharing(app: FastifyInstance, services: AnalyticsServices): void {
  const { scopes, shares, reports, layout, baseOrigin } = services;
  // Mail programs end reports with one click (RFC 8058), which comes from no page of ours.
  scopes.public(app, (everybody) => {
    everybody.register(reportUnsubscribeRoutes, { prefix: '/analytics/reports', reports, layout });
  });
  scopes.sameOrigin(app, (everybody) => {
    const sharedDashboard = createSharePage(services);
    everybody.register(sharePageRoutes, { shares, layout, baseOrigin, sharedDashboard });
  });
}

/** Events in, figures out. */
export function registerAnalytics(app: FastifyInstance, services: AnalyticsServices): void {
  app.describeTag('analytics', 'Events in, figures out.');
  registerIngest(app, services);
  registerFigures(app, services);
  registerAdministration(app, services);
  registerSharing(app, services);
}
