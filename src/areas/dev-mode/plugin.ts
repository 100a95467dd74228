import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { developmentRoutes } from './routes.ts';
import { createDevelopmentReports, type DevelopmentContext } from './service.ts';

/** Registers the reports about development mode. */
export function registerDevelopment(
  app: FastifyInstance,
  services: DevelopmentContext & { scopes: Scopes },
): void {
  app.describeTag('development', 'Development mode: who may use what.');
  const reports = createDevelopmentReports(services);
  services.scopes.identified(app, (everybody) => developmentRoutes(everybody, reports));
}
