import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { apiKeyRoutes } from './routes.ts';
import type { ApiKeys } from './service.ts';

/** API keys, managed by admins. */
export function registerApiKeys(
  app: FastifyInstance,
  { scopes, apiKeys }: { scopes: Scopes; apiKeys: ApiKeys },
): void {
  app.describeTag('api-keys', 'Manage API keys.');
  scopes.withScope('admin', app, (admins) => {
    admins.register(apiKeyRoutes, { apiKeys });
  });
}
