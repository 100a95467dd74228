import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shortPathId } from '../../lib/operation-ids.ts';
import type { Scopes } from '../../platform/http/access.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { scope } from '../../platform/http/scopes.ts';
import type { Development } from '../../platform/http/development.ts';
import type { Comms } from '../comms/compose.ts';
import type { Idp } from '../idp/service.ts';
import {
  openSessionRoutes,
  ownSessionRoutes,
  type SessionRoutesOptions,
} from './sessions/routes.session.ts';
import {
  userSessionRoutes,
  type UserSessionRoutesOptions,
} from './sessions/routes.user-sessions.ts';
import type { AuthStatus } from './schemas.ts';

type SignInMethods = SessionRoutesOptions['signInMethods'];

interface AuthServices
  extends
    Omit<SessionRoutesOptions, 'operationId' | 'signInMethods'>,
    Pick<UserSessionRoutesOptions, 'sessionAdmin'> {
  scopes: Scopes;
  idp: Pick<Idp, 'isConfigured'>;
  mayBypass: Development['allows'];
  channels: Comms['channels'];
}

/** Every route exists under both prefixes with the same behaviour; only operation ids differ. */
const mounts = [
  { prefix: '/api/auth', operationId: (id: string) => id },
  { prefix: '/auth', operationId: shortPathId },
];

/** The part of the sign-in configuration that is public. */
function signInMethodsOf({
  idp,
  mayBypass,
  channels,
}: Pick<AuthServices, 'idp' | 'mayBypass' | 'channels'>): SignInMethods {
  const methods: AuthStatus['methods'] = [
    ...(idp.isConfigured ? ['idp' as const] : []),
    ...(channels.sms ? ['otp_sms' as const] : []),
    ...(channels.email ? ['otp_email' as const] : []),
  ];
  return (request: FastifyRequest) => ({
    oauth_configured: idp.isConfigured,
    dev_bypass: mayBypass(request),
    methods,
  });
}

/** Sessions and tokens. */
export function registerAuth(app: FastifyInstance, services: AuthServices): void {
  app.describeTag('auth', 'Sign-in, sessions and tokens.');
  const { scopes, guards } = services;
  const signInMethods = signInMethodsOf(services);
  for (const mount of mounts) {
    const options = { ...services, signInMethods, ...mount };
    scopes.public(app, (open) => {
      refuseRepeatedMembers(open);
      open.register(openSessionRoutes, options);
    });
    scopes.signedIn(app, (signedIn) => {
      refuseRepeatedMembers(signedIn);
      signedIn.register(ownSessionRoutes, options);
    });
  }
  scopes.withScope('admin', app, (admins) => {
    scope(admins, 'admin, approved device', guards.freshForChanges(), (child) => {
      child.register(userSessionRoutes, services);
    });
  });
}
