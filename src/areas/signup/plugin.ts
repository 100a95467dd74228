import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { Scopes } from '../../platform/http/access.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { registerResource } from '../../platform/resource/routes.ts';
import { type SignupRoutesOptions, signupRoutes } from './routes.ts';

interface SignupServices extends SignupRoutesOptions {
  scopes: Scopes;
  signupList: BoundResource;
}

/** Public routes to sign up, and routes for admins to manage signups. */
export function registerSignup(
  app: FastifyInstance,
  { scopes, signups, plans, siteLayout, signupList }: SignupServices,
): void {
  app.describeTag('signup', 'Sign-up of new users.');
  scopes.forms(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(signupRoutes, { signups, plans, siteLayout });
  });
  scopes.withScope('admin', app, (admins) => {
    registerResource(admins, signupList);
  });
}
