import type { FunnelResult } from '../store/queries.ts';
import { systemRequester, type Requester } from '../../../platform/http/requests/requester.ts';
import { createDefinitions } from './definitions.ts';
import { parseFilters } from '../figures/filters.ts';
import { resolvePeriodQuery } from '../figures/periods/period-query.ts';
import {
  type CreateFunnelBody,
  type FunnelReport,
  type FunnelReportQuery,
  type FunnelView,
  StoredFunnel,
} from './schemas.funnels.ts';
import { toStep } from './schemas.steps.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { AnalyticsResources } from '../resources.ts';
import { requireSite } from '../sites/sites.ts';

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : (100 * part) / whole;

/** Returns each step with its count, relative to the first and to the previous step. */
function reportSteps(
  steps: FunnelView['steps'],
  figures: FunnelResult['steps'],
): FunnelReport['steps'] {
  const entered = figures.map((step) => step.entered);
  return steps.map((step, index) => {
    const [current, previous] = [entered[index] ?? 0, entered[index - 1]];
    return {
      ...step,
      entered: current,
      of_first: percent(current, entered[0] ?? 0),
      of_previous: previous === undefined ? null : percent(current, previous),
      dropped: (previous ?? current) - current,
      median_seconds: figures[index]?.medianSeconds ?? null,
    };
  });
}

/** Manages the funnels of sites, and reports on them. */
export function createFunnels(resources: AnalyticsResources) {
  const { queries, sites, clock } = resources;
  const definitions = createDefinitions(
    'funnel',
    (stored) => StoredFunnel.parse(stored),
    resources,
  );

  return {
    /** Throws `analytics.site_unknown`. */
    listFunnels: definitions.list,

    /**
     * Throws `analytics.site_unknown`, `.funnel_exists`, `.too_many_funnels`, and `.bad_pattern`
     * for a filter with an invalid pattern.
     */
    async createFunnel(
      key: string,
      { name, within, steps: given }: CreateFunnelBody,
      by: AuditActor,
    ): Promise<FunnelView> {
      const site = requireSite(sites, key);
      const steps = given.map((step) => ({ ...step, name: step.name ?? step.value }));
      const selection = { range: { from: 0, to: 0 }, filters: [], bots: false, within };
      await queries.funnel(
        { siteId: site.id, ...selection, steps: steps.map(toStep) },
        systemRequester('new funnels'),
      );
      return definitions.create(site, name, { within, steps }, by);
    },

    /** Throws `analytics.site_unknown`, `.funnel_unknown`, `.funnel_exists`. */
    renameFunnel: definitions.rename,

    /** Throws `analytics.site_unknown`, `.funnel_unknown`. */
    deleteFunnel: definitions.delete,
    /** Throws `analytics.site_unknown`, `.funnel_exists`, `.too_many_funnels`. */
    restoreFunnel: definitions.restore,

    /**
     * Reports on a funnel over a period. Throws RequestValidationError, `analytics.funnel_unknown`,
     * `.bad_pattern`, `.store_failed`.
     */
    async getFunnelReport(
      id: string,
      query: FunnelReportQuery,
      by: Requester,
    ): Promise<FunnelReport> {
      const { range } = resolvePeriodQuery(query, clock.now());
      const { view, site } = await definitions.get(id);
      const { name, within, steps: definedSteps } = view;
      const selection = { range, filters: parseFilters(query.filter), bots: query.bots, within };
      const answer = await queries.funnel(
        { siteId: site.id, ...selection, steps: definedSteps.map(toStep) },
        by,
      );
      const steps = reportSteps(definedSteps, answer.steps);
      return { id, name, within, steps, conversion_rate: steps.at(-1)?.of_first ?? null };
    },
  };
}
