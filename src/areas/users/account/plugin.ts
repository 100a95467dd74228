import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../../platform/http/access.ts';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import type { Guards } from '../../auth/guards.ts';
import type { OwnAccountServices } from './compose.ts';
import { avatarRoutes, ownAvatarRoutes } from './routes.avatar.ts';
import { accountRoutes, type AccountRoutesOptions, freshAccountRoutes } from './routes.ts';

interface AccountServices extends Pick<AccountRoutesOptions, 'clock'> {
  scopes: Scopes;
  guards: Pick<Guards, 'sessionOf'>;
  ownAccount: OwnAccountServices;
}

/** The own account: profile, picture, addresses, data and deletion. Pictures are public. */
export function registerOwnAccount(
  app: FastifyInstance,
  { scopes, guards, clock, ownAccount }: AccountServices,
): void {
  app.describeTag('account', 'Your own account: profile, picture, addresses, data, deletion.');
  const options = { ...ownAccount, guards, clock };
  scopes.public(app, (everybody) => {
    everybody.register(avatarRoutes, ownAccount);
  });
  scopes.signedIn(app, (signedIn) => {
    refuseRepeatedMembers(signedIn);
    scopes.acceptIdempotencyKeys(signedIn);
    signedIn.register(accountRoutes, options);
    signedIn.register(ownAvatarRoutes, options);
  });
  scopes.fresh(app, (fresh) => {
    refuseRepeatedMembers(fresh);
    scopes.acceptIdempotencyKeys(fresh);
    fresh.register(freshAccountRoutes, options);
  });
}
