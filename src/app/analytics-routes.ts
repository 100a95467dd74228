import type { FastifyInstance } from 'fastify';
import { elsewhere } from '../areas/analytics/disabled.ts';
import {
  annotationAdminRoutes,
  annotationRoutes,
} from '../areas/analytics/annotations/routes.annotations.ts';
import { dashboardRoutes } from '../areas/analytics/figures/routes.dashboard.ts';
import { exportRoutes } from '../areas/analytics/figures/routes.export.ts';
import { funnelAdminRoutes, funnelRoutes } from '../areas/analytics/goals/routes.funnels.ts';
import { goalAdminRoutes, goalRoutes } from '../areas/analytics/goals/routes.goals.ts';
import { pendingRoutes } from '../areas/analytics/figures/routes.pending.ts';
import { reportUnsubscribeRoutes } from '../areas/analytics/sharing/reports/routes.unsubscribe.ts';
import { retentionRoutes } from '../areas/analytics/figures/routes.retention.ts';
import { sharePageRoutes } from '../areas/analytics/sharing/shares/routes.page.ts';
import { sharingRoutes } from '../areas/analytics/sharing/routes.sharing.ts';
import { siteAdminRoutes, siteRoutes } from '../areas/analytics/sites/routes.sites.ts';
import { createSharePage } from '../areas/analytics/sharing/shares/share-page.ts';
import { scope } from '../platform/http/scopes.ts';
import type { Services } from './services.ts';

/** Refuses what concerns figures on a replica that has none, after the guards have looked at who asks. */
function refuseElsewhere(figures: FastifyInstance, { figuresAreHere }: Services): void {
  if (!figuresAreHere) figures.addHook('preHandler', () => Promise.reject(elsewhere()));
}

/** The figures of sites and what they are made of: reading for whoever may read them, changes for admins; people on cleared devices only. */
export function registerFigures(http: FastifyInstance, services: Services): void {
  const { guards, deviceGuards } = services;
  const cleared = deviceGuards.clearedDevice();
  scope(http, 'analytics:read', guards.requireScope('analytics:read'), (keys) =>
    scope(keys, 'analytics:read, cleared device', cleared, (readers) => {
      refuseElsewhere(readers, services);
      readers.register(dashboardRoutes, { prefix: '/analytics', ...services });
      readers.register(exportRoutes, { prefix: '/analytics', ...services });
      readers.register(siteRoutes, { prefix: '/analytics', ...services });
      readers.register(goalRoutes, { prefix: '/analytics', ...services });
      readers.register(funnelRoutes, { prefix: '/analytics', ...services });
      readers.register(annotationRoutes, { prefix: '/analytics', ...services });
      readers.register(retentionRoutes, { prefix: '/analytics', ...services });
    }),
  );
  scope(http, 'analytics:write', guards.requireScope('analytics:write'), (keys) =>
    scope(keys, 'analytics:write, cleared device', cleared, (senders) => {
      refuseElsewhere(senders, services);
      senders.register(pendingRoutes, { prefix: '/analytics', ...services });
    }),
  );
  scope(http, 'admin', guards.requireScope('admin'), (keys) =>
    scope(keys, 'admin, cleared device', cleared, (admins) => {
      admins.register(sharingRoutes, { prefix: '/analytics', ...services });
      admins.register(siteAdminRoutes, { prefix: '/analytics', ...services });
      admins.register(goalAdminRoutes, { prefix: '/analytics', ...services });
      admins.register(funnelAdminRoutes, { prefix: '/analytics', ...services });
      admins.register(annotationAdminRoutes, { prefix: '/analytics', ...services });
    }),
  );
  // No guard: mail programs end reports with one click, which comes from no page of ours.
  scope(
    http,
    'public',
    undefined,
    (open) =>
      void open.register(reportUnsubscribeRoutes, { prefix: '/analytics/reports', ...services }),
  );
  scope(
    http,
    'public',
    guards.sameOrigin(),
    (open) =>
      void open.register(sharePageRoutes, {
        ...services,
        sharedDashboard: createSharePage(services),
      }),
  );
}
