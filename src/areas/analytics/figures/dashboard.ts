import { DateTime } from 'luxon';
import type { Clock } from '../../../lib/clock.ts';
import type {
  DashboardResult,
  DashboardStoreQuery,
  Range,
  Step,
  StoreQuery,
} from '../store/queries.ts';
import type { RecentResult } from '../store/recent.ts';
import { type Counts, Totals } from '../store/schemas.figures.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import { parseFilters } from './filters.ts';
import { toRequestedPeriod, resolvePeriodQuery } from './periods/period-query.ts';
import { comparedRange, partialBuckets } from './periods/partial-periods.ts';
import type { AnalyticsQueries } from './queries.ts';
import type {
  SitesDashboardQuery,
  DashboardQuery,
  DashboardView,
  SitesDashboardView,
} from './schemas.dashboard.ts';
import { requireSite, type Sites } from '../sites/sites.ts';

const measures = Totals.keyof().options;

type Change = NonNullable<DashboardView['change']>;

/**
 * Returns the changes in per cent; null where there is nothing to compare with. Has those of
 * conversions only if the totals do.
 */
export function changeOf(now: Totals, before: Totals | undefined): Change | null {
  if (before === undefined) return null;
  const change = measures
    .filter((name) => now[name] !== undefined)
    .map((name) => {
      const [current, former] = [now[name] ?? null, before[name] ?? null];
      if (current === null || former === null || former === 0) return [name, null] as const;
      return [name, (100 * (current - former)) / former] as const;
    });
  return Object.fromEntries(change) as Change;
}

const pickCounts = ({ visitors, visits, pageviews, events }: Counts): Counts => ({
  visitors,
  visits,
  pageviews,
  events,
});

const noEvents: Counts = { visitors: 0, visits: 0, pageviews: 0, events: 0 };

type SiteShare = SitesDashboardView['sites'][number];
const busiestFirst = (a: SiteShare, b: SiteShare): number =>
  b.visitors - a.visitors || b.events - a.events || (a.site_id < b.site_id ? -1 : 1);

export type RecentActivity = RecentResult;

/** Returns the step of a goal of the site. Throws `analytics.goal_unknown`, also for all sites. */
export type GoalFinder = (siteId: StoreQuery['siteId'], id: string) => Promise<Step>;

/** Figures to read: with `onlyEvents`, filters by `event` select no whole visits. */
export type FiguresQuery = DashboardQuery & Pick<DashboardStoreQuery, 'onlyEvents'>;
type PeriodFigures = Omit<FiguresQuery, 'site_id'>;

/** Resolves the period of a query at `now` (Unix ms). Throws RequestValidationError. */
function resolveQuery(query: PeriodFigures, now: number) {
  const period = resolvePeriodQuery(query, now);
  const requested = toRequestedPeriod(query, now);
  return {
    ...period,
    compare: comparedRange(requested, period),
    partial: partialBuckets(requested, period),
  };
}

function toView(
  query: PeriodFigures,
  { range, interval, buckets, compare, partial }: ReturnType<typeof resolveQuery>,
  answer: DashboardResult,
  pending: number | null,
): Omit<DashboardView, 'site_id'> {
  const { timezone } = query;
  const iso = (ms: number) => DateTime.fromMillis(ms, { zone: timezone }).toISO() ?? '';
  const toIso = ({ from, to }: Range) => ({ from: iso(from), to: iso(to) });
  return {
    period: { name: query.period, ...toIso(range), timezone, interval },
    totals: answer.totals,
    compared:
      compare === undefined || answer.compared === undefined
        ? null
        : { ...toIso(compare), totals: answer.compared },
    change: changeOf(answer.totals, answer.compared),
    series: answer.series.map((point, index) => ({
      start: iso(buckets[index] ?? range.from),
      partial: partial[index] ?? false,
      ...point,
    })),
    visitors_now: answer.visitors_now,
    pending_events: pending,
    pages: answer.pages,
    events: answer.events,
    ...answer.breakdowns,
    left_out: { bot_events: answer.bot_events, dropped: answer.dropped },
  };
}

/**
 * The figures of sites. `pending` returns the number of durable events that are not in the figures
 * yet; null if unknown.
 */
export function createDashboards({
  queries,
  sites,
  clock,
  pending,
  findGoal,
}: {
  queries: Pick<AnalyticsQueries, 'dashboard' | 'siteStats' | 'recent'>;
  sites: Pick<Sites, 'list' | 'peek'>;
  clock: Clock;
  pending: () => number | null;
  findGoal: GoalFinder;
}) {
  return {
    getDashboard,

    /**
     * Like `getDashboard`; without a site, returns the figures of the only site, or of all sites
     * combined. Every visitor belongs to one site, so visitors can be added up.
     */
    async getSitesDashboard(
      { site_id: requestedKey, ...query }: SitesDashboardQuery,
      by: Requester,
    ): Promise<SitesDashboardView> {
      const all = sites.list();
      const key = requestedKey ?? (all.length === 1 ? all[0]?.key : undefined);
      if (key !== undefined) {
        const one = await getDashboard({ ...query, site_id: key }, by);
        return { ...one, sites: [{ site_id: key, ...pickCounts(one.totals) }] };
      }
      const { view, answer } = await loadFigures(query, () => all.map(({ id }) => id), by);
      const found = new Map(answer.sites.map((figures) => [figures.siteId, figures]));
      const shares = all.map(({ id, key: name }) => ({
        site_id: name,
        ...pickCounts(found.get(id) ?? noEvents),
      }));
      return { site_id: null, ...view, sites: shares.sort(busiestFirst) };
    },

    /**
     * Returns the visitors of a site in each of the last 30 minutes, and its last 20 events.
     * Throws `analytics.site_unknown` and the errors of `queries`.
     */
    recentActivity: (key: string, by: Requester): Promise<RecentActivity> => {
      const siteId = requireSite(sites, key).id;
      return queries.recent({ siteId, now: clock.now(), minutes: 30, limit: 20 }, by);
    },

    /** Lists sites with their number of events. */
    async sites(by: Requester) {
      const stats = await queries.siteStats(null, by);
      return sites.list().map((site) => {
        const found = stats.find(({ siteId }) => siteId === site.id);
        return {
          site_id: site.key,
          created_at: site.createdAt.toISOString(),
          events: found?.events ?? 0,
          last_event_at: found === undefined ? null : new Date(found.lastEventAt).toISOString(),
        };
      });
    },
  };

  /**
   * Throws RequestValidationError when the period can't be resolved, `analytics.site_unknown`, and
   * `.goal_unknown`, and the errors of `queries`.
   */
  async function getDashboard(query: FiguresQuery, by: Requester): Promise<DashboardView> {
    const findSite = () => requireSite(sites, query.site_id).id;
    return { site_id: query.site_id, ...(await loadFigures(query, findSite, by)).view };
  }

  /** Loads figures. Calls `findSite` once the period has been validated. */
  async function loadFigures(
    query: PeriodFigures,
    findSite: () => DashboardStoreQuery['siteId'],
    by: Requester,
  ) {
    const now = clock.now();
    const resolved = resolveQuery(query, now);
    const siteId = findSite();
    const goal = query.goal === undefined ? undefined : await findGoal(siteId, query.goal);
    const { range, compare, buckets } = resolved;
    const { bots, limit, onlyEvents = false } = query;
    const filters = parseFilters(query.filter);
    // Before the query: events stored while it runs may be missing from its result.
    const pendingEvents = pending();
    const answer = await queries.dashboard(
      { siteId, range, compare, buckets, filters, onlyEvents, bots, limit, now, goal },
      by,
    );
    return { view: toView(query, resolved, answer, pendingEvents), answer };
  }
}

export type Dashboards = ReturnType<typeof createDashboards>;
