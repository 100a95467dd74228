import { createDefinitionStore, type DefinitionRow } from './definition-store.ts';
import { createDefinitions, type DefinitionDeps } from './definitions.ts';
import { systemRequester, type Requester } from '../../../platform/http/requester.ts';
import { filtersOf } from '../figures/filters.ts';
import { type PeriodQuery, resolvePeriodQuery } from '../figures/periods/period-query.ts';
import type { CreateGoalBody, GoalReport, GoalView } from './schemas.goals.ts';
import { KeptStep, toStep } from './schemas.steps.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { Site } from '../sites/sites.ts';
import type { AnalyticsQuestions } from '../figures/questions.ts';

const toView = (
  site: Site,
  { id, name, definition, created_at: createdAt }: DefinitionRow,
): GoalView => ({
  id,
  site_id: site.key,
  name,
  ...KeptStep.parse(definition),
  created_at: createdAt.toISOString(),
});

/** Goals of sites, and what was reached of them. */
export function createGoals({
  questions,
  ...deps
}: DefinitionDeps & { questions: Pick<AnalyticsQuestions, 'goals'> }) {
  const { siteOf, ...definitions } = createDefinitions(
    'goal',
    createDefinitionStore('goals'),
    deps,
  );

  return {
    /** Throws `analytics.site_unknown`. */
    async listGoals(key: string): Promise<GoalView[]> {
      const site = siteOf(key);
      return (await definitions.list(site)).map((row) => toView(site, row));
    },

    /**
     * Throws `analytics.site_unknown`, `.goal_exists`, `.too_many_goals`, and `.bad_pattern` for a
     * filter that could never be asked.
     */
    async createGoal(
      key: string,
      { name, ...step }: CreateGoalBody,
      by: AuditActor,
    ): Promise<GoalView> {
      const site = siteOf(key);
      await questions.goals(
        {
          siteId: site.id,
          range: { from: 0, to: 0 },
          filters: [],
          bots: false,
          steps: [toStep(step)],
        },
        systemRequester('new goals'),
      );
      return toView(site, await definitions.create(site, name, step, by));
    },

    /** Throws `analytics.site_unknown`, `.goal_unknown`, `.goal_exists`. */
    async renameGoal(key: string, id: string, name: string, by: AuditActor): Promise<GoalView> {
      const site = siteOf(key);
      return toView(site, await definitions.rename(site, id, name, by));
    },

    /** Throws `analytics.site_unknown`, `.goal_unknown`. */
    deleteGoal: async (key: string, id: string, by: AuditActor): Promise<void> =>
      definitions.remove(siteOf(key), id, by),

    /**
     * What was reached in a period. Throws RequestValidationError, `analytics.site_unknown`,
     * `.bad_pattern`, `.store_failed`.
     */
    async getGoalReport(query: PeriodQuery, by: Requester): Promise<GoalReport> {
      const { range } = resolvePeriodQuery(query, deps.clock.now());
      const site = siteOf(query.site_id);
      const rows = (await definitions.list(site)).map(({ id, name, definition }) => ({
        id,
        name,
        ...KeptStep.parse(definition),
      }));
      const { visits, goals } = await questions.goals(
        {
          siteId: site.id,
          range,
          filters: filtersOf(query.filter),
          bots: query.bots,
          steps: rows.map(toStep),
        },
        by,
      );
      const data = goals.flatMap((figures, at) => {
        const row = rows[at];
        return row === undefined
          ? []
          : [
              {
                ...row,
                ...figures,
                conversion_rate: visits === 0 ? null : (100 * figures.visits) / visits,
              },
            ];
      });
      return { data, visits };
    },
  };
}

export type Goals = ReturnType<typeof createGoals>;
