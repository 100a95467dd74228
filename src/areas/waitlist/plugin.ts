import type { FastifyInstance } from 'fastify';
import { allowFormsFrom } from '../../platform/http/cross-origin.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import { type EntryRoutesOptions, waitlistEntryRoutes } from './routes.entries.ts';
import { waitlistLeavePages } from './routes.leave.ts';
import { type WaitlistPagesOptions, waitlistPages } from './routes.pages.ts';
import { embedRoute, type EmbedRoutesOptions } from './routes.script.ts';
import { type StatusRoutesOptions, waitlistStatusPages } from './routes.status.ts';
import { waitlistRoutes, type WaitlistRoutesOptions } from './routes.ts';

type WaitlistServices = WaitlistRoutesOptions &
  WaitlistPagesOptions &
  StatusRoutesOptions &
  EmbedRoutesOptions &
  EntryRoutesOptions &
  OperationServices;

/** Registers the waitlist: API, pages and embedded form for everybody, entries for admins. */
export function registerWaitlist(app: FastifyInstance, services: WaitlistServices): void {
  app.describeTag('waitlist', 'People who are waiting for access, and their referrals.');
  const { scopes, waitlistEntries } = services;
  scopes.public(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(async (api) => {
      scopes.acceptIdempotencyKeys(api);
      await waitlistRoutes(api, services);
    });
    everybody.register(waitlistLeavePages, services);
    everybody.register(embedRoute, services);
  });
  scopes.forms(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    allowFormsFrom(everybody, services.waitlistOrigins);
    everybody.register(waitlistPages, services);
  });
  // Verifying and opening set a cookie, so they must come from our own pages.
  scopes.sameOrigin(app, (browsers) => {
    refuseRepeatedMembers(browsers);
    browsers.register(waitlistStatusPages, services);
  });
  registerOperations(app, services, resourceOperations(waitlistEntries));
  scopes.withScope('admin', app, (admins) => {
    admins.register(waitlistEntryRoutes, services);
  });
}
