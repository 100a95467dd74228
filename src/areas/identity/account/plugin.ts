import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { type AccountContext, accountOperations, laterAccountOperations } from './operations.ts';
import { avatarRoute, avatarUploadRoute, exportFileRoute } from './routes.ts';

/** The own account: profile, picture, addresses, data and deletion. Pictures are public. */
export function registerOwnAccount(
  app: FastifyInstance,
  services: AccountContext & OperationServices,
): void {
  app.describeTag('account', 'Your own account: profile, picture, addresses, data, deletion.');
  const { scopes } = services;
  scopes.public(app, (everybody) => {
    everybody.register(avatarRoute, services);
  });
  registerOperations(app, services, accountOperations);
  scopes.signedIn(app, (signedIn) => {
    refuseRepeatedMembers(signedIn);
    scopes.acceptIdempotencyKeys(signedIn);
    signedIn.register(avatarUploadRoute, services);
  });
  registerOperations(app, services, laterAccountOperations);
  scopes.fresh(app, (fresh) => {
    refuseRepeatedMembers(fresh);
    scopes.acceptIdempotencyKeys(fresh);
    fresh.register(exportFileRoute, services);
  });
}
