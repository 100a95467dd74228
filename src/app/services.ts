import { composeAnalytics } from '../areas/analytics/compose.ts';
import { composeApiKeys } from '../areas/api-keys/compose.ts';
import { composeAudit } from '../areas/audit/compose.ts';
import { createAuditFigures } from '../areas/audit/figures.ts';
import { composeComms } from '../areas/comms/compose.ts';
import { composeContact } from '../areas/contact/compose.ts';
import { composeDeliverability } from '../areas/deliverability/compose.ts';
import { composeGeoip } from '../areas/geoip/compose.ts';
import { defineHeartbeat } from '../areas/health/jobs.ts';
import { createHealth } from '../areas/health/service.ts';
import { composeIdentity } from '../areas/identity/compose.ts';
import { isBypassOpen } from '../areas/identity/providers/settings.ts';
import { composeJobs } from '../areas/jobs/compose.ts';
import { composeNfc } from '../areas/nfc/compose.ts';
import { codeBudgetCheck } from '../areas/identity/codes/budget.ts';
import { composePlans } from '../areas/payments/plan-catalog.ts';
import { composePayments } from '../areas/payments/compose.ts';
import { composeSettings } from '../areas/settings/compose.ts';
import { composeSignup } from '../areas/signup/compose.ts';
import { composeWaitlist } from '../areas/waitlist/compose.ts';
import { composeQr } from '../areas/qr/compose.ts';
import { composeStatus } from '../areas/status/compose.ts';
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
import type { CurrentSettings } from './resources.ts';
import type { Stores } from './stores.ts';
import { version } from './version.ts';

export interface ServiceOptions {
  resources: Resources & CurrentSettings;
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
 * the waitlist, which decides who may sign up.
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

/** Composes what the surfaces need: GraphQL, the site and the guides. */
async function composeSurfaces(
  { resources, webFolder }: ServiceOptions,
  services: GraphqlParts & ReturnType<typeof composeSignup> & { assets: Assets },
) {
  return {
    ...composeGraphql(resources, services, version),
    ...createSite(resources, { ...services.signups, assets: services.assets }),
    library: await createLibrary({
      file: new URL('../guides.json', webFolder),
      baseUrl: resources.baseUrl,
    }),
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
  const identity = composeIdentity(resources, {
    ...core,
    personalData,
    auditFigures: createAuditFigures,
  });
  const hasBypass = isBypassOpen(resources);
  const health = createHealth({ clock, warnings: settingWarnings(config) });
  const analytics = await composeAnalytics(resources, {
    ...core,
    users: identity.users,
    pipeline: stores.pipeline,
  });
  const status = composeStatus(resources, { ...core, health });
  const signup = composeSignup(resources, { ...core, ...identity });
  registerChecks(health, stores, queues, {
    ...status.deliveryChecks,
    backlogLimit: config.JOURNAL_BACKLOG_LIMIT,
    codeBudget: codeBudgetCheck(identity.codeBudget),
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
    brand: resources.brand,
    ...composeSettings(resources, core),
    assets,
    health,
    ...core,
    ...identity,
    ...analytics,
    ...status,
    ...composeJobs(resources, core),
    ...composePayments(resources, { ...core, users: identity.users }),
    ...signup,
    ...composeContact(resources, { ...core, ...identity }),
    ...composeDeliverability(resources, core),
    ...composeCodes(options, { ...core, ...analytics }),
    ...composeAccount(resources, { ...core, ...identity, ...signup, assets }),
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
