import type { FastifyInstance } from 'fastify';
import { allowFormsFrom, allowOrigins } from '../../platform/http/cross-origin.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import type { WaitlistContext } from './compose.ts';
import { entryOperations } from './entries/operations.ts';
import { joinOperation, waitlistOperations } from './operations.ts';
import { statusPages, type StatusPagesOptions } from './routes.status.ts';
import { embedScript, joinPages, leavePages } from './routes.ts';

interface WaitlistServices extends WaitlistContext, OperationServices, StatusPagesOptions {
  /** Origins of the websites with the embedded form. */
  waitlistOrigins: readonly string[];
  /** Folder of the built browser scripts. */
  webFolder: URL;
}

/** Registers the waitlist: API, pages and embedded form for everybody, entries for admins. */
export function registerWaitlist(app: FastifyInstance, services: WaitlistServices): void {
  app.describeTag('waitlist', 'People who are waiting for access, and their referrals.');
  const { scopes, waitlistOrigins, waitlistEntries } = services;
  registerOperations(app, services, waitlistOperations);
  app.register(async (websites) => {
    allowOrigins(websites, waitlistOrigins);
    registerOperations(websites, services, [joinOperation]);
  });
  scopes.public(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(leavePages, services);
    everybody.register(embedScript, services);
  });
  scopes.forms(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    allowFormsFrom(everybody, waitlistOrigins);
    everybody.register(joinPages, services);
  });
  // Verifying and opening set a cookie, so they must come from our own pages.
  scopes.sameOrigin(app, (browsers) => {
    refuseRepeatedMembers(browsers);
    browsers.register(statusPages, services);
  });
  registerOperations(app, services, [...resourceOperations(waitlistEntries), ...entryOperations]);
}
