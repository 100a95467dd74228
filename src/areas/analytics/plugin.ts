import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import type { Layout } from '../../platform/ui/pages.tsx';
import { annotationListOperations, annotationOperations } from './annotations/operations.ts';
import type { AnalyticsContext } from './compose.ts';
import { analyticsDisabled } from './disabled.ts';
import { dashboardOperations, retentionOperations } from './figures/operations.ts';
import { goalOperations, goalReportOperations } from './goals/operations.ts';
import { ingestRoutes } from './ingest/routes.ingest.ts';
import { scriptRoutes } from './ingest/routes.script.ts';
import { reportOperations, shareOperations } from './sharing/operations.ts';
import { reportUnsubscribeRoutes } from './sharing/reports/routes.tsx';
import { sharePageRoutes } from './sharing/shares/routes.ts';
import { siteOperations, siteSettingOperations } from './sites/operations.ts';

interface AnalyticsServices extends AnalyticsContext, OperationServices {
  layout: Layout;
  baseOrigin: string;
  /** Folder of the built browser scripts. */
  webFolder: URL;
}

/** Public: sending events, and the script that sends them. */
function registerIngest(app: FastifyInstance, services: AnalyticsServices): void {
  const { scopes, ingest, webFolder } = services;
  scopes.identified(app, (senders) => {
    senders.register(ingestRoutes, { ingest });
  });
  scopes.public(app, (visitors) => {
    visitors.register(scriptRoutes, { webFolder });
  });
}

/** Figures. A replica without an event store rejects them, after the guards have run. */
function registerFigures(app: FastifyInstance, services: AnalyticsServices): void {
  const { figuresAreHere, misrouted } = services;
  app.register(async (figures) => {
    if (!figuresAreHere)
      figures.addHook('preHandler', () => {
        misrouted.note('query');
        return Promise.reject(analyticsDisabled());
      });
    registerOperations(figures, services, [
      ...dashboardOperations,
      ...siteSettingOperations,
      ...goalReportOperations,
      ...annotationListOperations,
      ...retentionOperations,
    ]);
  });
}

/** Figures for people without an account, by link or email. */
function registerSharing(app: FastifyInstance, services: AnalyticsServices): void {
  // One-click unsubscribe requests (RFC 8058) are sent by email clients, not by our pages.
  services.scopes.public(app, (visitors) => {
    visitors.register(reportUnsubscribeRoutes, services);
  });
  services.scopes.sameOrigin(app, (visitors) => {
    visitors.register(sharePageRoutes, services);
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
  registerOperations(app, services, [
    ...shareOperations,
    ...reportOperations,
    ...siteOperations,
    ...goalOperations,
    ...annotationOperations,
  ]);
  registerSharing(app, services);
}
