import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import type { SignupContext } from './compose.ts';
import { signupPages, type SignupPagesOptions } from './routes.ts';

/** Registers the pages to sign up, and sign-ups for admins. */
export function registerSignup(
  app: FastifyInstance,
  services: SignupContext & SignupPagesOptions & OperationServices,
): void {
  app.describeTag('signup', 'Sign-up of new users.');
  services.scopes.forms(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(signupPages, services);
  });
  registerOperations(app, services, resourceOperations(services.signupList));
}
