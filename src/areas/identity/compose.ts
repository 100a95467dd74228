import { createSeal } from '../../lib/secrets/seal.ts';
import type { AreaPersonalData } from '../../platform/database/personal-data.ts';
import type { Database } from '../../platform/database/database.ts';
import { createScopes } from '../../platform/http/access.ts';
import { createIdempotency } from '../../platform/http/idempotency.ts';
import { systemActor } from '../../platform/http/requests/request-actor.ts';
import type { Resources } from '../../platform/resources.ts';
import type { ApiKeys } from '../api-keys/service.ts';
import type { AuditFigures } from '../audit/figures.ts';
import type { Audit } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import type { Geoip } from '../geoip/country-database.ts';
import type { WaitlistAccess } from '../waitlist/access.ts';
import { composeOwnAccount } from './account/compose.ts';
import { composeOtp } from './codes/compose.ts';
import { composeDeviceGuards, composeDeviceProofs, composeDevices } from './devices/compose.ts';
import { createUserAdmin } from './directory/access.ts';
import { createDirectory } from './directory/service.ts';
import { composeSecondFactor } from './factors/compose.ts';
import { createAcceptance } from './invitations/acceptance.ts';
import { createInvitations } from './invitations/service.ts';
import { createInvitationStore } from './invitations/store.ts';
import { composeIdp } from './providers/compose.ts';
import { isBypassOpen } from './providers/settings.ts';
import { composeFactorResets } from './resets/compose.ts';
import { createDiscovery } from './scim/discovery.ts';
import { createScim } from './scim/service.ts';
import { composeSessions } from './sessions/compose.ts';
import { createGuards } from './sessions/guards.ts';
import { composeSignIn } from './sign-in/compose.ts';
import { isActingAdmin } from './users/access/store.ts';
import { composeUsers } from './users/compose.ts';

interface IdentityNeeds {
  audit: Audit;
  apiKeys: ApiKeys;
  messages: Messages;
  geoip: Pick<Geoip, 'country'>;
  /** Approval on the waitlist, which admits people. */
  waitlistAccess: WaitlistAccess;
  /** What all areas know of people. */
  personalData: readonly AreaPersonalData[];
  auditFigures: (db: Database) => AuditFigures;
}

type People = ReturnType<typeof composePeople>;

/** Users and everything by which they are recognized, each folder using those before it. */
export function composeIdentity(resources: Resources, needs: IdentityNeeds) {
  const people = composePeople(resources, needs);
  const signIns = composeSignIns(resources, needs, people);
  const own = composeOwnAccount(resources, { ...needs, ...people });
  const userAdmin = createUserAdmin({ ...resources, ...needs, ...people });
  const parts = { ...resources, ...needs, ...people, ...own, userAdmin };
  return {
    ...people,
    ...signIns,
    ...composeAccess(resources, needs, people),
    ...own,
    userAdmin,
    directory: createDirectory(parts),
    scim: createScim(parts),
    scimDiscovery: createDiscovery(resources.baseUrl),
  };
}

/** Users, their sessions, codes, factors and devices. */
function composePeople(resources: Resources, needs: IdentityNeeds) {
  const { clock } = resources;
  const { audit, waitlistAccess } = needs;
  const invitationStore = createInvitationStore(resources);
  const people = composeUsers(resources, {
    waitlistAccess,
    isInvited: (email) => invitationStore.isPending(email, new Date(clock.now())),
    onChange: [
      (user) => sessions.userChanged(user),
      async (user) => {
        if (user.disabledAt === null) return;
        await security.devices.management.revokeAll(user.id, systemActor, 'user_disabled');
      },
      async (user) => {
        if (!isActingAdmin(user)) await invitations.revokeOf(user.id, systemActor);
      },
    ],
  });
  const opened = composeSessions(resources, { ...people, audit });
  const { sessions } = opened;
  const signedIn = { ...needs, ...people, ...opened };
  const security = composeSecurity(resources, signedIn);
  const invitations = createInvitations({ ...resources, ...signedIn, invitationStore });
  return {
    ...people,
    invitationStore,
    invitations,
    ...opened,
    ...composeOtp(resources, signedIn),
    ...security,
  };
}

/** Second factors, devices, and what removing a factor or resetting factors does to both. */
function composeSecurity(
  resources: Resources,
  needs: IdentityNeeds & ReturnType<typeof composeUsers> & ReturnType<typeof composeSessions>,
) {
  const { secondFactor, passkeys } = composeSecondFactor(resources, {
    ...needs,
    onUse: (userId, from) => factorResets.noteUse(userId, from),
  });
  const devices = composeDevices(resources, {
    ...needs,
    passkeys,
    isBypassOpen: isBypassOpen(resources),
  });
  const { factorResets, factorRemoval } = composeFactorResets(resources, {
    ...needs,
    management: devices.devices.management,
    secondFactor,
  });
  return {
    secondFactor,
    passkeys,
    ...devices,
    factorResets,
    factorRemoval,
  };
}

/** Every way to sign in. */
function composeSignIns(resources: Resources, needs: IdentityNeeds, people: People) {
  const signIn = composeSignIn(resources, { ...needs, ...people });
  return {
    ...signIn,
    ...composeIdp(resources, { ...needs, ...people, ...signIn }),
    acceptance: createAcceptance({ ...resources, ...needs, ...people }, signIn.browserSignIn),
  };
}

/** Authentication and authorization: guards, device proofs and scopes. */
function composeAccess(
  resources: Resources,
  { apiKeys, geoip, auditFigures }: IdentityNeeds,
  people: People,
) {
  const { sessions } = people;
  const { config, clock, redis, keys, logger, baseOrigin } = resources;
  const proofs = composeDeviceProofs(resources, { ...people, country: (ip) => geoip.country(ip) });
  const guards = createGuards({
    sessions,
    apiKeys,
    requireProof: proofs.requireProof,
    baseOrigin,
    isBaseKnown: config.BASE_URL !== undefined,
    now: clock.now,
  });
  const { deviceGuards, dashboard } = composeDeviceGuards(resources, {
    ...people,
    ...proofs,
    guards,
    auditFigures,
  });
  const acceptIdempotencyKeys = createIdempotency({
    redis,
    seal: createSeal(keys('idempotency')),
    logger,
  });
  return {
    ...proofs,
    guards,
    deviceGuards,
    dashboard,
    scopes: createScopes({ guards, deviceGuards, acceptIdempotencyKeys }),
  };
}
