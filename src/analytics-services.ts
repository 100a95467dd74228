import { createAdmission } from './areas/analytics/admission.ts';
import { createClients } from './areas/analytics/client.ts';
import { createDashboards } from './areas/analytics/dashboard.ts';
import { createDropCounters } from './areas/analytics/drops.ts';
import { identifiedVisitor, visitorHash } from './areas/analytics/enrich/visitor.ts';
import { createEventIds } from './areas/analytics/event-ids.ts';
import { createExports } from './areas/analytics/exports.ts';
import { createIngest } from './areas/analytics/ingest.ts';
import { createLive } from './areas/analytics/live.ts';
import { createSalts } from './areas/analytics/salts.ts';
import { createSites } from './areas/analytics/sites.ts';
import { createSaltStore, createSiteStore } from './areas/analytics/store.ts';
import type { Audit } from './areas/audit/service.ts';
import type { Messages } from './areas/comms/service.ts';
import type { Bus } from './platform/bus.ts';
import type { openGeoip } from './platform/geoip.ts';
import type { Keys } from './platform/keys.ts';
import type { Queues } from './platform/queues.ts';
import type { Resources } from './resources.ts';

const hex = (hash: bigint) => hash.toString(16).padStart(16, '0');

/** What figures are made with. */
export interface AnalyticsParts {
  geoip: ReturnType<typeof openGeoip>;
  bus: Bus;
  queues: Queues;
  keys: Keys;
  messages: Messages;
  channels: { email: boolean };
  audit: Audit;
}

/** Events in, figures out. */
export async function createAnalytics({ config, clock, logger, stores }: Resources, { geoip, bus }: AnalyticsParts) {
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
  const live = createLive({ bus, sites, thread, clock, logger });
  return {
    salts,
    sites,
    live,
    ingest: createIngest({ journal, sites, admission, ids, drops, clock, onStored: (events, userAgent) => live.note(events, userAgent) }),
    dashboards: createDashboards({ thread, sites, clock }),
    exports: createExports({ thread, sites, clock, logger }),
  };
}
