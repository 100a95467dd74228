import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../../platform/http/access.ts';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import { type OwnFactorResetOptions, ownFactorResetRoutes } from './routes.own.ts';
import { type FactorResetPageOptions, factorResetPageRoutes } from './routes.page.ts';
import { factorResetRoutes } from './routes.ts';

type FactorResetServices = OwnFactorResetOptions & FactorResetPageOptions & { scopes: Scopes };

/** Resets of second factors: for admins, for the own account, and the page that cancels one. */
export function registerFactorResets(app: FastifyInstance, services: FactorResetServices): void {
  const { scopes } = services;
  scopes.withScope('admin', app, (admins) => {
    admins.register(factorResetRoutes, services);
  });
  scopes.signedIn(app, (signedIn) => {
    refuseRepeatedMembers(signedIn);
    signedIn.register(ownFactorResetRoutes, services);
  });
  scopes.sameOrigin(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(factorResetPageRoutes, services);
  });
}
