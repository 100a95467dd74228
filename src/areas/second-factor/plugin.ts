import type { FastifyInstance } from 'fastify';
import { shortPathId } from '../../lib/operation-ids.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { Scopes } from '../../platform/http/access.ts';
import {
  passkeyListRoutes,
  type PasskeyRoutesOptions,
  passkeyRoutes,
  passkeySignInRoutes,
} from './passkeys/routes.passkeys.ts';
import {
  backupCodeRoutes,
  type SecondFactorRoutesOptions,
  secondFactorRoutes,
  secondFactorStatusRoutes,
} from './routes.ts';

type SecondFactorServices = Omit<
  SecondFactorRoutesOptions & PasskeyRoutesOptions,
  'operationId'
> & {
  scopes: Scopes;
};

/** Every route exists under both prefixes with the same behaviour; only operation ids differ. */
const mounts = [
  { prefix: '/api/auth', operationId: (id: string) => id },
  { prefix: '/auth', operationId: shortPathId },
];

/** Second factors. Changing them needs a fresh sign-in. */
export function registerSecondFactor(app: FastifyInstance, services: SecondFactorServices): void {
  app.describeTag('second-factor', 'Authenticator apps, passkeys and backup codes.');
  const { scopes } = services;
  for (const mount of mounts) {
    const options = { ...services, ...mount };
    scopes.public(app, (open) => {
      refuseRepeatedMembers(open);
      open.register(backupCodeRoutes, options);
      open.register(passkeySignInRoutes, options);
    });
    scopes.signedIn(app, (signedIn) => {
      refuseRepeatedMembers(signedIn);
      signedIn.register(secondFactorStatusRoutes, options);
      signedIn.register(passkeyListRoutes, options);
    });
    scopes.fresh(app, (fresh) => {
      refuseRepeatedMembers(fresh);
      fresh.register(secondFactorRoutes, options);
      fresh.register(passkeyRoutes, options);
    });
  }
}
