import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import {
  type FactorResetContext,
  factorResetOperations,
  ownFactorResetOperations,
} from './operations.ts';
import { type FactorResetPageOptions, factorResetPageRoutes } from './routes.ts';

/** Resets of second factors: for admins, for your own account, and the page that cancels one. */
export function registerFactorResets(
  app: FastifyInstance,
  services: FactorResetContext & FactorResetPageOptions & OperationServices,
): void {
  registerOperations(app, services, [...factorResetOperations, ...ownFactorResetOperations]);
  services.scopes.sameOrigin(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(factorResetPageRoutes, services);
  });
}
