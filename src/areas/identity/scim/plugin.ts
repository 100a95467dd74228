import type { FastifyInstance, FastifyRequest } from 'fastify';
import { approvedDevice } from '../../../platform/http/access.ts';
import { refusing, scope } from '../../../platform/http/scopes.ts';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { scimErrors } from './errors.ts';
import { discoveryOperations, type ScimContext, scimOperations } from './operations.ts';
import { sendScimError } from './routes.errors.ts';

/** SCIM 2.0, for API keys with the scope `admin`. */
export function registerScim(
  app: FastifyInstance,
  { scopes, ...services }: ScimContext & OperationServices,
): void {
  app.describeTag('scim', 'SCIM 2.0: users, managed by an identity provider.');
  const keysOnly = refusing({ errors: ['scim.key_required'] }, (request: FastifyRequest): void => {
    if (request.principal?.kind !== 'api_key') throw scimErrors.key_required();
  });
  const keyScopes: typeof scopes = {
    ...scopes,
    withScope: (name, parent, register) =>
      scopes.withScope(name, parent, (admins) =>
        scope(admins, approvedDevice(name), keysOnly, register),
      ),
  };
  app.register(async (child) => {
    child.setErrorHandler(sendScimError);
    const context = { ...services, scopes: keyScopes };
    registerOperations(child, context, [...scimOperations, ...discoveryOperations]);
  });
}
