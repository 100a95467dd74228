import { composeAnalytics } from '../areas/analytics/compose.ts';
import { composeApiKeys } from '../areas/api-keys/compose.ts';
import { composeAudit } from '../areas/audit/compose.ts';
import { createAuditFigures } from '../areas/audit/figures.ts';
import {
  composeBrowserSignIn,
  composeGuards,
  composeSessions,
  composeSignIn,
} from '../areas/identity/sessions/compose.ts';
import { createSeal } from '../lib/secrets/seal.ts';
import { createScopes } from '../platform/http/access.ts';
import { createIdempotency } from '../platform/http/idempotency.ts';
import {
  composeDeviceGuards,
  composeDeviceProofs,
  composeDevices,
} from '../areas/identity/devices/compose.ts';
import { systemActor } from '../platform/http/requests/request-actor.ts';
import { composeComms } from '../areas/comms/compose.ts';
import { composeContact } from '../areas/contact/compose.ts';
import { composeDeliverability } from '../areas/deliverability/compose.ts';
import { composeGeoip } from '../areas/geoip/compose.ts';
import { defineHeartbeat } from '../areas/health/jobs.ts';
import { createHealth } from '../areas/health/service.ts';
import { composeIdp } from '../areas/identity/providers/compose.ts';
import { isBypassOpen } from '../areas/identity/providers/settings.ts';
import { composeJobs } from '../areas/jobs/compose.ts';
import { composeNfc } from '../areas/nfc/compose.ts';
import { codeBudgetCheck } from '../areas/identity/codes/budget.ts';
import { composeCodeSignIn, composeOtp } from '../areas/identity/codes/compose.ts';
import { composePlans } from '../areas/payments/plan-catalog.ts';
import { composePayments } from '../areas/payments/compose.ts';
import {
  composeFactorRemoval,
  composeFactorSignIn,
  composeSecondFactor,
} from '../areas/identity/factors/compose.ts';
import { composeFactorResets } from '../areas/identity/resets/compose.ts';
import { composeSignup } from '../areas/signup/compose.ts';
import { composeWaitlist } from '../areas/waitlist/compose.ts';
import { composeQr } from '../areas/qr/compose.ts';
import { composeStatus } from '../areas/status/compose.ts';
import { composeOwnAccount } from '../areas/identity/users/account/compose.ts';
import {
  composeAcceptance,
  composeDirectory,
  composeInvitations,
  composeUsers,
} from '../areas/identity/users/compose.ts';
import { isActingAdmin, lockAccess, otherAdmins } from '../areas/identity/users/access/store.ts';
import { createSessionAdmin } from '../areas/identity/sessions/admin.ts';
import { createReviewSessions } from '../areas/identity/users/policies/jobs.ts';
import { developmentNotice } from './development-notice.ts';
import { personalData } from './personal-data.ts';
import { productionWarnings } from '../platform/settings/production.ts';
import { reviewWarnings } from '../platform/settings/review-account.ts';
import type { Assets } from '../platform/ui/assets.ts';
import type { Resources } from '../platform/resources.ts';
import { createLibrary } from '../surfaces/developer/guide-library.ts';
import { composeGraphql, type GraphqlParts } from '../surfaces/graphql/compose.ts';
import { createSite } from '../surfaces/pages/facts.ts';
import { composeAccount } from '../surfaces/account/compose.ts';
import { composeRealtime } from '../surfaces/ws/compose.ts';
import { listOperations } from './operation-list.ts';
import { listResources } from './resource-list.ts';
import { registerChecks } from './checks.ts';
import type { Stores } from './stores.ts';
import { version } from './version.ts';

export interface ServiceOptions {
  resources: Resources;
  stores: Stores;
  assets: Assets;
  /** Folder of the built page scripts, within the build folder. */
  webFolder: URL;
  /** Keeps messages of channels without a provider in the outbox. Default: in development only. */
  keepsMessages: boolean | undefined;
}

type Core = Awaited<ReturnType<typeof composeCore>>;

/**
 * Composes what nearly every area needs: audit log, API keys, messages, plans and geolocation; and
 * the waitlist, which decides who may enter.
 */
async function composeCore({ resources, keepsMessages }: ServiceOptions) {
  const { audit } = composeAudit(resources);
  const comms = composeComms(resources, { keepsMessages });
  return {
    audit,
    ...composeApiKeys(resources, { audit }),
    ...comms,
    ...composeWaitlist(resources, { audit, ...comms }),
    ...(await composeGeoip(resources)),
    ...(await composePlans(resources.config)),
  };
}

/** Composes users, their sessions, factors and devices. */
function composePeople(resources: Resources, { audit, messages, admission }: Core) {
  const people = composeUsers(resources, {
    admission,
    onChange: [
      (user) => sessions.userChanged(user),
      async (user) => {
        if (user.disabledAt === null) return;
        await devices.devices.management.revokeAll(user.id, systemActor, 'user_disabled');
      },
      async (user) => {
        if (!isActingAdmin(user)) await invitations.revokeOf(user.id, systemActor);
      },
    ],
  });
  const { users, findUser, signUpPolicy, review } = people;
  const { invitations } = composeInvitations(resources, { ...people, audit, messages });
  const { sessions, knownDevices } = composeSessions(resources, people);
  const factors = composeSecondFactor(resources, {
    audit,
    knownDevices,
    users,
    onUse: (userId, from) => factorResets.noteUse(userId, from),
  });
  const devices = composeDevices(resources, {
    audit,
    messages,
    passkeys: factors.passkeys,
    sessions,
    findUser,
    isBypassOpen: isBypassOpen(resources),
  });
  const { factorResets } = composeFactorResets(resources, {
    audit,
    messages,
    users,
    lockAccess,
    otherAdmins,
    sessions,
    devices: devices.devices.management,
    secondFactor: factors.secondFactor,
  });
  const otp = composeOtp(resources, { knownDevices, users, signUpPolicy, review, messages, audit });
  const { queues } = resources;
  const reviewSessions = createReviewSessions({ review, users, sessions, queues });
  return {
    ...people,
    invitations,
    reviewSessions,
    sessions,
    sessionAdmin: createSessionAdmin({ sessions, users, audit, clock: resources.clock }),
    knownDevices,
    ...factors,
    factorResets,
    ...devices,
    ...otp,
  };
}

type People = ReturnType<typeof composePeople>;

/** Composes every way to sign in. */
function composeSignIns(resources: Resources, { audit, messages }: Core, people: People) {
  const { users, sessions, secondFactor, knownDevices, devices, otp, bindDevice } = people;
  const { signIn, mfaTokens } = composeSignIn(resources, {
    users,
    sessions,
    secondFactor,
    audit,
    knownDevices,
    reopenCodes: people.reopenCodes,
  });
  const browser = composeBrowserSignIn(resources, {
    signIn,
    sessions,
    audit,
    knownDevices,
    bindDevice,
  });
  return {
    signIn,
    ...browser,
    ...composeCodeSignIn({ otp, signIn }),
    ...composeFactorSignIn(resources, { signIn, mfaTokens, messages }),
    ...composeFactorRemoval({ sessions, devices: devices.management }),
    ...composeIdp(resources, { ...people, audit, users, devices, signIn, ...browser }),
    ...composeAcceptance(resources, { ...people, audit, ...browser }),
  };
}

/** Composes authentication and authorization: guards, device proofs and scopes. */
function composeAccess(resources: Resources, { apiKeys, geoip }: Core, people: People) {
  const { sessions, devices, deviceCookie } = people;
  const proofs = composeDeviceProofs(resources, {
    devices,
    deviceCookie,
    country: (ip) => geoip.country(ip),
  });
  const { guards } = composeGuards(resources, { sessions, apiKeys, ...proofs });
  const { deviceGuards, dashboard } = composeDeviceGuards(resources, {
    guards,
    devices,
    deviceCookie,
    auditFigures: createAuditFigures,
    ...proofs,
  });
  return {
    ...proofs,
    guards,
    deviceGuards,
    dashboard,
    scopes: createScopes({
      guards,
      deviceGuards,
      acceptIdempotencyKeys: createIdempotency({
        redis: resources.redis,
        seal: createSeal(resources.keys('idempotency')),
        logger: resources.logger,
      }),
    }),
  };
}

/** Composes what the surfaces need: GraphQL, the site and the guides. */
async function composeSurfaces(
  { resources, webFolder }: ServiceOptions,
  services: GraphqlParts & ReturnType<typeof composeSignup> & { assets: Assets },
) {
  const { config, baseUrl } = resources;
  return {
    ...composeGraphql(resources, services, version),
    ...createSite(config, baseUrl, { ...services.signups, assets: services.assets }),
    library: await createLibrary({ file: new URL('../guides.json', webFolder), baseUrl }),
  };
}

/** Composes QR codes and NFC tags, whose scans and taps are events. */
const composeCodes = (
  { resources, webFolder }: ServiceOptions,
  needs: Core & Awaited<ReturnType<typeof composeAnalytics>>,
) => ({
  ...composeQr(resources, { ...needs, readerScript: new URL('../qr-reader.js', webFolder) }),
  ...composeNfc(resources, needs),
});

const settingWarnings = (config: Resources['config']) => [
  ...productionWarnings(config),
  ...reviewWarnings(config),
];

/** Creates the services of the areas, in the order of their dependencies. */
async function composeAreas(options: ServiceOptions) {
  const { resources, stores, assets } = options;
  const { config, clock, development, baseUrl, baseOrigin, bus, queues, keys } = resources;
  defineHeartbeat(queues);
  const core = await composeCore(options);
  const people = composePeople(resources, core);
  const signIns = composeSignIns(resources, core, people);
  const access = composeAccess(resources, core, people);
  const hasBypass = isBypassOpen(resources);
  const health = createHealth({ clock, warnings: settingWarnings(config) });
  const analytics = await composeAnalytics(resources, {
    ...core,
    users: people.users,
    pipeline: stores.pipeline,
  });
  const own = composeOwnAccount(resources, { ...core, ...people, personalData });
  const status = composeStatus(resources, { ...core, health });
  registerChecks(health, stores, queues, {
    ...status.deliveryChecks,
    backlogLimit: config.JOURNAL_BACKLOG_LIMIT,
    codeBudget: codeBudgetCheck(people.codeBudget),
    misrouted: config.ANALYTICS ? undefined : analytics.misrouted,
  });
  return {
    resources,
    clock,
    development,
    hasBypass,
    developmentNotice: developmentNotice(config, development, {
      hasBypass,
      kept: core.keptChannels,
    }),
    redis: resources.redis,
    bus,
    queues,
    keys,
    baseUrl,
    baseOrigin,
    appName: config.APP_NAME,
    assets,
    health,
    ...core,
    ...people,
    ...signIns,
    ...access,
    ...analytics,
    ...status,
    ...composeDirectory(resources, { ...core, ...people, ...own }),
    ...composeJobs(resources, core),
    ...composePayments(resources, { ...core, users: people.users }),
    ...composeSignup(resources, { ...core, ...people }),
    ...composeContact(resources, { ...core, ...people }),
    ...composeDeliverability(resources, core),
    ...composeCodes(options, { ...core, ...analytics }),
    ...own,
    ...composeAccount(resources, { ...core, ...people, ...signIns, ...own, assets }),
  };
}

/** Creates all services. */
export async function createServices(options: ServiceOptions) {
  const services = await composeAreas(options);
  const realtime = composeRealtime(options.resources, { ...services, version });
  const resourceList = listResources(services);
  const operationList = listOperations(services);
  return {
    ...services,
    ...realtime,
    resourceList,
    operationList,
    ...(await composeSurfaces(options, { ...services, ...realtime, resourceList, operationList })),
  };
}

export type Services = Awaited<ReturnType<typeof createServices>>;
