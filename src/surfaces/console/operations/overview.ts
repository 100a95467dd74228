import {
  DashboardQuery,
  type DashboardView,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { auditActionNames } from '../../../areas/audit/actions.ts';
import { dayMs } from '../../../lib/durations.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import { foldEntries } from '../people/audit/folding.ts';
import { readSubjects } from '../people/audit/subjects.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import type { Viewer } from '../viewer.ts';
import type { Lately, OverviewView } from './overview-page.tsx';

const maxSites = 5;
const maxLines = 9;
/** So many are read: several may be one line, and those of development are left out. */
const readEntries = 100;

/** What happens all the time and tells nothing by itself. */
const routine = /^(session\.|token\.|otp\.|idp\.|dev_bypass\.|second_factor\.verified|webhook\.)/;
const notable = auditActionNames.filter((name) => !routine.test(name));

/** Reads the last 24 hours of the busiest sites, and the number of other sites. */
async function readSiteDays(
  { clock, dashboards }: ConsoleRoutesOptions,
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

/** Reads what people did lately: not every code and session. */
async function readLately(context: ConsoleRoutesOptions, by: Requester): Promise<Lately> {
  const { data } = await context.audit.list({ actions: notable, limit: readEntries }, by.signal);
  const byPeople = data.filter(({ reason }) => reason !== 'development');
  const lines = foldEntries(byPeople).slice(0, maxLines);
  const entries = lines.flatMap((line) => line.entries);
  return { entries, subjects: await readSubjects(context, entries) };
}

/** Reads what the overview shows; for admins also what waits, and what people did lately. */
export async function readOverview(
  context: ConsoleRoutesOptions,
  { isAdmin }: Viewer,
  by: Requester,
): Promise<OverviewView> {
  const [sites, waiting, lately] = await Promise.all([
    readSiteDays(context, by),
    isAdmin ? context.waiting.read() : undefined,
    isAdmin ? readLately(context, by) : undefined,
  ]);
  return {
    ...sites,
    status: context.status.state(),
    waiting,
    lately,
    baseUrl: context.baseOrigin,
    now: context.clock.now(),
  };
}
