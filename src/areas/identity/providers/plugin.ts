import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { authMounts } from '../../../platform/operations/short-path.ts';
import { bearerOperations } from './operations.ts';
import { type DevRoutesOptions, devRoutes } from './routes.dev.ts';
import { type SetupRoutesOptions, setupRoutes } from './routes.setup.ts';
import { type IdpRoutesOptions, idpRoutes } from './routes.ts';

type IdpServices = Omit<IdpRoutesOptions & DevRoutesOptions & SetupRoutesOptions, 'mount'> &
  OperationServices;

/** Sign-in at an identity provider, the first-admin link, and the bypass for development. */
export function registerIdp(app: FastifyInstance, services: IdpServices): void {
  const { scopes } = services;
  for (const mount of authMounts) {
    const options = { ...services, mount };
    scopes.public(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(idpRoutes, options);
    });
    registerOperations(app, services, mount.operations(bearerOperations));
    scopes.public(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(devRoutes, options);
    });
    scopes.forms(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(setupRoutes, options);
    });
  }
}
