import type { FastifyPluginAsync } from 'fastify';
import { noStore } from '../../platform/http/security.ts';
import { componentRoutes } from './components/routes.components.ts';
import { incidentRoutes } from './incidents/routes.incidents.ts';
import { maintenanceRoutes } from './incidents/routes.maintenances.ts';
import type { Status } from './service.ts';
import { subscriberRoutes } from './subscriptions/routes.subscribers.ts';
import type { SubscriberAdmin } from './subscriptions/subscriber-admin.ts';

export interface StatusAdminRoutesOptions {
  status: Status;
  subscribers: SubscriberAdmin;
}

/** Admin routes of the status page. */
export const statusAdminRoutes: FastifyPluginAsync<StatusAdminRoutesOptions> = async (
  app,
  { status, subscribers },
) => {
  const { incidents, maintenances } = status;
  noStore(app);
  await app.register(componentRoutes, { prefix: '/components', status });
  await app.register(incidentRoutes, { prefix: '/incidents', incidents });
  await app.register(maintenanceRoutes, { prefix: '/maintenances', maintenances });
  await app.register(subscriberRoutes, { prefix: '/subscribers', subscribers });
};
