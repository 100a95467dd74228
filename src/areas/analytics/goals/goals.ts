import { systemRequester, type Requester } from '../../../platform/http/requests/requester.ts';
import type { AuditActor } from '../../audit/service.ts';
import { parseFilters } from '../figures/filters.ts';
import { type PeriodQuery, resolvePeriodQuery } from '../figures/periods/period-query.ts';
import type { AnalyticsResources } from '../resources.ts';
import { requireSite } from '../sites/sites.ts';
import { createDefinitions } from './definitions.ts';
import type { CreateGoalBody, GoalReport, GoalView } from './schemas.goals.ts';
import { StoredStep, toStep } from './schemas.steps.ts';

/** Manages the goals of sites, and reports on them. */
export function createGoals(resources: AnalyticsResources) {
  const { queries, sites, clock } = resources;
  const definitions = createDefinitions('goal', (stored) => StoredStep.parse(stored), resources);

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
      const site = requireSite(sites, key);
      const range = { from: 0, to: 0 };
      await queries.goals(
        { siteId: site.id, range, filters: [], bots: false, steps: [toStep(step)] },
        systemRequester('new goals'),
      );
      return definitions.create(site, name, step, by);
    },

    /** Throws `analytics.site_unknown`, `.goal_unknown`, `.goal_exists`. */
    renameGoal: definitions.rename,

    /** Throws `analytics.site_unknown`, `.goal_unknown`. */
    deleteGoal: definitions.delete,
    /** Throws `analytics.site_unknown`, `.goal_exists`, `.too_many_goals`. */
    restoreGoal: definitions.restore,

    /**
     * Reports on the goals of a site over a period. Throws RequestValidationError,
     * `analytics.site_unknown`, `.bad_pattern`, `.store_failed`.
     */
    async getGoalReport(query: PeriodQuery, by: Requester): Promise<GoalReport> {
      const { range } = resolvePeriodQuery(query, clock.now());
      const { id: siteId } = requireSite(sites, query.site_id);
      const rows = await definitions.list(query.site_id);
      const selection = { siteId, range, filters: parseFilters(query.filter), bots: query.bots };
      const { visits, goals } = await queries.goals({ ...selection, steps: rows.map(toStep) }, by);
      const data = rows.flatMap(({ id, name, kind, value, filters }, index) => {
        const figures = goals[index];
        if (figures === undefined) return [];
        const rate = visits === 0 ? null : (100 * figures.visits) / visits;
        return [{ id, name, kind, value, filters, ...figures, conversion_rate: rate }];
      });
      return { data, visits };
    },
  };
}
