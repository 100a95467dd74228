import {
  DashboardQuery,
  type DashboardView,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { dayMs } from '../../../lib/durations.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import type { ConsoleContext } from '../context.ts';
import type { Viewer } from '../viewer.ts';
import type { OverviewView, ServiceFigures } from './overview-page.tsx';

const maxSites = 5;
const maxEntries = 8;

/** Reads the last 24 hours of the busiest sites, and the number of other sites. */
async function readSiteDays(
  { clock, dashboards }: ConsoleContext,
  by: Requester,
): Promise<{ sites: DashboardView[]; quietSites: number }> {
  const all = await dashboards.sites(by);
  const since = clock.now() - dayMs;
  const busiest = all
    .filter(({ last_event_at: last }) => last !== null && Date.parse(last) > since)
    .sort((a, b) => b.events - a.events)
    .slice(0, maxSites);
  const days = await Promise.all(
    busiest.map(({ site_id }) => {
      const query = DashboardQuery.parse({ site_id, period: '24h', compare: 'previous' });
      return dashboards.getDashboard({ ...query, limit: 0 }, by);
    }),
  );
  return {
    sites: days.sort((a, b) => b.totals.visitors - a.totals.visitors),
    quietSites: all.length - days.length,
  };
}

function serviceFigures({
  clock,
  meter,
  queues,
  health,
  realtime,
}: ConsoleContext): ServiceFigures {
  const { broker, handlers } = queues.state();
  const sum = (valueOf: (handler: (typeof handlers)[number]) => number | null) =>
    broker.reachable ? handlers.reduce((all, each) => all + (valueOf(each) ?? 0), 0) : null;
  return {
    ...meter.figures(),
    sockets: realtime.metrics().endpoints.reduce((all, { connections }) => all + connections, 0),
    queued: sum(({ waiting, active }) => (waiting ?? 0) + (active ?? 0)),
    failedJobs: sum(({ failed }) => failed),
    loop: health.loopPercent(),
    memory: process.memoryUsage.rss(),
    uptimeSeconds: (clock.now() - health.startedAt) / 1000,
  };
}

/** Reads what the overview shows; for admins also waiting devices and the audit log. */
export async function readOverview(
  context: ConsoleContext,
  { isAdmin }: Viewer,
  by: Requester,
): Promise<OverviewView> {
  const { status, devices, audit } = context;
  const [sites, waiting, entries] = await Promise.all([
    readSiteDays(context, by),
    isAdmin ? devices.decisions.list('open', by.signal) : undefined,
    isAdmin ? audit.list({ limit: maxEntries }, by.signal) : undefined,
  ]);
  return {
    ...sites,
    status: status.state(),
    service: serviceFigures(context),
    waitingDevices: waiting?.length,
    entries: entries?.data,
    baseUrl: context.baseOrigin,
  };
}
