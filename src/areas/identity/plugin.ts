import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { withShortPath } from '../../platform/operations/short-path.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { registerOwnAccount } from './account/plugin.ts';
import { registerDevices } from './devices/plugin.ts';
import {
  factorOperations,
  factorStatusOperations,
  type SecondFactorContext,
} from './factors/operations.ts';
import { passkeyListOperations, passkeyOperations } from './factors/passkeys/operations.ts';
import { registerInvitations } from './invitations/plugin.ts';
import { registerIdp } from './providers/plugin.ts';
import { registerFactorResets } from './resets/plugin.ts';
import { registerScim } from './scim/plugin.ts';
import {
  codeAdminOperations,
  codeOperations,
  mobileClientOperations,
  type OtpContext,
} from './sign-in/codes/operations.ts';
import { factorSignInOperations, type FactorSignInContext } from './sign-in/factors/operations.ts';
import { type AuthContext, sessionOperations } from './sign-in/operations.ts';

type ServicesOf<Register extends (app: FastifyInstance, services: never) => void> =
  Parameters<Register>[1];

type IdentityServices = OperationServices &
  AuthContext &
  OtpContext &
  FactorSignInContext &
  SecondFactorContext & { directory: BoundResource } & ServicesOf<typeof registerDevices> &
  ServicesOf<typeof registerFactorResets> &
  ServicesOf<typeof registerIdp> &
  ServicesOf<typeof registerInvitations> &
  ServicesOf<typeof registerOwnAccount> &
  ServicesOf<typeof registerScim>;

function describeTags(app: FastifyInstance): void {
  app.describeTag('auth', 'Sign-in, sessions and tokens.');
  app.describeTag('otp', 'One-time codes by SMS and email.');
  app.describeTag('second-factor', 'Authenticator apps, passkeys and backup codes.');
  app.describeTag('users', 'Create and manage user accounts.');
}

/** Registers sign-in, sessions, factors, devices and accounts. */
export function registerIdentity(app: FastifyInstance, services: IdentityServices): void {
  describeTags(app);
  registerOperations(app, services, sessionOperations);
  registerOperations(app, services, [
    ...codeOperations,
    ...mobileClientOperations,
    ...codeAdminOperations,
  ]);
  registerOperations(
    app,
    services,
    withShortPath<FactorSignInContext & SecondFactorContext>([
      ...factorSignInOperations,
      ...factorStatusOperations,
      ...passkeyListOperations,
      ...factorOperations,
      ...passkeyOperations,
    ]),
  );
  registerFactorResets(app, services);
  registerDevices(app, services);
  registerIdp(app, services);
  registerInvitations(app, services);
  registerOwnAccount(app, services);
  registerOperations(app, services, resourceOperations(services.directory));
  registerScim(app, services);
}
