import { systemRequester, type Requester } from '../../../platform/http/requests/requester.ts';
import type { AuditActor } from '../../audit/service.ts';
import { parseFilters } from '../figures/filters.ts';
import { type PeriodQuery, resolvePeriodQuery } from '../figures/periods/period-query.ts';
import type { AnalyticsQueries } from '../figures/queries.ts';
import { requireSite } from '../sites/sites.ts';
import { createDefinitions, type DefinitionDeps } from './definitions.ts';
import type { CreateGoalBody, GoalReport, GoalView } from './schemas.goals.ts';
import { StoredStep, toStep } from './schemas.steps.ts';

interface GoalDeps extends DefinitionDeps {
  queries: Pick<AnalyticsQueries, 'goals'>;
}

/** Reports on the goals of a site over a period. */
async function getGoalReport(
  { queries, sites, clock }: GoalDeps,
  query: PeriodQuery,
  listGoals: (key: string) => Promise<GoalView[]>,
  by: Requester,
): Promise<GoalReport> {
  const { range } = resolvePeriodQuery(query, clock.now());
  const { id: siteId } = requireSite(sites, query.site_id);
  const rows = (await listGoals(query.site_id)).map(({ id, name, kind, value, filters }) => ({
    id,
    name,
    kind,
    value,
    filters,
  }));
  const { visits, goals } = await queries.goals(
    {
      siteId,
      range,
      filters: parseFilters(query.filter),
      bots: query.bots,
      steps: rows.map(toStep),
    },
    by,
  );
  const data = rows.flatMap((row, index) => {
    const figures = goals[index];
    if (figures === undefined) return [];
    const rate = visits === 0 ? null : (100 * figures.visits) / visits;
    return [{ ...row, ...figures, conversion_rate: rate }];
  });
  return { data, visits };
}

/** Manages the goals of sites, and reports on them. */
export function createGoals(deps: GoalDeps) {
  const definitions = createDefinitions('goal', (stored) => StoredStep.parse(stored), deps);

  return {
    /** Throws `analytics.site_unknown`. */
    listGoals: definitions.list,

    /**
     * Throws `analytics.site_unknown`, `.goal_exists`, `.too_many_goals`, and `.bad_pattern` for a
     * filter with an invalid pattern.
     */
    async createGoal(
      key: string,
      { name, ...step }: CreateGoalBody,
      by: AuditActor,
    ): Promise<GoalView> {
      const site = requireSite(deps.sites, key);
      const range = { from: 0, to: 0 };
      await deps.queries.goals(
        { siteId: site.id, range, filters: [], bots: false, steps: [toStep(step)] },
        systemRequester('new goals'),
      );
      return definitions.create(site, name, step, by);
    },

    /** Throws `analytics.site_unknown`, `.goal_unknown`, `.goal_exists`. */
    renameGoal: definitions.rename,

    /** Throws `analytics.site_unknown`, `.goal_unknown`. */
    deleteGoal: definitions.delete,

    /** Throws RequestValidationError, `analytics.site_unknown`, `.bad_pattern`, `.store_failed`. */
    getGoalReport: (query: PeriodQuery, by: Requester): Promise<GoalReport> =>
      getGoalReport(deps, query, definitions.list, by),
  };
}

export type Goals = ReturnType<typeof createGoals>;
