import { operationsOf } from '../../platform/operations/operation.ts';
import { AuditListQuery, AuditPage } from './schemas.ts';
import type { Audit } from './service.ts';

const operation = operationsOf<{ audit: Audit }>({ scope: 'admin', tag: 'audit' });

/** The audit log, for admins. */
export const auditOperations = [
  operation({
    id: 'audit.list',
    path: 'GET /api/v1/audit',
    summary: 'List audit events',
    description: 'Newest first. All filters must match. Events are kept for 400 days.',
    query: AuditListQuery,
    output: AuditPage,
    run: ({ audit }, query, { signal }) => audit.list(query, signal),
  }),
];
