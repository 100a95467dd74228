import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { scope } from '../../platform/http/scopes.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { registerResource } from '../../platform/resource/routes.ts';
import type { Guards } from '../auth/guards.ts';

interface UserServices {
  scopes: Scopes;
  guards: Pick<Guards, 'freshForChanges'>;
  directory: BoundResource;
}

/** Users, managed by admins. A signed-in admin needs a fresh sign-in for changes. */
export function registerUsers(
  app: FastifyInstance,
  { scopes, guards, directory }: UserServices,
): void {
  app.describeTag('users', 'Create and manage the accounts of people.');
  scopes.withScope('admin', app, (admins) => {
    scope(admins, 'admin, approved device', guards.freshForChanges(), (child) => {
      registerResource(child, directory);
    });
  });
}
