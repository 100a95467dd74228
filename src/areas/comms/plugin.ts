import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { type OutboxContext, outboxRoutes } from './routes.ts';

/** The outbox for messages without a provider, in development on this machine. */
export function registerComms(
  app: FastifyInstance,
  services: OutboxContext & { scopes: Scopes },
): void {
  services.scopes.identified(app, (everybody) => {
    everybody.register(outboxRoutes, services);
  });
}
