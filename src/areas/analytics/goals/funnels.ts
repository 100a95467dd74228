import type { FunnelAnswer } from '../store/queries.ts';
import { systemRequester, type Requester } from '../../../platform/http/requests/requester.ts';
import { createDefinitions, type DefinitionDeps } from './definitions.ts';
import { filtersOf } from '../figures/filters.ts';
import { resolvePeriodQuery } from '../figures/periods/period-query.ts';
import {
  type CreateFunnelBody,
  type FunnelReport,
  type FunnelReportQuery,
  type FunnelView,
  KeptFunnel,
} from './schemas.funnels.ts';
import { toStep } from './schemas.steps.ts';
import type { AuditActor } from '../../audit/service.ts';
import { requireSite } from '../sites/sites.ts';
import type { AnalyticsQueries } from '../figures/queries.ts';

interface FunnelDeps extends DefinitionDeps {
  queries: Pick<AnalyticsQueries, 'funnel'>;
}

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : (100 * part) / whole;

/** Each step with who got there, against the first step and the one before. */
function reportSteps(
  steps: FunnelView['steps'],
  figures: FunnelAnswer['steps'],
): FunnelReport['steps'] {
  const entered = figures.map((step) => step.entered);
  return steps.map((step, at) => {
    const [here, before] = [entered[at] ?? 0, entered[at - 1]];
    return {
      ...step,
      entered: here,
      of_first: percent(here, entered[0] ?? 0),
      of_previous: before === undefined ? null : percent(here, before),
      dropped: (before ?? here) - here,
      median_seconds: figures[at]?.medianSeconds ?? null,
    };
  });
}

/** Funnels of sites, and who got how far in them. */
export function createFunnels(deps: FunnelDeps) {
  const { queries, sites, clock } = deps;
  const definitions = createDefinitions('funnel', (kept) => KeptFunnel.parse(kept), deps);

  return {
    /** Throws `analytics.site_unknown`. */
    listFunnels: definitions.list,

    /**
     * Throws `analytics.site_unknown`, `.funnel_exists`, `.too_many_funnels`, and `.bad_pattern`
     * for a filter that could never be asked.
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

    /**
     * Who got how far in a period. Throws RequestValidationError, `analytics.funnel_unknown`,
     * `.bad_pattern`, `.store_failed`.
     */
    async getFunnelReport(
      id: string,
      query: FunnelReportQuery,
      by: Requester,
    ): Promise<FunnelReport> {
      const { range } = resolvePeriodQuery(query, clock.now());
      const { view, site } = await definitions.get(id);
      const { name, within, steps: asked } = view;
      const selection = { range, filters: filtersOf(query.filter), bots: query.bots, within };
      const answer = await queries.funnel(
        { siteId: site.id, ...selection, steps: asked.map(toStep) },
        by,
      );
      const steps = reportSteps(asked, answer.steps);
      return { id, name, within, steps, conversion_rate: steps.at(-1)?.of_first ?? null };
    },
  };
}

export type Funnels = ReturnType<typeof createFunnels>;
