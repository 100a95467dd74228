import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import { type SignupRoutesOptions, signupRoutes } from './routes.ts';

interface SignupServices extends SignupRoutesOptions, OperationServices {
  signupList: BoundResource;
}

/** Public routes to sign up, and routes for admins to manage signups. */
export function registerSignup(app: FastifyInstance, services: SignupServices): void {
  const { scopes, signups, plans, siteLayout, signupList } = services;
  app.describeTag('signup', 'Sign-up of new users.');
  scopes.forms(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(signupRoutes, { signups, plans, siteLayout });
  });
  registerOperations(app, services, resourceOperations(signupList));
}
