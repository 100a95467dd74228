import type { FunnelAnswer } from '../store/questions.ts';
import { systemRequester, type Requester } from '../../../platform/http/requester.ts';
import { createDefinitionStore, type DefinitionRow } from './definition-store.ts';
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
import type { Site } from '../sites/sites.ts';
import type { AnalyticsQuestions } from '../figures/questions.ts';

const toView = (
  site: Site,
  { id, name, definition, created_at: createdAt }: DefinitionRow,
): FunnelView => ({
  id,
  site_id: site.key,
  name,
  ...KeptFunnel.parse(definition),
  created_at: createdAt.toISOString(),
});

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : (100 * part) / whole;

/** Each step with who got there, against the first step and the one before. */
function reached(
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
export function createFunnels({
  questions,
  ...deps
}: DefinitionDeps & { questions: Pick<AnalyticsQuestions, 'funnel'> }) {
  const { siteOf, ...definitions } = createDefinitions(
    'funnel',
    createDefinitionStore('funnels'),
    deps,
  );

  return {
    /** Throws `analytics.site_unknown`. */
    async listFunnels(key: string): Promise<FunnelView[]> {
      const site = siteOf(key);
      return (await definitions.list(site)).map((row) => toView(site, row));
    },

    /**
     * Throws `analytics.site_unknown`, `.funnel_exists`, `.too_many_funnels`, and `.bad_pattern`
     * for a filter that could never be asked.
     */
    async createFunnel(
      key: string,
      { name, within, steps: given }: CreateFunnelBody,
      by: AuditActor,
    ): Promise<FunnelView> {
      const site = siteOf(key);
      const steps = given.map((step) => ({ ...step, name: step.name ?? step.value }));
      await questions.funnel(
        {
          siteId: site.id,
          range: { from: 0, to: 0 },
          filters: [],
          bots: false,
          within,
          steps: steps.map(toStep),
        },
        systemRequester('new funnels'),
      );
      return toView(site, await definitions.create(site, name, { within, steps }, by));
    },

    /** Throws `analytics.site_unknown`, `.funnel_unknown`, `.funnel_exists`. */
    async renameFunnel(key: string, id: string, name: string, by: AuditActor): Promise<FunnelView> {
      const site = siteOf(key);
      return toView(site, await definitions.rename(site, id, name, by));
    },

    /** Throws `analytics.site_unknown`, `.funnel_unknown`. */
    deleteFunnel: async (key: string, id: string, by: AuditActor): Promise<void> =>
      definitions.remove(siteOf(key), id, by),

    /**
     * Who got how far in a period. Throws RequestValidationError, `analytics.funnel_unknown`,
     * `.bad_pattern`, `.store_failed`.
     */
    async getFunnelReport(
      id: string,
      query: FunnelReportQuery,
      by: Requester,
    ): Promise<FunnelReport> {
      const { range } = resolvePeriodQuery(query, deps.clock.now());
      const { row, site } = await definitions.get(id);
      const { name, within, steps } = toView(site, row);
      const answer = await questions.funnel(
        {
          siteId: site.id,
          range,
          filters: filtersOf(query.filter),
          bots: query.bots,
          within,
          steps: steps.map(toStep),
        },
        by,
      );
      const figures = reached(steps, answer.steps);
      return {
        id,
        name,
        within,
        steps: figures,
        conversion_rate: figures.at(-1)?.of_first ?? null,
      };
    },
  };
}

export type Funnels = ReturnType<typeof createFunnels>;
