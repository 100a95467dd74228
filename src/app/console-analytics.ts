import { contentTypes } from '../areas/analytics/figures/exports.ts';
import { periodIssues } from '../areas/analytics/figures/periods/periods.ts';
import {
  toPeriodQuestion,
  resolvePeriodQuery,
} from '../areas/analytics/figures/periods/period-query.ts';
import { CreateAnnotationBody } from '../areas/analytics/annotations/schemas.annotations.ts';
import { CreateFunnelBody, type FunnelReport } from '../areas/analytics/goals/schemas.funnels.ts';
import { CreateGoalBody } from '../areas/analytics/goals/schemas.goals.ts';
import { CreateReportBody, CreateShareBody } from '../areas/analytics/sharing/schemas.sharing.ts';
import { UpdateSiteBody, CreateSiteBody } from '../areas/analytics/sites/schemas.sites.ts';
import {
  DashboardQuery,
  type DashboardView,
} from '../areas/analytics/figures/schemas.dashboard.ts';
import type { AnalyticsAddress } from '../surfaces/console/analytics/analytics-address.ts';
import type { AnalyticsView } from '../surfaces/console/analytics/analytics-page.ts';
import { funnelsOnPage } from '../surfaces/console/analytics/goals-page.ts';
import { inStep } from '../surfaces/console/analytics/compared-series.ts';
import type { AnalyticsSource } from '../surfaces/console/analytics/routes.analytics.ts';
import type { GoalsSource } from '../surfaces/console/analytics/routes.goals.ts';
import type { RetentionSource } from '../surfaces/console/analytics/routes.visitors.ts';
import type { SiteSource } from '../surfaces/console/analytics/routes.site.ts';
import type { Requester } from '../platform/http/requester.ts';
import { RequestValidationError } from '../platform/validation/validation-error.ts';
import type { Services } from './services.ts';

const asked = (
  { site, period, from, to, timezone, compare, filters, bots }: AnalyticsAddress,
  limit = 10,
) =>
  DashboardQuery.safeParse({
    site_id: site,
    period,
    from,
    to,
    timezone,
    compare,
    filter: [...filters],
    bots: String(bots),
    limit,
  });

/** The question of an address; throws what a 422 is made of. */
function questionOf(address: AnalyticsAddress, limit?: number): DashboardQuery {
  const { success, data, error } = asked(address, limit);
  if (success) return data;
  throw new RequestValidationError(
    error.issues.map(({ path, message }) => ({
      type: 'value_error',
      loc: ['query', ...path.map(String)],
      msg: message,
      input: null,
    })),
  );
}

/** Where the analytics pages of the console get their figures from. */
export function createAnalyticsSource(
  { dashboards, exports, annotations }: Pick<Services, 'dashboards' | 'exports' | 'annotations'>,
  { origin, now }: { origin: string; now: () => number },
): AnalyticsSource {
  /** The series of the compared period, in step with that of the view. */
  async function before(
    view: DashboardView,
    query: DashboardQuery,
    by: Requester,
  ): Promise<AnalyticsView['before']> {
    const {
      compared,
      period: { interval, timezone },
    } = view;
    if (compared === null || query.compare === undefined) return undefined;
    const { series } = await dashboards.getDashboard(
      {
        ...query,
        period: 'custom',
        from: compared.from,
        to: compared.to,
        timezone,
        interval,
        compare: undefined,
        limit: 0,
      },
      by,
    );
    return inStep(view, series, query.compare);
  }

  return {
    origin,
    sites: async (by) => [...(await dashboards.sites(by))].sort((a, b) => b.events - a.events),

    mistakesOf(address) {
      const { success, data, error } = asked(address);
      if (!success) return error.issues.map(({ path, message }) => `${path.join(' ')}: ${message}`);
      return periodIssues(toPeriodQuestion(data, now())).map(
        ({ field, message }) => `${field}: ${message}`,
      );
    },

    async view(address, by, limit) {
      const query = questionOf(address, limit);
      const view = await dashboards.getDashboard(query, by);
      return { view, before: await before(view, query, by) };
    },

    async annotations(site, { from, to }, signal) {
      return (
        await annotations.listAnnotations(site, { from, to, limit: 100, cursor: undefined }, signal)
      ).data;
    },

    async events(address, wanted, by) {
      const { period, from, to, timezone, filter, site_id: site } = questionOf(address);
      const { range } = resolvePeriodQuery({ period, from, to, timezone }, now());
      const { format, parts } = await exports.exportEvents(
        {
          format: wanted,
          site_id: site,
          from: new Date(range.from).toISOString(),
          to: new Date(range.to).toISOString(),
          filter,
        },
        by,
      );
      return { type: contentTypes[format], parts };
    },
  };
}

/** Settings of sites, and what stands beside their figures. */
export const createSiteSource = ({
  siteAdmin,
  annotations,
  shares,
  reports,
}: Pick<Services, 'siteAdmin' | 'annotations' | 'shares' | 'reports'>): SiteSource => ({
  siteAdmin,
  annotations,
  shares,
  reports,
  schemas: {
    change: UpdateSiteBody,
    register: CreateSiteBody,
    annotation: CreateAnnotationBody,
    share: CreateShareBody,
    report: CreateReportBody,
  },
});

/** Who comes back. */
export const createRetentionSource = ({
  retention,
}: Pick<Services, 'retention'>): RetentionSource => ({
  view: ({ site, unit, timezone }, by) =>
    retention.getRetention({ site_id: site, unit, timezone, cohorts: 12, bots: false }, by),
});

/** Goals and funnels with their figures. */
export const createGoalsSource = ({
  goals,
  funnels,
}: Pick<Services, 'goals' | 'funnels'>): GoalsSource => ({
  goals,
  funnels,
  async report(address, skipped, by) {
    const { site_id: site, ...query } = questionOf(address);
    const all = await funnels.listFunnels(site);
    const reached = await goals.getGoalReport({ site_id: site, ...query }, by);
    const ways: FunnelReport[] = [];
    // One after another: the store answers few questions at a time, and those of many funnels would make everybody else wait.
    for (const { id } of all.slice(skipped, skipped + funnelsOnPage))
      ways.push(await funnels.getFunnelReport(id, query, by));
    return { goals: reached, funnels: ways, funnelCount: all.length };
  },
  schemas: { goal: CreateGoalBody, funnel: CreateFunnelBody },
});
