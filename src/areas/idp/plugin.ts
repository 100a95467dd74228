import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { Scopes } from '../../platform/http/access.ts';
import { type DevRoutesOptions, devRoutes } from './routes.dev.ts';
import { type SetupRoutesOptions, setupRoutes } from './routes.setup.ts';
import { type IdpRoutesOptions, idpRoutes } from './routes.ts';

type IdpServices = Omit<IdpRoutesOptions & DevRoutesOptions & SetupRoutesOptions, 'operations'> & {
  scopes: Scopes;
};

/** Every route exists under both prefixes with the same behaviour; only operation ids differ. */
const mounts = [
  { prefix: '/api/auth', operations: 'auth' },
  { prefix: '/auth', operations: 'authShort' },
] as const;

/** Sign-in at an identity provider, the first-admin link, and the bypass for development. */
export function registerIdp(app: FastifyInstance, services: IdpServices): void {
  for (const mount of mounts) {
    services.scopes.public(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(idpRoutes, { ...services, ...mount });
      everybody.register(devRoutes, { ...services, ...mount });
    });
    services.scopes.forms(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(setupRoutes, { ...services, ...mount });
    });
  }
}
