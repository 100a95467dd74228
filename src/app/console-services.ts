import type { DashboardView } from '../areas/analytics/figures/schemas.dashboard.ts';
import { DashboardQuery } from '../areas/analytics/figures/schemas.dashboard.ts';
import { createConsoleLayout } from '../surfaces/console/layout.ts';
import { createSearchWords } from '../surfaces/console/search-words.ts';
import type { OverviewSource } from '../surfaces/console/operations/routes.overview.ts';
import { scriptPathOf } from '../surfaces/console/routes.assets.ts';
import { createViewers } from '../surfaces/console/request-context.ts';
import type { Config } from '../config.ts';
import {
  createAnalyticsSource,
  createGoalsSource,
  createRetentionSource,
  createSiteSource,
} from './console-analytics.ts';
import { createOperations } from './console-operations.ts';
import { createPeopleSources } from './console-people.ts';
import type { Clock } from '../lib/clock.ts';
import { createSeal } from '../lib/secrets/seal.ts';
import { dayMs } from '../lib/durations.ts';
import type { Requester } from '../platform/http/requester.ts';
import type { RequestMeter } from '../platform/http/request-meter.ts';
import type { WebScript } from '../platform/ui/web-script.ts';
import type { Services } from './services.ts';

export interface ConsoleParts {
  config: Config;
  clock: Clock;
  services: Services;
  meter: RequestMeter;
  script: WebScript;
}

const mostSites = 5;

/** The busiest sites of those that had an event in the last day. */
async function sitesOfToday(
  { dashboards }: Services,
  now: number,
  by: Requester,
): Promise<{ days: DashboardView[]; quiet: number }> {
  const all = await dashboards.sites(by);
  const lively = all
    .filter(({ last_event_at: last }) => last !== null && Date.parse(last) > now - dayMs)
    .sort((a, b) => b.events - a.events);
  const query = (site: string) =>
    DashboardQuery.parse({ site_id: site, period: '24h', compare: 'previous' });
  const days = await Promise.all(
    lively
      .slice(0, mostSites)
      .map(({ site_id: site }) => dashboards.getDashboard({ ...query(site), limit: 0 }, by)),
  );
  return {
    days: days.sort((a, b) => b.totals.visitors - a.totals.visitors),
    quiet: all.length - days.length,
  };
}

function serviceFigures({ queues, health, realtime }: Services, meter: RequestMeter, now: number) {
  const { broker, handlers } = queues.state();
  const sum = (valueOf: (handler: (typeof handlers)[number]) => number | null) =>
    broker.reachable ? handlers.reduce((all, handler) => all + (valueOf(handler) ?? 0), 0) : null;
  return {
    ...meter.figures(),
    sockets: realtime.figures().endpoints.reduce((all, { connections }) => all + connections, 0),
    queued: sum(({ waiting, active }) => (waiting ?? 0) + (active ?? 0)),
    failedJobs: sum(({ failed }) => failed),
    loop: health.loopPercent(),
    memory: process.memoryUsage.rss(),
    uptimeSeconds: (now - health.startedAt) / 1000,
  };
}

function overviewSource({ services, meter, clock }: ConsoleParts): OverviewSource {
  const { status, devices, audit } = services;
  return {
    async view({ isAdmin }, by) {
      const now = clock.now();
      const [{ days, quiet }, waiting, entries] = await Promise.all([
        sitesOfToday(services, now, by),
        isAdmin ? devices.decisions.list('open', by.signal) : undefined,
        isAdmin ? audit.list({ limit: 8 }, by.signal) : undefined,
      ]);
      return {
        status: status.state(),
        sites: days,
        quietSites: quiet,
        service: serviceFigures(services, meter, now),
        waitingDevices: waiting?.length,
        entries: entries?.data,
        baseUrl: services.baseOrigin,
      };
    },
  };
}

/** What the console shows and does: the same services as the API. */
export function createConsoleParts(parts: ConsoleParts) {
  const {
    config,
    clock,
    services: { guards, devices, keys },
    script,
  } = parts;
  return {
    consoleLayout: createConsoleLayout({
      appName: config.APP_NAME,
      script: scriptPathOf(script.version),
    }),
    viewerOf: createViewers({ guards, nonce: devices.nonces.current, now: clock.now }),
    words: createSearchWords(createSeal(keys('console-search'))),
    consoleScript: script,
    overview: overviewSource(parts),
    ...createPeopleSources(parts.services, clock.now),
    ...createOperations(parts),
    site: createSiteSource(parts.services),
    goalsSource: createGoalsSource(parts.services),
    retentionSource: createRetentionSource(parts.services),
    now: clock.now,
    analytics: createAnalyticsSource(parts.services, {
      origin: parts.services.baseOrigin,
      now: clock.now,
    }),
  };
}
