import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { Scopes } from '../../platform/http/access.ts';
import { otpAdminRoutes } from './routes.admin.ts';
import { mobileClientRoutes, type OtpRoutesOptions, otpRoutes } from './routes.ts';
import type { Otp } from './service.ts';

interface OtpServices extends Omit<OtpRoutesOptions, 'operations'> {
  scopes: Scopes;
  otp: Otp;
}

/** Every route exists under both prefixes with the same behaviour; only operation ids differ. */
const mounts = [
  { prefix: '/api/auth', operations: 'otp' },
  { prefix: '/auth', operations: 'otpShort' },
] as const;

/** One-time codes: public routes to send and verify them, and one for admins to reopen them. */
export function registerOtp(app: FastifyInstance, services: OtpServices): void {
  app.describeTag('otp', 'One-time codes by SMS and email.');
  const { scopes, otpFlow, otp, clock } = services;
  for (const mount of mounts)
    scopes.forms(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(otpRoutes, { ...services, ...mount });
    });
  scopes.public(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(mobileClientRoutes, {
      prefix: '/api/cmyk/auth/otp',
      operations: 'otp',
      otpFlow,
      clock,
    });
  });
  scopes.withScope('admin', app, (admins) => {
    admins.register(otpAdminRoutes, { prefix: '/api/v1/one-time-codes', otp, clock });
  });
}
