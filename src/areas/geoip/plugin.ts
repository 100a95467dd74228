import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { geoipRoutes } from './routes.ts';
import type { AddressFacts } from './service.ts';

/** Registers the public routes for facts about IP addresses. */
export function registerGeoip(
  app: FastifyInstance,
  { scopes, addressFacts }: { scopes: Scopes; addressFacts: AddressFacts },
): void {
  app.describeTag('geoip', 'Look up IP addresses: country, region, city and network.');
  scopes.identified(app, (everybody) => {
    everybody.register(geoipRoutes, { addressFacts });
  });
}
