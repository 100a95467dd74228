import type { Logger } from 'pino';
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
import { createKeyGuards } from './areas/api-keys/guards.ts';
import { createApiKeys } from './areas/api-keys/service.ts';
import { createApiKeyStore } from './areas/api-keys/store.ts';
import { defineHeartbeat } from './areas/health/jobs.ts';
import { createHealth } from './areas/health/service.ts';
import { createStatus } from './areas/status/service.ts';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';
import { openGeoip } from './platform/geoip.ts';
import { createQueues } from './platform/queues.ts';
import { baseUrlOf } from './config.ts';
import { registerChecks } from './checks.ts';
import type { Stores } from './stores.ts';

export interface Resources {
  config: Config;
  clock: Clock;
  logger: Logger;
  stores: Stores;
}

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

/** Makes every service, in the order in which they need one another. */
export async function createServices(resources: Resources) {
  const { config, clock, logger, stores } = resources;
  const geoip = openGeoip();
  const apiKeys = createApiKeys({ store: createApiKeyStore(stores.db), clock, adminKey: config.ADMIN_API_KEY });
  const queues = createQueues({ connection: stores.redisPlace, prefix: 'jobs', logger, clock });
  defineHeartbeat(queues);
  const health = createHealth({ clock });
  registerChecks(health, stores, queues);
  const analytics = await createAnalytics(resources, geoip);
  return {
    geoip,
    apiKeys,
    guards: createKeyGuards(apiKeys),
    queues,
    health,
    status: createStatus({ health, baseUrl: baseUrlOf(config) }),
    ...analytics,
  };
}

export type Services = Awaited<ReturnType<typeof createServices>>;
