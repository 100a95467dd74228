import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { apiKeyOperations } from './operations.ts';
import type { ApiKeys } from './service.ts';

/** API keys, managed by admins. */
export function registerApiKeys(
  app: FastifyInstance,
  services: OperationServices & { apiKeys: ApiKeys },
): void {
  app.describeTag('api-keys', 'Manage API keys.');
  registerOperations(app, services, apiKeyOperations);
}
