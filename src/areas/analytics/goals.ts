import { createDefinitionStore, type DefinitionRow } from './definition-store.ts';
import { createDefinitions, type DefinitionDeps } from './definitions.ts';
import { storeRefusal } from './dashboard.ts';
import { filtersOf } from './filters.ts';
import { type PeriodQuery, resolvedPeriodOf } from './period-query.ts';
import type { CreateGoalBody, GoalReport, GoalView } from './schemas.goals.ts';
import { KeptStep, toStep } from './schemas.steps.ts';
import type { By } from '../audit/service.ts';
import type { Site } from './sites.ts';
import type { SupervisedThread } from './supervised-thread.ts';

const toView = (site: Site, { id, name, definition, created_at: createdAt }: DefinitionRow): GoalView =>
  ({ id, site_id: site.key, name, ...KeptStep.parse(definition), created_at: createdAt.toISOString() });

/** Goals of sites, and what was reached of them. */
export function createGoals({ thread, ...deps }: DefinitionDeps & { thread: Pick<SupervisedThread, 'goals'> }) {
  const { siteOf, ...definitions } = createDefinitions('goal', createDefinitionStore('goals'), deps);

  async function ask(question: Parameters<SupervisedThread['goals']>[0]) {
    return thread.goals(question).catch((cause: unknown) => {
      throw storeRefusal(cause);
    });
  }

  return {
    /** Throws `analytics.site_unknown`. */
    async list(key: string): Promise<GoalView[]> {
      const site = siteOf(key);
      return (await definitions.list(site)).map((row) => toView(site, row));
    },

    /** Throws `analytics.site_unknown`, `.goal_exists`, `.too_many_goals`, and `.bad_pattern` for a filter that could never be asked. */
    async create(key: string, { name, ...step }: CreateGoalBody, by: By): Promise<GoalView> {
      const site = siteOf(key);
      await ask({ siteId: site.id, range: { from: 0, to: 0 }, filters: [], bots: false, steps: [toStep(step)] });
      return toView(site, await definitions.create(site, name, step, by));
    },

    /** Throws `analytics.site_unknown`, `.goal_unknown`, `.goal_exists`. */
    async rename(key: string, id: string, name: string, by: By): Promise<GoalView> {
      const site = siteOf(key);
      return toView(site, await definitions.rename(site, id, name, by));
    },

    /** Throws `analytics.site_unknown`, `.goal_unknown`. */
    remove: async (key: string, id: string, by: By): Promise<void> => definitions.remove(siteOf(key), id, by),

    /** What was reached in a period. Throws RequestValidationError, `analytics.site_unknown`, `.bad_pattern`, `.store_failed`. */
    async report(query: PeriodQuery): Promise<GoalReport> {
      const { range } = resolvedPeriodOf(query, deps.clock.now());
      const site = siteOf(query.site_id);
      const rows = (await definitions.list(site)).map(({ id, name, definition }) => ({ id, name, ...KeptStep.parse(definition) }));
      const { visits, goals } = await ask({ siteId: site.id, range, filters: filtersOf(query.filter), bots: query.bots, steps: rows.map(toStep) });
      const data = goals.flatMap((figures, at) => {
        const row = rows[at];
        return row === undefined ? [] : [{ ...row, ...figures, conversion_rate: visits === 0 ? null : (100 * figures.visits) / visits }];
      });
      return { data, visits };
    },
  };
}

export type Goals = ReturnType<typeof createGoals>;
