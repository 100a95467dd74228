import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { jobRoutes } from './routes.ts';
import type { Jobs } from './service.ts';

/** Background jobs, for admins. */
export function registerJobs(
  app: FastifyInstance,
  { scopes, jobs }: { scopes: Scopes; jobs: Jobs },
): void {
  app.describeTag('jobs', 'Background jobs.');
  scopes.withScope('admin', app, (admins) => {
    admins.register(jobRoutes, { prefix: '/api/v1/jobs', jobs });
  });
}
