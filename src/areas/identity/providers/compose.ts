import { emailKeysOf, entriesOf } from '../../../lib/text/lists.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Development } from '../../../platform/http/development.ts';
import type { Audit } from '../../audit/service.ts';
import type { BrowserSignIn } from '../sign-in/browser-sign-in.ts';
import type { SignIn } from '../sign-in/service.ts';
import type { Devices } from '../devices/service.ts';
import type { ReviewAccount } from '../users/policies/review-account.ts';
import type { Users } from '../users/service.ts';
import { createDevBypass, type DevBypassDeps } from './dev-bypass.ts';
import { createFirstAdmin } from './first-admin.ts';
import { flowLifetimeMs } from './flow.ts';
import { createFlowStore } from './flow-store.ts';
import { createProvider } from './provider.ts';
import { createIdp } from './service.ts';
import { isBypassOpen, providerSettings } from './settings.ts';

interface IdpNeeds {
  audit: Audit;
  users: Users;
  review: ReviewAccount;
  devices: Devices;
  signIn: SignIn;
  browserSignIn: BrowserSignIn;
  sessionOf: DevBypassDeps['sessionOf'];
}

function composeProvider(
  { config, clock, redis, baseUrl }: Resources,
  { signIn, browserSignIn, audit }: IdpNeeds,
) {
  const settings = providerSettings(config);
  return createIdp({
    provider: settings === undefined ? undefined : createProvider(settings, clock),
    flows: createFlowStore(redis, flowLifetimeMs),
    signIn,
    browserSignIn,
    audit,
    baseUrl,
    redirectUris: new Set(entriesOf(config.IDP_REDIRECT_URIS)),
  });
}

/** Sign-in at an identity provider; until one is set up, by the first-admin link and the bypass. */
export function composeIdp(resources: Resources, needs: IdpNeeds) {
  const { config, redis, development } = resources;
  const { users, review, browserSignIn, audit, devices, signIn, sessionOf } = needs;
  const adminEmails = emailKeysOf(config.ADMIN_EMAILS);
  const hasListedAdmins = adminEmails.length > 0;
  const mayBypass: Development['allows'] = (request) =>
    isBypassOpen(resources) && development.allows(request);
  return {
    idp: composeProvider(resources, needs),
    devBypass: createDevBypass({
      isEverybodyAdmin: !hasListedAdmins,
      users,
      browserSignIn,
      audit,
      userClaims: signIn.claimsOf,
      devices,
      sessionOf,
    }),
    firstAdmin: createFirstAdmin({
      redis,
      users,
      review,
      browserSignIn,
      audit,
      isNeeded: !hasListedAdmins && config.ADMIN_API_KEY === undefined,
    }),
    mayBypass,
    /** Addresses that the sign-in page offers in development. */
    bypassAddresses: hasListedAdmins ? adminEmails.slice(0, 5) : ['developer@example.com'],
  };
}
