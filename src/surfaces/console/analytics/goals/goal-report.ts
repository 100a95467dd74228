import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import type { Requester } from '../../../../platform/http/requests/requester.ts';
import type { ConsoleServices } from '../../context.ts';
import type { ViewParams } from '../view-params.ts';
import { toDashboardQuery } from '../figures.ts';

/** Reads all goals and the first funnel with their figures, side by side. */
export async function readGoalPanels(
  { goals, funnels }: Pick<ConsoleServices, 'goals' | 'funnels'>,
  address: ViewParams,
  by: Requester,
): Promise<[goals: GoalReport, funnel: FunnelReport | undefined]> {
  const { site_id: site, goal: _, ...query } = toDashboardQuery(address);
  const [first] = await funnels.listFunnels(site);
  return Promise.all([
    goals.getGoalReport({ site_id: site, ...query }, by),
    first && funnels.getFunnelReport(first.id, query, by),
  ]);
}

/** Funnels per page: each is a query to the event store. */
export const funnelsOnPage = 10;

/** Reads all goals, and a page of funnels after the skipped ones, with their figures. */
export async function readGoals(
  { goals, funnels }: Pick<ConsoleServices, 'goals' | 'funnels'>,
  address: ViewParams,
  skipped: number,
  by: Requester,
): Promise<{ goals: GoalReport; funnels: FunnelReport[]; funnelCount: number }> {
  const { site_id: site, goal: _, ...query } = toDashboardQuery(address);
  const all = await funnels.listFunnels(site);
  const goalReport = await goals.getGoalReport({ site_id: site, ...query }, by);
  const funnelReports: FunnelReport[] = [];
  // One after another: the event store runs few queries at a time, and others wait too.
  for (const { id } of all.slice(skipped, skipped + funnelsOnPage))
    funnelReports.push(await funnels.getFunnelReport(id, query, by));
  return { goals: goalReport, funnels: funnelReports, funnelCount: all.length };
}

/** A goal of a site with its figures. Undefined if the site has none with this id. */
export async function readGoal(
  { goals }: Pick<ConsoleServices, 'goals'>,
  address: ViewParams,
  id: string,
  by: Requester,
): Promise<GoalReport['data'][number] | undefined> {
  const { goal: _, ...query } = toDashboardQuery(address);
  const { data } = await goals.getGoalReport(query, by);
  return data.find((goal) => goal.id === id);
}

/** A funnel of a site with its figures. Undefined if the site has none with this id. */
export async function readFunnel(
  { funnels }: Pick<ConsoleServices, 'funnels'>,
  address: ViewParams,
  id: string,
  by: Requester,
): Promise<FunnelReport | undefined> {
  const { site_id: site, goal: _, ...query } = toDashboardQuery(address);
  const isOfSite = (await funnels.listFunnels(site)).some((funnel) => funnel.id === id);
  return isOfSite ? funnels.getFunnelReport(id, query, by) : undefined;
}
