import { createAdmission } from '../areas/analytics/ingest/admission/admission.ts';
import { createAnnotations } from '../areas/analytics/annotations/annotations.ts';
import { createClients } from '../areas/analytics/ingest/admission/client-cache.ts';
import { createDashboards, type Dashboards } from '../areas/analytics/figures/dashboard.ts';
import { createDropCounters } from '../areas/analytics/ingest/limits/drop-counters.ts';
import { identifiedVisitor, visitorHash } from '../areas/analytics/enrichment/visitor.ts';
import { createEventIds } from '../areas/analytics/ingest/admission/event-ids.ts';
import { figuresElsewhere, ingestElsewhere } from '../areas/analytics/disabled.ts';
import { createExports } from '../areas/analytics/figures/exports.ts';
import { createFunnels } from '../areas/analytics/goals/funnels.ts';
import { createGoals } from '../areas/analytics/goals/goals.ts';
import { createIngest } from '../areas/analytics/ingest/ingest.ts';
import { createLive } from '../areas/analytics/figures/live.ts';
import { type AnalyticsQuestions, createQuestions } from '../areas/analytics/figures/questions.ts';
import { createRetention } from '../areas/analytics/figures/retention.ts';
import { defineReports } from '../areas/analytics/sharing/reports/report-job.ts';
import { createReportStore } from '../areas/analytics/sharing/reports/report-store.ts';
import { createReportTokens } from '../areas/analytics/sharing/reports/unsubscribe-tokens.ts';
import { createReports } from '../areas/analytics/sharing/reports/reports.ts';
import { createSalts } from '../areas/analytics/ingest/admission/salts.ts';
import { createShareStore } from '../areas/analytics/sharing/shares/share-store.ts';
import { createShareTries } from '../areas/analytics/sharing/shares/password-attempts.ts';
import { createShares } from '../areas/analytics/sharing/shares/shares.ts';
import { createSiteAdmin } from '../areas/analytics/sites/site-admin.ts';
import { createSiteRegistrations } from '../areas/analytics/sites/registration-limit.ts';
import { defineSiteRetention } from '../areas/analytics/sites/retention-job.ts';
import { createSites, type Sites } from '../areas/analytics/sites/sites.ts';
import { createStorageBudget } from '../areas/analytics/ingest/limits/storage-budget.ts';
import {
  createSaltStore,
  createSiteStore,
  type SqlSiteStore,
} from '../areas/analytics/sites/site-store.ts';
import type { Audit } from '../areas/audit/service.ts';
import type { Messages } from '../areas/comms/service.ts';
import { emailIdentity } from '../areas/otp/identifiers.ts';
import type { Users } from '../areas/users/service.ts';
import { baseUrlOf, type Config } from '../config.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { mayEnterConsole } from '../platform/ui/console-place.ts';
import type { openGeoip } from '../platform/geoip.ts';
import type { Keys } from '../platform/crypto/keys.ts';
import type { Queues } from '../platform/queues/queues.ts';
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
  users: Pick<Users, 'ownerOf'>;
}

const siteSignal = 'site_changed';

/** Whom figures are asked of. */
const threadOf = ({
  config,
  stores: {
    pipeline: { thread },
  },
}: Resources) => (config.ANALYTICS ? thread : figuresElsewhere(thread));

/** Sites as admins change them, and what stands beside their figures. When one is changed, every replica reads it again. */
function createSiteServices(
  {
    clock,
    logger,
    stores: {
      db,
      pipeline: { thread },
    },
  }: Resources,
  { bus, queues, audit }: AnalyticsParts,
  { sites, store, questions }: { sites: Sites; store: SqlSiteStore; questions: AnalyticsQuestions },
) {
  bus.onSignal(siteSignal, (key) => {
    sites
      .reload(key)
      .catch((err: unknown) =>
        logger.warn({ err }, 'a site that was changed could not be read again'),
      );
  });
  defineSiteRetention(queues, { thread, sites, bus, clock, logger });
  return {
    siteAdmin: createSiteAdmin({
      db,
      store,
      sites,
      audit,
      clock,
      changed: (key) => bus.signal(siteSignal, key),
    }),
    goals: createGoals({ db, sites, audit, clock, questions }),
    funnels: createFunnels({ db, sites, audit, clock, questions }),
    annotations: createAnnotations({ db, sites, audit, clock }),
    retention: createRetention({ questions, sites, clock }),
  };
}

/** Who else gets to see figures: by a link, or by e-mail. */
function createSharing(
  { config, clock, logger, stores: { db, redis } }: Resources,
  { queues, keys, messages, channels, audit, users }: AnalyticsParts,
  { sites, dashboards }: { sites: Sites; dashboards: Dashboards },
) {
  const baseUrl = baseUrlOf(config);
  const reports = createReports({
    db,
    store: createReportStore(db),
    sites,
    dashboards,
    messages,
    tokens: createReportTokens(keys('analytics-report-unsubscribe')),
    audit,
    clock,
    logger,
    emailIdentity,
    baseOrigin: new URL(baseUrl).origin,
    isOpen: channels.email,
    async opensConsole(email) {
      const owner = await users.ownerOf({ kind: 'email', key: email });
      return owner?.disabledAt === null && mayEnterConsole(owner.roles);
    },
  });
  defineReports(queues, reports, { isHere: config.ANALYTICS });
  return {
    reports,
    shares: createShares({
      db,
      store: createShareStore(db),
      sites,
      tries: createShareTries(redis, keys('analytics-share-tries')),
      keys,
      audit,
      clock,
      baseUrl,
    }),
  };
}

/** Whether unknown sites are registered when their first event arrives. */
export function siteRegistrationOf({ SITE_REGISTRATION, NODE_ENV }: Config): 'open' | 'closed' {
  return SITE_REGISTRATION ?? (NODE_ENV === 'production' ? 'closed' : 'open');
}

/** Events in, figures out. */
export async function createAnalytics(resources: Resources, parts: AnalyticsParts) {
  const { config, clock, logger, stores } = resources;
  const { geoip, bus, keys } = parts;
  const { pipeline, db, redis } = stores;
  const salts = createSalts({ store: createSaltStore(db), clock });
  const siteStore = createSiteStore(db);
  const sites = createSites({
    store: siteStore,
    clock,
    registration: siteRegistrationOf(config),
    limit: config.SITE_LIMIT,
    ...(config.RATE_LIMIT
      ? {
          mayRegister: createSiteRegistrations({
            redis,
            key: keys('analytics-site-registrations'),
            clock,
          }),
        }
      : {}),
  });
  const storageBudget = createStorageBudget({
    redis,
    key: keys('analytics-stored-bytes'),
    clock,
    logger,
    perAddress: config.RATE_LIMIT ? config.STORED_BYTES_PER_ADDRESS : 0,
    perSite: config.RATE_LIMIT ? config.STORED_BYTES_PER_SITE : 0,
  });
  await Promise.all([salts.refresh(), sites.load()]);
  const clients = createClients({
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
  const admission = createAdmission({
    clients,
    newId: createEventIds(),
    identified: (siteId, person) => hex(identifiedVisitor(siteId, person)),
  });
  const drops = createDropCounters({ clock });
  const { journal, remembered, backlog } = pipeline;
  const questions = createQuestions({
    thread: threadOf(resources),
    deadlineMs: config.QUESTION_DEADLINE_SECONDS * 1000,
  });
  const live = createLive({ bus, sites, questions, clock, logger });
  const ingest = createIngest({
    journal,
    sites,
    admission,
    remembered,
    drops,
    budget: storageBudget,
    clock,
    onStored(events, userAgent) {
      backlog.stored(events.length);
      live.note(events, userAgent);
    },
  });
  const dashboards = createDashboards({
    questions,
    sites,
    clock,
    pending: () => backlog.figures().pending,
  });
  return {
    salts,
    sites,
    live,
    figuresAreHere: config.ANALYTICS,
    storageBudget,
    ingest: config.ANALYTICS ? ingest : ingestElsewhere(ingest),
    backlog,
    dashboards,
    exports: createExports({ questions, sites, clock, logger }),
    ...createSiteServices(resources, parts, { sites, store: siteStore, questions }),
    ...createSharing(resources, parts, { sites, dashboards }),
  };
}
