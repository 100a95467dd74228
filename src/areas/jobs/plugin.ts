import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { jobOperations } from './operations.ts';
import type { Jobs } from './service.ts';

/** Background jobs, for admins. */
export function registerJobs(
  app: FastifyInstance,
  services: OperationServices & { jobs: Jobs },
): void {
  app.describeTag('jobs', 'Background jobs.');
  registerOperations(app, services, jobOperations);
}
