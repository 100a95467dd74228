import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { registerResource } from '../../platform/resource/routes.ts';

/** Users, managed by admins. A signed-in admin needs a fresh sign-in for changes. */
export function registerUsers(
  app: FastifyInstance,
  { scopes, directory }: { scopes: Scopes; directory: BoundResource },
): void {
  app.describeTag('users', 'Create and manage the accounts of people.');
  scopes.withScope('admin', app, (admins) => registerResource(admins, directory));
}
