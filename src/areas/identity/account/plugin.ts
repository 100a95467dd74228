import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { type ContactUndoPageOptions, contactUndoRoutes } from './contact/routes.ts';
import { type AccountContext, accountOperations } from './operations.ts';

/** The own account: profile, picture, addresses, data and deletion. Pictures are public. */
export function registerOwnAccount(
  app: FastifyInstance,
  services: AccountContext & ContactUndoPageOptions & OperationServices,
): void {
  app.describeTag('account', 'Your own account: profile, picture, addresses, data, deletion.');
  registerOperations(app, services, accountOperations);
  services.scopes.sameOrigin(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(contactUndoRoutes, services);
  });
}
