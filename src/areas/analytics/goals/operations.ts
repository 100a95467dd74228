import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { AnalyticsContext } from '../compose.ts';
import { queryErrors } from '../errors.ts';
import { SiteParams } from '../sites/schemas.ts';
import {
  CreateFunnelBody,
  FunnelList,
  FunnelParams,
  FunnelReport,
  FunnelReportQuery,
  FunnelView,
} from './schemas.funnels.ts';
import {
  CreateGoalBody,
  GoalList,
  GoalReport,
  GoalReportQuery,
  GoalView,
} from './schemas.goals.ts';
import { DefinitionParams, RenameBody } from './schemas.steps.ts';

const reading = operationsOf<AnalyticsContext>({ scope: 'analytics:read', tag: 'goals' });
const operation = operationsOf<AnalyticsContext>({ scope: 'admin', tag: 'goals' });
const reports = limited({ max: 300, seconds: 60, failOpen: true });

/** Goals, funnels and their reports. */
export const goalReportOperations = [
  reading({
    id: 'analytics.get_goal_report',
    path: 'GET /analytics/goals',
    limit: reports,
    summary: 'Get the goal report for a site',
    description:
      'All goals of the site over a period. `filter` and `bots` work as for the dashboard.',
    query: GoalReportQuery,
    output: GoalReport,
    errors: ['analytics.site_unknown', ...queryErrors],
    run: ({ goals }, query, { requester }) => goals.getGoalReport(query, requester),
  }),
  reading({
    id: 'analytics.list_goals',
    path: 'GET /analytics/sites/:site_id/goals',
    summary: 'List a site’s goals',
    description: 'Each goal with the page or event that completes it.',
    params: SiteParams,
    output: GoalList,
    errors: ['analytics.site_unknown'],
    run: async ({ goals }, { site_id }) => ({ data: await goals.listGoals(site_id) }),
  }),
  reading({
    id: 'analytics.get_funnel_report',
    path: 'GET /analytics/funnels/:id',
    limit: reports,
    summary: 'Get the report for a funnel',
    description:
      'A step is completed by the first matching event after the previous step, by ' +
      'time and id; other events may come in between. Only events in the period ' +
      'count, and event filters apply to every step. Anonymous visitors are ' +
      'recognized only within one UTC day.',
    params: FunnelParams,
    query: FunnelReportQuery,
    output: FunnelReport,
    errors: ['analytics.funnel_unknown', ...queryErrors],
    run: ({ funnels }, { id, ...query }, { requester }) =>
      funnels.getFunnelReport(id, query, requester),
  }),
  reading({
    id: 'analytics.list_funnels',
    path: 'GET /analytics/sites/:site_id/funnels',
    summary: 'List a site’s funnels',
    description: 'Each funnel with its steps.',
    params: SiteParams,
    output: FunnelList,
    errors: ['analytics.site_unknown'],
    run: async ({ funnels }, { site_id }) => ({ data: await funnels.listFunnels(site_id) }),
  }),
];

/** Goal and funnel management. */
export const goalOperations = [
  operation({
    id: 'analytics.create_goal',
    path: 'POST /analytics/sites/:site_id/goals',
    summary: 'Create a goal',
    description: 'Applies to all stored events, including past ones. A site can have 100 goals.',
    params: SiteParams,
    body: CreateGoalBody,
    status: 201,
    output: GoalView,
    errors: [
      'analytics.site_unknown',
      'analytics.goal_exists',
      'analytics.too_many_goals',
      ...queryErrors,
    ],
    run: ({ goals }, { site_id, ...body }, { by }) => goals.createGoal(site_id, body, by),
  }),
  operation({
    id: 'analytics.rename_goal',
    path: 'PATCH /analytics/sites/:site_id/goals/:id',
    summary: 'Rename a goal',
    description: 'The page or event cannot be changed; create a new goal instead.',
    params: DefinitionParams,
    body: RenameBody,
    output: GoalView,
    errors: ['analytics.site_unknown', 'analytics.goal_unknown', 'analytics.goal_exists'],
    run: ({ goals }, { site_id, id, name }, { by }) => goals.renameGoal(site_id, id, name, by),
  }),
  operation({
    id: 'analytics.delete_goal',
    path: 'DELETE /analytics/sites/:site_id/goals/:id',
    summary: 'Delete a goal',
    description: 'Stored events are kept.',
    params: DefinitionParams,
    status: 204,
    errors: ['analytics.site_unknown', 'analytics.goal_unknown'],
    async run({ goals }, { site_id, id }, { by }) {
      await goals.deleteGoal(site_id, id, by);
    },
  }),
  operation({
    id: 'analytics.create_funnel',
    path: 'POST /analytics/sites/:site_id/funnels',
    summary: 'Create a funnel',
    description:
      'Two to eight steps in order. Applies to all stored events, including past ' +
      'ones. A site can have 100 funnels. `within: visitor` combines all visits by a ' +
      'visitor. It needs `user_id` or `anonymous_id`, because anonymous visitors are ' +
      'recognized only within one UTC day.',
    params: SiteParams,
    body: CreateFunnelBody,
    status: 201,
    output: FunnelView,
    errors: [
      'analytics.site_unknown',
      'analytics.funnel_exists',
      'analytics.too_many_funnels',
      ...queryErrors,
    ],
    run: ({ funnels }, { site_id, ...body }, { by }) => funnels.createFunnel(site_id, body, by),
  }),
  operation({
    id: 'analytics.rename_funnel',
    path: 'PATCH /analytics/sites/:site_id/funnels/:id',
    summary: 'Rename a funnel',
    description: 'The steps cannot be changed; create a new funnel instead.',
    params: DefinitionParams,
    body: RenameBody,
    output: FunnelView,
    errors: ['analytics.site_unknown', 'analytics.funnel_unknown', 'analytics.funnel_exists'],
    run: ({ funnels }, { site_id, id, name }, { by }) =>
      funnels.renameFunnel(site_id, id, name, by),
  }),
  operation({
    id: 'analytics.delete_funnel',
    path: 'DELETE /analytics/sites/:site_id/funnels/:id',
    summary: 'Delete a funnel',
    description: 'Stored events are kept.',
    params: DefinitionParams,
    status: 204,
    errors: ['analytics.site_unknown', 'analytics.funnel_unknown'],
    async run({ funnels }, { site_id, id }, { by }) {
      await funnels.deleteFunnel(site_id, id, by);
    },
  }),
];
