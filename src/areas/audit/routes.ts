import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { disconnectSignal } from '../../platform/http/requests/requester.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import { AuditListQuery, AuditPage } from './schemas.ts';
import type { Audit } from './service.ts';

export const auditRoutes: FastifyPluginAsyncZod<{ audit: Audit }> = async (app, { audit }) => {
  noStore(app);

  app.get(
    '/',
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'audit.list',
        summary: 'List audit events',
        description: 'Newest first. All filters must match. Events are kept for 400 days.',
        tags: ['audit'],
        querystring: AuditListQuery,
        response: { 200: AuditPage },
      },
    },
    (request, reply) => audit.list(request.query, disconnectSignal(reply)),
  );
};
