import type { FastifyInstance } from 'fastify';
import { dashboardRoutes } from './areas/analytics/routes.dashboard.ts';
import { exportRoutes } from './areas/analytics/routes.export.ts';
import { scope } from './platform/scopes.ts';
import type { Services } from './services.ts';

/** The figures of sites and what they are made of: reading for whoever may read them, changes for admins; people on cleared devices only. */
export function registerFigures(http: FastifyInstance, services: Services): void {
  const { guards, deviceGuards } = services;
  const cleared = deviceGuards.clearedDevice();
  scope(http, 'analytics:read', guards.requireScope('analytics:read'), (keys) => scope(keys, 'analytics:read, cleared device', cleared, (readers) => {
    readers.register(dashboardRoutes, { prefix: '/analytics', ...services });
    readers.register(exportRoutes, { prefix: '/analytics', ...services });
  }));
  scope(http, 'admin', guards.requireScope('admin'), (keys) => scope(keys, 'admin, cleared device', cleared, () => undefined));
}
