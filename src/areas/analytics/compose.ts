import type { Resources } from '../../platform/resources.ts';
import { createAnnotations } from './annotations/service.ts';
import { disabledIngest, disabledThread } from './disabled.ts';
import { identifiedVisitor, visitorHash } from './enrichment/visitor.ts';
import { createDashboards } from './figures/dashboard.ts';
import { createExports } from './figures/exports.ts';
import { createLivePublisher, type LivePublisher } from './figures/live/live-publisher.ts';
import { createQueries } from './figures/queries.ts';
import { createRetention } from './figures/retention.ts';
import { createFunnels } from './goals/funnels.ts';
import { createGoalFinder } from './goals/goal-finder.ts';
import { createGoals } from './goals/goals.ts';
import { createAdmission } from './ingest/admission/admission.ts';
import { createClientCache } from './ingest/admission/clients.ts';
import { createEventIds } from './ingest/admission/event-ids.ts';
import { createSalts, type Salts } from './ingest/admission/salts.ts';
import { createIngest } from './ingest/ingest.ts';
import { createDropCounters } from './ingest/limits/drop-counters.ts';
import { createStorageBudget } from './ingest/limits/storage-budget.ts';
import { createLinkEvents } from './ingest/link-events.ts';
import { createSaltStore } from './ingest/store.ts';
import {
  createMisroutedCounter,
  type MisroutedCounter,
  type MisroutedKind,
} from './misrouted-counter.ts';
import type { AnalyticsNeeds, AnalyticsResources } from './resources.ts';
import { defineReportJob } from './sharing/reports/jobs.ts';
import { createReports } from './sharing/reports/service.ts';
import { createShares } from './sharing/shares/service.ts';
import { defineRetentionJob } from './sites/jobs.ts';
import { createRegistrationLimit } from './sites/registration-limit.ts';
import { createSiteAdmin } from './sites/service.ts';
import { createSites } from './sites/sites.ts';
import { createSiteStore, type SiteStore } from './sites/store.ts';

const hex = (hash: bigint) => hash.toString(16).padStart(16, '0');

const siteSignal = 'site_changed';

const composeSites = (resources: Resources, store: SiteStore) =>
  createSites({
    store,
    clock: resources.clock,
    registration: () => resources.live().siteRegistration,
    limit: resources.config.SITE_LIMIT,
    ...(resources.config.RATE_LIMIT && { mayRegister: createRegistrationLimit(resources) }),
  });

/** Creates what the services of the area are made from. */
async function composeResources(
  resources: Resources & AnalyticsNeeds,
  store: SiteStore,
  misrouted: MisroutedCounter,
): Promise<AnalyticsResources> {
  const { config, pipeline } = resources;
  const { thread, backlog } = pipeline;
  const sites = composeSites(resources, store);
  await sites.load();
  const queries = createQueries({
    thread: config.ANALYTICS ? thread : disabledThread(thread, misrouted),
    deadlineMs: config.QUERY_TIMEOUT_SECONDS * 1000,
  });
  const pending = () => backlog.figures().pending;
  const findGoal = createGoalFinder(resources.db);
  const dashboards = createDashboards({ ...resources, queries, sites, pending, findGoal });
  return { ...resources, sites, queries, dashboards };
}

/** Creates the service that manages sites. Every replica reloads a site when it changes. */
function composeSiteAdmin(resources: AnalyticsResources, store: SiteStore) {
  const { bus, sites, logger } = resources;
  bus.onSignal(siteSignal, (key) => {
    sites
      .reload(key)
      .catch((err: unknown) =>
        logger.warn({ err }, 'a site that was changed could not be read again'),
      );
  });
  return createSiteAdmin(resources, store, (key) => bus.signal(siteSignal, key));
}

/** Creates the admission that events pass before they are written to the journal. */
function composeAdmission({ geoip }: AnalyticsResources, salts: Salts) {
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

function composeIngest(
  resources: AnalyticsResources,
  { salts, live, misrouted }: { salts: Salts; live: LivePublisher; misrouted: MisroutedCounter },
) {
  const drops = createDropCounters(resources);
  const budget = createStorageBudget(resources, drops);
  const admission = composeAdmission(resources, salts);
  const parts = { admission, budget, drops, publishLive: live.record };
  const ingest = createIngest(resources, parts);
  /** With ANALYTICS=off it rejects events, so that senders try another replica. */
  const ingestFor = (kind: MisroutedKind) =>
    resources.config.ANALYTICS ? ingest : disabledIngest(ingest, misrouted, kind);
  return {
    storageBudget: budget,
    ingest: ingestFor('event'),
    ...createLinkEvents(resources, ingestFor('link')),
  };
}

/** Creates the services of analytics. */
export async function composeAnalytics(common: Resources, needs: AnalyticsNeeds) {
  const { config, db, clock } = common;
  const salts = createSalts({ store: createSaltStore(db), clock });
  const store = createSiteStore(db);
  const misrouted = createMisroutedCounter(common);
  const [resources] = await Promise.all([
    composeResources({ ...common, ...needs }, store, misrouted),
    salts.refresh(),
  ]);
  const live = createLivePublisher(resources);
  const reports = createReports(resources);
  defineRetentionJob(resources);
  defineReportJob(resources, reports);
  const { sites, queries, dashboards, pipeline } = resources;
  return {
    salts,
    sites,
    queries,
    dashboards,
    backlog: pipeline.backlog,
    misrouted,
    figuresAreHere: config.ANALYTICS,
    live,
    siteAdmin: composeSiteAdmin(resources, store),
    goals: createGoals(resources),
    funnels: createFunnels(resources),
    annotations: createAnnotations(resources),
    retention: createRetention(resources),
    exports: createExports(resources),
    reports,
    shares: createShares(resources),
    ...composeIngest(resources, { salts, live, misrouted }),
  };
}

/** The services of analytics: what its operations run with. */
export type AnalyticsContext = Awaited<ReturnType<typeof composeAnalytics>>;
