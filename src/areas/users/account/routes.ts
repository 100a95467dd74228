import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../../lib/clock.ts';
import { allowApps } from '../../../platform/http/cross-origin.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { Guards } from '../../auth/guards.ts';
import type { Avatars } from './avatar/avatars.ts';
import type { Contacts } from './contact/contacts.ts';
import type { Deletions } from './deletion/deletions.ts';
import type { Exports } from './export/exports.ts';
import type { Profiles } from './profile/profile.ts';
import { confirmContactRoutes, startContactRoutes } from './routes.contact.ts';
import { deletionRoutes } from './routes.deletion.ts';
import { exportFileRoute, exportRoutes } from './routes.export.ts';
import { profileRoutes } from './routes.profile.ts';

export interface AccountRoutesOptions {
  profiles: Profiles;
  avatars: Avatars;
  contacts: Contacts;
  deletions: Deletions;
  exports: Exports;
  guards: Pick<Guards, 'sessionOf'>;
  clock: Clock;
}

/** The own account, for signed-in users. */
export const accountRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (app, options) => {
  noStore(app);
  allowApps(app);
  profileRoutes(app, options);
  confirmContactRoutes(app, options);
  exportRoutes(app, options);
};

/** What needs a recent sign-in. */
export const freshAccountRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  allowApps(app);
  startContactRoutes(app, options);
  deletionRoutes(app, options);
  exportFileRoute(app, options);
};
