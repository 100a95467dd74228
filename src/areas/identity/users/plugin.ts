import type { FastifyInstance } from 'fastify';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import { resourceOperations } from '../../../platform/resource/operations.ts';

/** Users, managed by admins. A signed-in admin needs a fresh sign-in for changes. */
export function registerUsers(
  app: FastifyInstance,
  services: OperationServices & { directory: BoundResource },
): void {
  app.describeTag('users', 'Create and manage the accounts of people.');
  registerOperations(app, services, resourceOperations(services.directory));
}
