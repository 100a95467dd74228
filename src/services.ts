import { createAdmission } from './areas/analytics/admission.ts';
import { createClients } from './areas/analytics/client.ts';
import { createDashboards } from './areas/analytics/dashboard.ts';
import { createDropCounters } from './areas/analytics/drops.ts';
import { identifiedVisitor, visitorHash } from './areas/analytics/enrich/visitor.ts';
import { createEventIds } from './areas/analytics/event-ids.ts';
import { createExports } from './areas/analytics/exports.ts';
import { createIngest } from './areas/analytics/ingest.ts';
import { createSalts } from './areas/analytics/salts.ts';
import { createSites } from './areas/analytics/sites.ts';
import { createSaltStore, createSiteStore } from './areas/analytics/store.ts';
import { createApiKeys } from './areas/api-keys/service.ts';
import { createApiKeyStore } from './areas/api-keys/store.ts';
import { defineAuditRetention } from './areas/audit/jobs.ts';
import { type Audit, createAudit } from './areas/audit/service.ts';
import { createAuditStore } from './areas/audit/store.ts';
import { defineDeliveryCleanup } from './areas/comms/jobs.ts';
import { createOutbox } from './areas/comms/outbox.ts';
import { createProviders } from './areas/comms/providers.ts';
import { createMessages } from './areas/comms/service.ts';
import { createDeliveryStore } from './areas/comms/store.ts';
import { defineHeartbeat } from './areas/health/jobs.ts';
import { createHealth } from './areas/health/service.ts';
import { emailIdentity } from './areas/otp/identifiers.ts';
import { createHandling } from './areas/payments/handling.ts';
import { definePaymentRetention } from './areas/payments/jobs.ts';
import { createPayments } from './areas/payments/service.ts';
import { createPaymentStore } from './areas/payments/store.ts';
import { createStatus } from './areas/status/service.ts';
import { baseUrlOf } from './config.ts';
import { openGeoip } from './platform/geoip.ts';
import { openKeys } from './platform/keys.ts';
import type { Keys } from './platform/keys.ts';
import { createQueues } from './platform/queues.ts';
import type { Queues } from './platform/queues.ts';
import { registerChecks } from './checks.ts';
import { createAccess, createAuth, createDeviceCookies, createIdpSignIn, createSignInPages, type Auth } from './sign-in-services.ts';
import type { Resources } from './resources.ts';

const hex = (hash: bigint) => hash.toString(16).padStart(16, '0');

async function createAnalytics({ config, clock, logger, stores }: Resources, geoip: ReturnType<typeof openGeoip>) {
  const { pipeline, db } = stores;
  const salts = createSalts({ store: createSaltStore(db), clock });
  const sites = createSites({ store: createSiteStore(db), clock, registration: config.SITE_REGISTRATION, limit: config.SITE_LIMIT });
  await Promise.all([salts.refresh(), sites.load()]);
  const clients = createClients({
    country: (ip) => geoip.country(ip),
    visitor(siteId, ip, userAgent, now) {
      const { day, today, yesterday } = salts.at(now);
      const traits = { siteId, ip, userAgent, host: '' };
      return { day, today: hex(visitorHash({ ...traits, salt: today })), yesterday: hex(visitorHash({ ...traits, salt: yesterday })) };
    },
  });
  const admission = createAdmission({ clients, newId: createEventIds(), identified: (siteId, person) => hex(identifiedVisitor(siteId, person)) });
  const drops = createDropCounters({ clock });
  const { journal, thread, ids } = pipeline;
  return {
    salts,
    sites,
    ingest: createIngest({ journal, sites, admission, ids, drops, clock }),
    dashboards: createDashboards({ thread, sites, clock }),
    exports: createExports({ thread, sites, clock, logger }),
  };
}

function createComms({ config, clock, logger, stores }: Resources, queues: Queues, keys: Keys) {
  const outbox = createOutbox({ clock });
  const store = createDeliveryStore(stores.db);
  const providers = createProviders({ config, clock, outbox });
  defineDeliveryCleanup({ queues, store, clock });
  const channels = { sms: providers.sms !== undefined, email: providers.email !== undefined };
  return { outbox, channels, messages: createMessages({ queues, store, providers, keys, clock, logger, appName: config.APP_NAME }) };
}

function createPlans({ config, clock, logger, stores }: Resources, { queues, audit, users }: { queues: Queues; audit: Audit } & Pick<Auth, 'users'>) {
  const store = createPaymentStore(stores.db);
  definePaymentRetention({ queues, store, clock });
  const handling = createHandling({ store, ownerOf: users.ownerOf, emailIdentity, clock, logger });
  return createPayments({ store, handling, queues, audit, clock, logger, secrets: config.PAYMENTS_WEBHOOK_SECRET });
}

/** Makes every service, in the order in which they need one another. */
export async function createServices(resources: Resources) {
  const { config, clock, logger, stores } = resources;
  const geoip = openGeoip();
  const keys = await openKeys({ secret: config.AUTH_SECRET, dataDir: stores.dataDir.path });
  const apiKeys = createApiKeys({ store: createApiKeyStore(stores.db), clock, adminKey: config.ADMIN_API_KEY });
  const queues = createQueues({ connection: stores.redisPlace, prefix: 'jobs', logger, clock });
  defineHeartbeat(queues);
  const auditStore = createAuditStore(stores.db);
  const audit = createAudit({ store: auditStore, clock, logger });
  defineAuditRetention(queues, { store: auditStore, clock });
  const { outbox, channels, messages } = createComms(resources, queues, keys);
  const auth = createAuth(resources, { keys, audit, messages, queues });
  const cookies = createDeviceCookies(resources, auth.devices);
  const baseOrigin = new URL(baseUrlOf(config)).origin;
  const health = createHealth({ clock });
  registerChecks(health, stores, queues);
  const analytics = await createAnalytics(resources, geoip);
  return {
    geoip,
    apiKeys,
    audit,
    appName: config.APP_NAME,
    baseOrigin,
    queues,
    messages,
    outbox,
    channels,
    ...auth,
    ...createAccess(resources, keys, { apiKeys, auth, geoip, cookies }),
    ...createIdpSignIn(resources, audit, auth, cookies),
    payments: createPlans(resources, { queues, audit, users: auth.users }),
    ...createSignInPages(resources, audit, auth, cookies),
    health,
    status: createStatus({ health, baseUrl: baseUrlOf(config) }),
    ...analytics,
  };
}

export type Services = Awaited<ReturnType<typeof createServices>>;
