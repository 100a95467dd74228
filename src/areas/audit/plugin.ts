import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { auditOperations } from './operations.ts';
import type { Audit } from './service.ts';

/** The audit log, for admins. */
export function registerAudit(
  app: FastifyInstance,
  services: OperationServices & { audit: Audit },
): void {
  app.describeTag('audit', 'Query the audit log.');
  registerOperations(app, services, auditOperations);
}
