import type { FastifyInstance } from 'fastify';
import type { FastifyRequest } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { Development } from '../../platform/http/development.ts';
import type { Comms } from '../comms/compose.ts';
import type { Idp } from '../idp/service.ts';
import {
  openSessionRoutes,
  ownSessionRoutes,
  type SessionRoutesOptions,
} from './routes.session.ts';
import type { AuthStatus } from './schemas.ts';
import type { Scopes } from '../../platform/http/access.ts';

type SignInMethods = SessionRoutesOptions['signInMethods'];

interface AuthServices extends Omit<SessionRoutesOptions, 'operations' | 'signInMethods'> {
  scopes: Scopes;
  idp: Pick<Idp, 'isConfigured'>;
  mayBypass: Development['allows'];
  channels: Comms['channels'];
}

/** Every route exists under both prefixes with the same behaviour; operation ids say which. */
const mounts = [
  { prefix: '/api/auth', operations: 'auth' },
  { prefix: '/auth', operations: 'authShort' },
] as const;

/** What a stranger may know of how sign-in is set up. */
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

/**
 * Sessions and tokens: opened and refreshed by everybody, looked at and ended by who holds them.
 */
export function registerAuth(app: FastifyInstance, services: AuthServices): void {
  app.describeTag('auth', 'Sign-in, sessions and tokens.');
  const { scopes } = services;
  const signInMethods = signInMethodsOf(services);
  for (const mount of mounts) {
    scopes.public(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(openSessionRoutes, { ...services, signInMethods, ...mount });
    });
    scopes.signedIn(app, (people) => {
      refuseRepeatedMembers(people);
      people.register(ownSessionRoutes, { ...services, signInMethods, ...mount });
    });
  }
}
