import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import type { Scopes } from '../../platform/http/access.ts';
import type { Deliverability } from './checking.ts';
import { bulkRoutes } from './routes.bulk.ts';
import { deliverabilityDemoRoutes } from './routes.demo.ts';
import { shortRuleRoutes } from './routes.rules.ts';
import { deliverabilityRoutes } from './routes.ts';
import { zoneRoutes } from './zones/routes.zones.ts';
import type { Zones } from './zones/zones.ts';

interface DeliverabilityServices {
  scopes: Scopes;
  deliverability: Deliverability;
  zones: Zones;
  siteLayout: SiteLayout;
}

/** Public checks of postal codes, by API and on a page, and routes for admins to manage zones. */
export function registerDeliverability(
  app: FastifyInstance,
  { scopes, deliverability, zones, siteLayout }: DeliverabilityServices,
): void {
  app.describeTag('deliverability', 'Delivery zones and postal code checks.');
  scopes.identified(app, (everybody) => {
    everybody.register(deliverabilityRoutes, { deliverability });
  });
  scopes.forms(app, (pages) => {
    refuseRepeatedMembers(pages);
    pages.register(deliverabilityDemoRoutes, { deliverability, siteLayout });
  });
  scopes.withScope('admin', app, (admins) => {
    admins.register(zoneRoutes, { zones });
    admins.register(bulkRoutes, { zones });
    admins.register(shortRuleRoutes, { zones });
  });
}
