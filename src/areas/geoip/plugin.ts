import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import type { GeoipContext } from './compose.ts';
import { geoipOperations } from './operations.ts';

/** Registers the public operations for facts about IP addresses. */
export function registerGeoip(
  app: FastifyInstance,
  services: OperationServices & GeoipContext,
): void {
  app.describeTag('geoip', 'Look up IP addresses: country, region, city and network.');
  registerOperations(app, services, geoipOperations);
}
