import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { type OutboxRoutesOptions, outboxRoutes } from './routes.outbox.ts';

/** The outbox for messages without a provider, in development on this machine. */
export function registerComms(
  app: FastifyInstance,
  { scopes, outbox, layout, development }: OutboxRoutesOptions & { scopes: Scopes },
): void {
  scopes.identified(app, (everybody) => {
    everybody.register(outboxRoutes, { outbox, layout, development });
  });
}
