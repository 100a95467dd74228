import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { componentOperations } from './components/operations.ts';
import type { StatusContext } from './compose.ts';
import { type StatusFeedRoutesOptions, statusFeedRoutes } from './feeds/routes.ts';
import { type StatusPageRoutesOptions, statusPageRoutes } from './pages/routes.ts';
import { incidentOperations, maintenanceOperations } from './incidents/operations.ts';
import { statusRoutes } from './feeds/routes.summary.ts';
import { subscriberOperations } from './subscriptions/operations.ts';
import {
  type SubscriptionRoutesOptions,
  subscriptionRoutes,
  unsubscriptionRoutes,
} from './subscriptions/routes.ts';

type StatusServices = Omit<StatusFeedRoutesOptions & StatusPageRoutesOptions, 'status'> &
  SubscriptionRoutesOptions &
  OperationServices &
  StatusContext;

/** Registers the public status pages, feeds and subscriptions, and the admin routes for them. */
export function registerStatus(app: FastifyInstance, services: StatusServices): void {
  app.describeTag('status', 'Public status page, components and subscribers.');
  app.describeTag('incidents', 'Incidents and scheduled maintenance.');
  const { scopes, status } = services;
  scopes.identified(app, (everybody) => {
    everybody.register(statusRoutes, { status });
  });
  scopes.public(app, (pages) => {
    refuseRepeatedMembers(pages);
    pages.register(statusPageRoutes, services);
    pages.register(statusFeedRoutes, services);
    pages.register(unsubscriptionRoutes, services);
  });
  scopes.forms(app, (pages) => {
    refuseRepeatedMembers(pages);
    pages.register(subscriptionRoutes, services);
  });
  registerOperations(app, services, [
    ...componentOperations,
    ...incidentOperations,
    ...maintenanceOperations,
    ...subscriberOperations,
  ]);
}
