import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import type { PaymentContext } from './compose.ts';
import { paymentOperations } from './operations.ts';

/** Webhooks of the payment provider, authenticated by their signature. */
export function registerPayments(
  app: FastifyInstance,
  services: OperationServices & PaymentContext,
): void {
  app.describeTag('payments', 'Webhooks of the payment provider.');
  registerOperations(app, services, paymentOperations);
}
