import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { Scopes } from '../../platform/http/access.ts';
import { paymentRoutes } from './routes.ts';
import type { Payments } from './service.ts';

/** Webhooks of the payment provider, authenticated by their signature. */
export function registerPayments(
  app: FastifyInstance,
  { scopes, payments }: { scopes: Scopes; payments: Payments },
): void {
  app.describeTag('payments', 'Webhooks of the payment provider.');
  scopes.public(app, (provider) => {
    refuseRepeatedMembers(provider);
    provider.register(paymentRoutes, { payments });
  });
}
