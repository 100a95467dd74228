import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { auditRoutes } from './routes.ts';
import type { Audit } from './service.ts';

/** The audit log, for admins. */
export function registerAudit(
  app: FastifyInstance,
  { scopes, audit }: { scopes: Scopes; audit: Audit },
): void {
  app.describeTag('audit', 'Query the audit log.');
  scopes.withScope('admin', app, (admins) => {
    admins.register(auditRoutes, { prefix: '/api/v1/audit', audit });
  });
}
