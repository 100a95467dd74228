import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Scopes } from '../../../platform/http/access.ts';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import { refusing, scope } from '../../../platform/http/scopes.ts';
import type { Discovery } from './discovery.ts';
import { scimErrors } from './errors.ts';
import { discoveryRoutes } from './routes.discovery.ts';
import { sendScimError } from './routes.errors.ts';
import { scimRoutes } from './routes.ts';
import type { Scim } from './service.ts';

interface ScimServices {
  scopes: Scopes;
  scim: Scim;
  scimDiscovery: Discovery;
}

/** SCIM 2.0, for API keys with the scope `admin`. */
export function registerScim(
  app: FastifyInstance,
  { scopes, scim, scimDiscovery: discovery }: ScimServices,
): void {
  app.describeTag('scim', 'SCIM 2.0: users, managed by an identity provider.');
  const keysOnly = refusing({ errors: ['scim.key_required'] }, (request: FastifyRequest): void => {
    if (request.principal?.kind !== 'api_key') throw scimErrors.key_required();
  });
  app.register(async (child) => {
    child.setErrorHandler(sendScimError);
    refuseRepeatedMembers(child);
    scopes.withScope('admin', child, (admins) => {
      scope(admins, 'admin, approved device', keysOnly, (keys) => {
        keys.register(scimRoutes, { scim });
        keys.register(discoveryRoutes, { discovery });
      });
    });
  });
}
