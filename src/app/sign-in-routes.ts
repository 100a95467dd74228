import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deviceAdminRoutes } from '../areas/blackops/routes.admin.ts';
import { deviceRoutes, deviceStatusRoutes } from '../areas/blackops/routes.ts';
import { openSessionRoutes, ownSessionRoutes } from '../areas/auth/routes.session.ts';
import type { AuthStatus } from '../areas/auth/schemas.ts';
import { devRoutes } from '../areas/idp/routes.dev.ts';
import { setupRoutes } from '../areas/idp/routes.setup.ts';
import { idpRoutes } from '../areas/idp/routes.ts';
import { otpRoutes } from '../areas/otp/routes.ts';
import {
  passkeyListRoutes,
  passkeyRoutes,
  passkeySignInRoutes,
} from '../areas/second-factor/routes.passkeys.ts';
import {
  backupCodeRoutes,
  secondFactorRoutes,
  secondFactorStatusRoutes,
} from '../areas/second-factor/routes.ts';
import { paymentRoutes } from '../areas/payments/routes.ts';
import type { Clock } from '../lib/clock.ts';
import { refuseRepeatedMembers } from '../platform/http/body-parsers.ts';
import { scope } from '../platform/http/scopes.ts';
import type { Services } from './services.ts';

/** What a stranger may know of how sign-in is set up. */
function signInMethodsOf({
  idp,
  mayBypass,
  channels,
}: Pick<Services, 'idp' | 'mayBypass' | 'channels'>) {
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

interface Mount {
  prefix: string;
  /** What the operation ids of each area begin with here. */
  auth: string;
  otp: string;
  factor: string;
  devices: string;
}

/** Everything about signing in, under one of the two prefixes at which it exists with the same behaviour. */
export function registerSignIn(
  http: FastifyInstance,
  clock: Clock,
  services: Services,
  { prefix, auth, otp, factor, devices }: Mount,
): void {
  const { guards, deviceGuards } = services;
  const blackops = { ...services, prefix: `${prefix}/blackops`, clock, operations: devices };
  const shared = { prefix, clock, signInMethods: signInMethodsOf(services), ...services };
  scope(http, 'public', undefined, (open) => {
    refuseRepeatedMembers(open);
    open.register(openSessionRoutes, { ...shared, operations: auth });
    open.register(idpRoutes, { ...shared, operations: auth });
    open.register(devRoutes, { ...shared, operations: auth });
    open.register(setupRoutes, { ...shared, operations: auth });
    open.register(otpRoutes, { ...shared, operations: otp });
    open.register(backupCodeRoutes, { ...shared, operations: factor });
    open.register(passkeySignInRoutes, { ...shared, operations: factor });
    open.register(paymentRoutes, { ...shared, operations: auth });
    open.register(deviceStatusRoutes, blackops);
  });
  scope(http, 'signed-in', guards.signedIn(), (own) => {
    refuseRepeatedMembers(own);
    own.register(ownSessionRoutes, { ...shared, operations: auth });
    own.register(secondFactorStatusRoutes, { ...shared, operations: factor });
    own.register(passkeyListRoutes, { ...shared, operations: factor });
    own.register(deviceRoutes, blackops);
  });
  scope(http, 'fresh', guards.fresh(), (fresh) => {
    refuseRepeatedMembers(fresh);
    fresh.register(secondFactorRoutes, { ...shared, operations: factor });
    fresh.register(passkeyRoutes, { ...shared, operations: factor });
  });
  scope(http, 'admin', guards.requireScope('admin'), (keys) =>
    scope(keys, 'admin, cleared device', deviceGuards.clearedDevice(), (admins) => {
      refuseRepeatedMembers(admins);
      admins.register(deviceAdminRoutes, blackops);
    }),
  );
}
