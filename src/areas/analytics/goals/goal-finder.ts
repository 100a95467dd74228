import type { Database } from '../../../platform/database/database.ts';
import { analyticsErrors } from '../errors.ts';
import type { GoalFinder } from '../figures/dashboard.ts';
import { StoredStep, toStep } from './schemas.steps.ts';
import { createDefinitionStore } from './store.ts';

/** Creates the function that finds the goal by which figures are asked for. */
export function createGoalFinder(db: Database): GoalFinder {
  const store = createDefinitionStore('goals');
  return async (siteId, id) => {
    const row = await store.find(db, id);
    if (row === undefined || row.site !== siteId) throw analyticsErrors.goal_unknown();
    return toStep(StoredStep.parse(row.definition));
  };
}
