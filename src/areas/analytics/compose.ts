import { createAdmission } from './ingest/admission/admission.ts';
import { createAnnotations } from './annotations/annotations.ts';
import { createClientCache } from './ingest/admission/clients.ts';
import { createDashboards, type Dashboards } from './figures/dashboard.ts';
import { createDropCounters } from './ingest/limits/drop-counters.ts';
import { identifiedVisitor, visitorHash } from './enrichment/visitor.ts';
import { createEventIds } from './ingest/admission/event-ids.ts';
import { disabledThread, disabledIngest } from './disabled.ts';
import { createMisrouted, type Misrouted, type MisroutedKind } from './misrouted.ts';
import { createExports } from './figures/exports.ts';
import { createFunnels } from './goals/funnels.ts';
import { createGoals } from './goals/goals.ts';
import { createLinkEvents } from './ingest/link-events.ts';
import { createLinkSite } from './sites/link-site.ts';
import { createIngest } from './ingest/ingest.ts';
import { createLivePublisher, type LivePublisher } from './figures/live/live-publisher.ts';
import { type AnalyticsQueries, createQueries } from './figures/queries.ts';
import { createRetention } from './figures/retention.ts';
import { defineReportJob } from './sharing/reports/report-job.ts';
import { createReportStore } from './sharing/reports/report-store.ts';
import { createUnsubscribeTokens } from './sharing/reports/tokens.ts';
import { createReports } from './sharing/reports/reports.ts';
import { createSalts, type Salts } from './ingest/admission/salts.ts';
import { createShareStore } from './sharing/shares/share-store.ts';
import { createPasswordAttempts } from '../../platform/redis/password-attempts.ts';
import { createShares } from './sharing/shares/shares.ts';
import { createSiteAdmin } from './sites/site-admin.ts';
import { createRegistrationLimit } from './sites/registration-limit.ts';
import { defineRetentionJob } from './sites/retention-job.ts';
import { createSites, type Sites } from './sites/sites.ts';
import { createStorageBudget } from './ingest/limits/storage-budget.ts';
import { createSaltStore, createSiteStore, type SqlSiteStore } from './sites/site-store.ts';
import type { Audit } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import type { Users } from '../identity/users/service.ts';
import type { Config } from '../../config.ts';
import { hasAnyRole } from '../../lib/access.ts';
import type { Geoip } from '../geoip/country-database.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Pipeline } from './ingest/pipeline.ts';

const hex = (hash: bigint) => hash.toString(16).padStart(16, '0');

export interface AnalyticsNeeds {
  pipeline: Pipeline;
  geoip: Geoip;
  messages: Messages;
  channels: { email: boolean };
  audit: Audit;
  users: Pick<Users, 'ownerOf'>;
}

const siteSignal = 'site_changed';

/** Creates the services that manage sites. Every replica reloads a site when it changes. */
function createSiteServices(
  { clock, logger, db, bus, queues }: Resources,
  { pipeline: { thread }, audit }: AnalyticsNeeds,
  { sites, store, queries }: { sites: Sites; store: SqlSiteStore; queries: AnalyticsQueries },
) {
  bus.onSignal(siteSignal, (key) => {
    sites
      .reload(key)
      .catch((err: unknown) =>
        logger.warn({ err }, 'a site that was changed could not be read again'),
      );
  });
  defineRetentionJob(queues, { thread, sites, bus, clock, logger });
  return {
    siteAdmin: createSiteAdmin({
      db,
      store,
      sites,
      audit,
      clock,
      onChanged: (key) => bus.signal(siteSignal, key),
    }),
    goals: createGoals({ db, sites, audit, clock, queries }),
    funnels: createFunnels({ db, sites, audit, clock, queries }),
    annotations: createAnnotations({ db, sites, audit, clock }),
    retention: createRetention({ queries, sites, clock }),
  };
}

/** Creates the services that show figures to people without an account, by link or email. */
function createSharing(
  { config, clock, logger, db, redis, queues, keys, baseUrl, baseOrigin }: Resources,
  { messages, channels, audit, users }: AnalyticsNeeds,
  { sites, dashboards }: { sites: Sites; dashboards: Dashboards },
) {
  const reports = createReports({
    db,
    store: createReportStore(db),
    sites,
    dashboards,
    messages,
    tokens: createUnsubscribeTokens(keys('analytics-report-unsubscribe')),
    audit,
    clock,
    logger,
    baseOrigin,
    isEmailConfigured: channels.email,
    async hasConsoleAccess(email) {
      const owner = await users.ownerOf({ kind: 'email', key: email });
      return owner?.disabledAt === null && hasAnyRole(owner.roles);
    },
  });
  defineReportJob(queues, reports, { isHere: config.ANALYTICS });
  return {
    reports,
    shares: createShares({
      db,
      store: createShareStore(db),
      sites,
      tries: createPasswordAttempts(redis, keys('analytics-share-tries'), 'share'),
      keys,
      audit,
      clock,
      baseUrl,
    }),
  };
}

/** Returns whether unknown sites are registered when their first event arrives. */
export function siteRegistrationOf({ SITE_REGISTRATION, NODE_ENV }: Config): 'open' | 'closed' {
  return SITE_REGISTRATION ?? (NODE_ENV === 'production' ? 'closed' : 'open');
}

function createSiteRegistry({ config, clock, redis, keys }: Resources, store: SqlSiteStore): Sites {
  const key = keys('analytics-site-registrations');
  return createSites({
    store,
    clock,
    registration: siteRegistrationOf(config),
    limit: config.SITE_LIMIT,
    ...(config.RATE_LIMIT && { mayRegister: createRegistrationLimit({ redis, key, clock }) }),
  });
}

/** Creates the admission that events pass before they are written to the journal. */
function createEventAdmission(geoip: Geoip, salts: Salts) {
  const clients = createClientCache({
    country: (ip) => geoip.country(ip),
    visitor(siteId, ip, userAgent, now) {
      const { day, today, yesterday } = salts.at(now);
      const traits = { siteId, ip, userAgent, host: '' };
      return {
        day,
        today: hex(visitorHash({ ...traits, salt: today })),
        yesterday: hex(visitorHash({ ...traits, salt: yesterday })),
      };
    },
  });
  return createAdmission({
    clients,
    newId: createEventIds(),
    identified: (siteId, person) => hex(identifiedVisitor(siteId, person)),
  });
}

function createEventIngest(
  { config, clock, logger, redis, keys }: Resources,
  { geoip, pipeline: { journal, recentIds, backlog } }: AnalyticsNeeds,
  {
    sites,
    salts,
    live,
    misrouted,
  }: { sites: Sites; salts: Salts; live: LivePublisher; misrouted: Misrouted },
) {
  const storageBudget = createStorageBudget({
    redis,
    key: keys('analytics-stored-bytes'),
    clock,
    logger,
    perAddress: config.RATE_LIMIT ? config.STORED_BYTES_PER_ADDRESS : 0,
    perSite: config.RATE_LIMIT ? config.STORED_BYTES_PER_SITE : 0,
  });
  const ingest = createIngest({
    journal,
    sites,
    admission: createEventAdmission(geoip, salts),
    recentIds,
    drops: createDropCounters({ clock }),
    budget: storageBudget,
    clock,
    onStored(events, userAgent) {
      backlog.stored(events.length);
      live.record(events, userAgent);
    },
  });
  const hereFor = (kind: MisroutedKind) =>
    config.ANALYTICS ? ingest : disabledIngest(ingest, misrouted, kind);
  const recordLinkEvent = createLinkEvents({ ingest: hereFor('link'), sites, logger });
  return { storageBudget, ingest: hereFor('event'), recordLinkEvent };
}

/** Creates the services of analytics. */
export async function composeAnalytics(resources: Resources, needs: AnalyticsNeeds) {
  const { config, clock, logger, db, bus } = resources;
  const { thread, backlog } = needs.pipeline;
  const salts = createSalts({ store: createSaltStore(db), clock });
  const store = createSiteStore(db);
  const sites = createSiteRegistry(resources, store);
  await Promise.all([salts.refresh(), sites.load()]);
  const misrouted = createMisrouted({ clock, logger });
  const queries = createQueries({
    thread: config.ANALYTICS ? thread : disabledThread(thread, misrouted),
    deadlineMs: config.QUERY_TIMEOUT_SECONDS * 1000,
  });
  const live = createLivePublisher({ bus, sites, queries, clock, logger });
  const pending = () => backlog.figures().pending;
  const dashboards = createDashboards({ queries, sites, clock, pending });
  return {
    salts,
    sites,
    linkSite: createLinkSite({ sites, baseOrigin: resources.baseOrigin }),
    live,
    figuresAreHere: config.ANALYTICS,
    misrouted,
    backlog,
    dashboards,
    queries,
    exports: createExports({ queries, sites, clock, logger }),
    ...createEventIngest(resources, needs, { sites, salts, live, misrouted }),
    ...createSiteServices(resources, needs, { sites, store, queries }),
    ...createSharing(resources, needs, { sites, dashboards }),
  };
}

/** The services of analytics: what its operations run with. */
export type AnalyticsContext = Awaited<ReturnType<typeof composeAnalytics>>;
