import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { type HealthRoutesOptions, healthRoutes } from './routes.ts';

/** Registers the probes. They need no credentials, except for the details that admins get. */
export function registerHealth(
  app: FastifyInstance,
  { scopes, ...options }: HealthRoutesOptions & { scopes: Scopes },
): void {
  app.describeTag('health', 'Health checks and probes.');
  scopes.public(app, (probes) => {
    probes.register(healthRoutes, { prefix: '/api/health', ...options });
  });
}
