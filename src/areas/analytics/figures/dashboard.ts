import { DateTime } from 'luxon';
import type { Clock } from '../../../lib/clock.ts';
import type { DashboardQuestion, SeriesPoint, Totals } from '../store/questions.ts';
import type { Requester } from '../../../platform/http/requester.ts';
import { analyticsErrors } from '../errors.ts';
import { filtersOf } from './filters.ts';
import { toPeriodQuestion, resolvePeriodQuery } from './periods/period-query.ts';
import type { PeriodQuestion } from './periods/periods.ts';
import { comparedRange, partialBuckets } from './periods/partial-periods.ts';
import type { AnalyticsQuestions } from './questions.ts';
import type {
  SitesDashboardQuery,
  DashboardQuery,
  DashboardView,
  SitesDashboardView,
} from './schemas.dashboard.ts';
import type { Sites } from '../sites/sites.ts';

const measures = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'bounce_rate',
  'visit_duration_mean',
  'visit_duration_median',
  'views_per_visit',
] as const;

/** Change in per cent; null where there is nothing to compare with. */
export function changeOf(
  now: Totals,
  before: Totals | undefined,
): Record<(typeof measures)[number], number | null> | null {
  if (before === undefined) return null;
  const change = measures.map((name) => {
    const [current, former] = [now[name], before[name]];
    return [
      name,
      current === null || former === null || former === 0
        ? null
        : (100 * (current - former)) / former,
    ] as const;
  });
  return Object.fromEntries(change) as Record<(typeof measures)[number], number | null>;
}

export interface DashboardDeps {
  questions: Pick<AnalyticsQuestions, 'dashboard' | 'siteStats'>;
  listSites: Pick<Sites, 'list' | 'peek'>;
  clock: Clock;
  /** Events that are stored safely and not in the figures yet; null: some, not counted. */
  pending: () => number | null;
}

const countsOf = ({ visitors, visits, pageviews, events }: SeriesPoint): SeriesPoint => ({
  visitors,
  visits,
  pageviews,
  events,
});

const nothing: SeriesPoint = { visitors: 0, visits: 0, pageviews: 0, events: 0 };

type OfSite = SitesDashboardView['sites'][number];
const busiestFirst = (a: OfSite, b: OfSite): number =>
  b.visitors - a.visitors || b.events - a.events || (a.site_id < b.site_id ? -1 : 1);

/** The figures of sites. */
export function createDashboards({ questions, listSites: sites, clock, pending }: DashboardDeps) {
  function siteOf(key: string) {
    const site = sites.peek(key);
    if (site === undefined) throw analyticsErrors.site_unknown();
    return site;
  }

  /**
   * Figures of a site, or of several together. `which` is asked once the period is known to be one.
   */
  async function figures(
    query: Omit<DashboardQuery, 'site_id'>,
    which: () => DashboardQuestion['siteId'],
    by: Requester,
  ) {
    const now = clock.now();
    const period = resolvePeriodQuery(query, now);
    const siteId = which();
    const { range, interval, buckets } = period;
    const question = toPeriodQuestion(query, now);
    const compare = comparedRange(question, period);
    const partial = partialBuckets(question, period);
    // Before the question: what comes into the store while it runs may be missing in its answer.
    const waiting = pending();
    const answer = await questions.dashboard(
      {
        siteId,
        range,
        compare,
        buckets,
        filters: filtersOf(query.filter),
        bots: query.bots,
        limit: query.limit,
        now,
      },
      by,
    );
    const iso = (ms: number) => DateTime.fromMillis(ms, { zone: query.timezone }).toISO() ?? '';
    const view = {
      period: {
        name: query.period,
        from: iso(range.from),
        to: iso(range.to),
        timezone: query.timezone,
        interval,
      },
      totals: answer.totals,
      compared:
        compare === undefined || answer.compared === undefined
          ? null
          : { from: iso(compare.from), to: iso(compare.to), totals: answer.compared },
      change: changeOf(answer.totals, answer.compared),
      series: answer.series.map((point, index) => ({
        start: iso(buckets[index] ?? range.from),
        partial: partial[index] ?? false,
        ...point,
      })),
      visitors_now: answer.visitors_now,
      pending_events: waiting,
      pages: answer.pages,
      events: answer.events,
      ...answer.breakdowns,
      left_out: { bot_events: answer.bot_events, dropped: answer.dropped },
    };
    return { view, answer };
  }

  async function getDashboard(query: DashboardQuery, by: Requester): Promise<DashboardView> {
    return {
      site_id: query.site_id,
      ...(await figures(query, () => siteOf(query.site_id).id, by)).view,
    };
  }

  return {
    toPeriodQuestion: (query: DashboardQuery): PeriodQuestion =>
      toPeriodQuestion(query, clock.now()),

    /**
     * Throws RequestValidationError when the period can't be resolved, `analytics.site_unknown`,
     * and what `questions` throws.
     */
    getDashboard,

    /**
     * As `getDashboard`; without a site those of the only one there is, or of all together.
     * Visitors are of one site each: they add up.
     */
    async getSitesDashboard(
      { site_id: asked, ...query }: SitesDashboardQuery,
      by: Requester,
    ): Promise<SitesDashboardView> {
      const all = sites.list();
      const key = asked ?? (all.length === 1 ? all[0]?.key : undefined);
      if (key !== undefined) {
        const one = await getDashboard({ ...query, site_id: key }, by);
        return { ...one, sites: [{ site_id: key, ...countsOf(one.totals) }] };
      }
      const { view: together, answer } = await figures(query, () => all.map(({ id }) => id), by);
      const found = new Map(answer.sites.map((figures) => [figures.siteId, figures]));
      const listed = all.map(({ id, key: name }) => ({
        site_id: name,
        ...countsOf(found.get(id) ?? nothing),
      }));
      return { site_id: null, ...together, sites: listed.sort(busiestFirst) };
    },

    /** Sites with how many events they have. */
    async sites(by: Requester) {
      const stats = await questions.siteStats(by);
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
}

export type Dashboards = ReturnType<typeof createDashboards>;
