import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { changeResponseHeaders } from '../../platform/http/security.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import type { DeliverabilityContext } from './compose.ts';
import { checkOperations, shortRuleOperations } from './operations.ts';
import { deliverabilityPages } from './routes.ts';
import { bulkOperations, zoneOperations } from './zones/operations.ts';

/** Registers the public checks of postal codes, by API and on a page, and zones for admins. */
export function registerDeliverability(
  app: FastifyInstance,
  services: DeliverabilityContext & OperationServices & { siteLayout: SiteLayout },
): void {
  app.describeTag('deliverability', 'Delivery zones and postal code checks.');
  app.register(async (checks) => {
    changeResponseHeaders(checks, { 'cache-control': 'no-store' });
    registerOperations(checks, services, checkOperations);
  });
  services.scopes.forms(app, (pages) => {
    refuseRepeatedMembers(pages);
    pages.register(deliverabilityPages, services);
  });
  registerOperations(app, services, [...zoneOperations, ...bulkOperations, ...shortRuleOperations]);
}
