import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { Goals } from './goals.ts';
import { queryErrors } from '../figures/query-errors.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import {
  CreateGoalBody,
  GoalList,
  GoalReport,
  GoalReportQuery,
  GoalView,
} from './schemas.goals.ts';
import { SiteParams } from '../sites/schemas.sites.ts';
import { DefinitionParams, RenameBody } from './schemas.steps.ts';

interface GoalRoutesOptions {
  goals: Goals;
}

const tags = ['goals'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

/** Goals and their reports, for callers with `analytics:read`. */
export const goalRoutes: FastifyPluginAsyncZod<GoalRoutesOptions> = async (app, { goals }) => {
  noStore(app);

  app.get(
    '/goals',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'analytics.get_goal_report',
        summary: 'Get the goal report for a site',
        description:
          'All goals of the site over a period. `filter` and `bots` work as for the dashboard.',
        tags,
        querystring: GoalReportQuery,
        errors: ['analytics.site_unknown', ...queryErrors],
        response: { 200: GoalReport },
      },
    },
    (request, reply) => goals.getGoalReport(request.query, requesterOf(request, reply)),
  );

  app.get(
    '/sites/:site_id/goals',
    {
      config,
      schema: {
        operationId: 'analytics.list_goals',
        summary: 'List the goals of a site',
        description: 'Each goal with the page or event that completes it.',
        tags,
        params: SiteParams,
        errors: ['analytics.site_unknown'],
        response: { 200: GoalList },
      },
    },
    async (request) => ({ data: await goals.listGoals(request.params.site_id) }),
  );
};

function createGoal(app: ZodApp, { goals }: GoalRoutesOptions): void {
  app.post(
    '/sites/:site_id/goals',
    {
      config,
      schema: {
        operationId: 'analytics.create_goal',
        summary: 'Create a goal',
        description:
          'Applies to all stored events, including past ones. A site can have 100 goals.',
        tags,
        params: SiteParams,
        body: CreateGoalBody,
        errors: [
          'analytics.site_unknown',
          'analytics.goal_exists',
          'analytics.too_many_goals',
          ...queryErrors,
        ],
        response: { 201: GoalView },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await goals.createGoal(request.params.site_id, request.body, requestActor(request))),
  );
}

function renameGoal(app: ZodApp, { goals }: GoalRoutesOptions): void {
  app.patch(
    '/sites/:site_id/goals/:id',
    {
      config,
      schema: {
        operationId: 'analytics.rename_goal',
        summary: 'Rename a goal',
        description: 'The page or event cannot be changed; create a new goal instead.',
        tags,
        params: DefinitionParams,
        body: RenameBody,
        errors: ['analytics.site_unknown', 'analytics.goal_unknown', 'analytics.goal_exists'],
        response: { 200: GoalView },
      },
    },
    (request) =>
      goals.renameGoal(
        request.params.site_id,
        request.params.id,
        request.body.name,
        requestActor(request),
      ),
  );
}

function deleteGoal(app: ZodApp, { goals }: GoalRoutesOptions): void {
  app.delete(
    '/sites/:site_id/goals/:id',
    {
      config,
      schema: {
        operationId: 'analytics.delete_goal',
        summary: 'Delete a goal',
        description: 'Stored events are kept.',
        tags,
        params: DefinitionParams,
        errors: ['analytics.site_unknown', 'analytics.goal_unknown'],
        response: { 204: z.undefined().describe('Deleted.') },
      },
    },
    async (request, reply) => {
      await goals.deleteGoal(request.params.site_id, request.params.id, requestActor(request));
      return reply.code(204).send();
    },
  );
}

/** Goal management, for admins. */
export const goalAdminRoutes: FastifyPluginAsyncZod<GoalRoutesOptions> = async (app, options) => {
  noStore(app);
  createGoal(app, options);
  renameGoal(app, options);
  deleteGoal(app, options);
};
