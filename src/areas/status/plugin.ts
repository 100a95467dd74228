import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { Scopes } from '../../platform/http/access.ts';
import { type StatusFeedRoutesOptions, statusFeedRoutes } from './feeds/routes.feeds.ts';
import { type StatusPageRoutesOptions, statusPageRoutes } from './pages/routes.pages.ts';
import { statusAdminRoutes } from './routes.admin.ts';
import { statusRoutes } from './feeds/routes.summary.ts';
import type { Status } from './service.ts';
import {
  type SubscriptionRoutesOptions,
  subscriptionRoutes,
  unsubscriptionRoutes,
} from './subscriptions/routes.subscriptions.ts';
import type { SubscriberAdmin } from './subscriptions/subscriber-admin.ts';

type StatusServices = Omit<StatusFeedRoutesOptions & StatusPageRoutesOptions, 'status'> &
  SubscriptionRoutesOptions & { scopes: Scopes; status: Status; subscribers: SubscriberAdmin };

/** Registers the public status pages, feeds and subscriptions, and the admin routes for them. */
export function registerStatus(app: FastifyInstance, services: StatusServices): void {
  app.describeTag('status', 'Public status page, components and subscribers.');
  app.describeTag('incidents', 'Incidents and scheduled maintenance.');
  const { scopes, status, subscribers } = services;
  scopes.identified(app, (everybody) => {
    everybody.register(statusRoutes, { prefix: '/api/status', status });
  });
  scopes.public(app, (pages) => {
    refuseRepeatedMembers(pages);
    pages.register(statusPageRoutes, { prefix: '/status', ...services });
    pages.register(statusFeedRoutes, { prefix: '/status', ...services });
    pages.register(unsubscriptionRoutes, { prefix: '/status', ...services });
  });
  scopes.forms(app, (pages) => {
    refuseRepeatedMembers(pages);
    pages.register(subscriptionRoutes, { prefix: '/status', ...services });
  });
  scopes.withScope('admin', app, (admins) => {
    admins.register(statusAdminRoutes, { prefix: '/api/v1/status', status, subscribers });
  });
}
