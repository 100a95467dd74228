import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { type HealthContext, healthOperations } from './operations.ts';

/** Registers the probes. They need no credentials, except for the details that admins get. */
export function registerHealth(
  app: FastifyInstance,
  services: OperationServices & HealthContext,
): void {
  app.describeTag('health', 'Health checks and probes.');
  registerOperations(app, services, healthOperations);
}
