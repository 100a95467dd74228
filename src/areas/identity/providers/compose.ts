import { emailKeysOf } from '../../../lib/text/lists.ts';
import type { Development } from '../../../platform/http/development.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { IdpNeeds } from './context.ts';
import { createDevBypass } from './dev-bypass.ts';
import { createFirstAdmin } from './first-admin.ts';
import { createIdp } from './service.ts';
import { isBypassOpen } from './settings.ts';

/** Sign-in at an identity provider; until one is set up, by the first-admin link and the bypass. */
export function composeIdp(resources: Resources, needs: IdpNeeds) {
  const { config, development } = resources;
  const parts = { ...resources, ...needs };
  const adminEmails = emailKeysOf(config.ADMIN_EMAILS);
  const hasListedAdmins = adminEmails.length > 0;
  const mayBypass: Development['allows'] = (request) =>
    isBypassOpen(resources) && development.allows(request);
  return {
    idp: createIdp(parts),
    devBypass: createDevBypass(parts, { isEverybodyAdmin: !hasListedAdmins }),
    firstAdmin: createFirstAdmin(parts, {
      isNeeded: !hasListedAdmins && config.ADMIN_API_KEY === undefined,
    }),
    mayBypass,
    /** Addresses that the sign-in page offers in development. */
    bypassAddresses: hasListedAdmins ? adminEmails.slice(0, 5) : ['developer@example.com'],
  };
}
