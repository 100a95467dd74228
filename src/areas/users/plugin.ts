import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { refusing, scope } from '../../platform/http/scopes.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { registerResource } from '../../platform/resource/routes.ts';
import type { Guards } from '../auth/guards.ts';

interface UserServices {
  scopes: Scopes;
  guards: Pick<Guards, 'requireFresh'>;
  directory: BoundResource;
}

/** Users, managed by admins. A signed-in admin needs a fresh sign-in for changes. */
export function registerUsers(
  app: FastifyInstance,
  { scopes, guards, directory }: UserServices,
): void {
  app.describeTag('users', 'Create and manage the accounts of people.');
  const freshForChanges = refusing(
    { errorsOfChanges: ['auth.step_up_required'] },
    (request: FastifyRequest): void => {
      const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
      if (!isRead && request.principal?.kind === 'user') guards.requireFresh(request);
    },
  );
  scopes.withScope('admin', app, (admins) => {
    scope(admins, 'admin, approved device', freshForChanges, (child) => {
      registerResource(child, directory);
    });
  });
}
