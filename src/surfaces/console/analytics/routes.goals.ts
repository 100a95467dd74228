import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { html } from '../../../lib/text/html.ts';
import { sendPage } from '../../../platform/ui/page-scope.ts';
import { type Requester, requesterOf } from '../../../platform/http/requester.ts';
import type { Funnels } from '../../../areas/analytics/goals/funnels.ts';
import type { Goals } from '../../../areas/analytics/goals/goals.ts';
import type {
  CreateFunnelBody,
  FunnelReport,
} from '../../../areas/analytics/goals/schemas.funnels.ts';
import type { CreateGoalBody, GoalReport } from '../../../areas/analytics/goals/schemas.goals.ts';
import { addressOf, type AnalyticsAddress } from './analytics-address.ts';
import { noSitesPage } from './analytics-page.ts';
import { AnalyticsPageQuery, plainAddress } from './analytics-query.ts';
import {
  asForm,
  checked,
  formLimit,
  FormValues,
  idOf,
  requireWord,
  siteOf,
  textOf,
} from '../form-values.ts';
import { goalsPage, goalsPlace } from './goals-page.ts';
import { changes, looks } from '../limits.ts';
import { sentenceOf, withQuery } from '../parts.ts';
import { type AnalyticsSource, askedSite } from './routes.analytics.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { HtmlPage } from '../schemas.ts';

/** Goals and funnels: the services of the API, and its schemas for what comes in. */
export interface GoalsSource {
  goals: Pick<Goals, 'createGoal' | 'deleteGoal'>;
  funnels: Pick<Funnels, 'createFunnel' | 'deleteFunnel'>;
  /** Both with their figures: all goals, and a page of funnels after those that are skipped. */
  report: (
    address: AnalyticsAddress,
    skipped: number,
    by: Requester,
  ) => Promise<{ goals: GoalReport; funnels: readonly FunnelReport[]; funnelCount: number }>;
  schemas: { goal: z.ZodType<CreateGoalBody>; funnel: z.ZodType<CreateFunnelBody> };
}

export type GoalRoutesOptions = ConsoleRoutesOptions & {
  analytics: AnalyticsSource;
  goalsSource: GoalsSource;
};

const notices: Readonly<Record<string, string>> = {
  goal_added: 'The goal is there. It counts what has happened before, too.',
  goal_deleted: 'The goal is deleted.',
  funnel_added: 'The funnel is there. It counts what has happened before, too.',
  funnel_deleted: 'The funnel is deleted.',
};

/** Goals and funnels of a site. */
export const goalPageRoutes: FastifyPluginAsyncZod<GoalRoutesOptions> = async (
  app,
  { consoleLayout, viewerOf, analytics, goalsSource },
) => {
  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.goals',
        summary: 'Console: goals and funnels',
        tags: ['pages'],
        hide: true,
        querystring: AnalyticsPageQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const by = requesterOf(request, reply);
      const asked = await askedSite(analytics, request.query, by);
      if (asked === undefined)
        return sendPage(
          reply,
          consoleLayout(noSitesPage(analytics.origin, viewer.isAdmin), viewer),
        );
      if (request.query.dimension !== undefined)
        return reply.redirect(addressOf(asked.address, goalsPlace), 303);
      const mistakes = analytics.mistakesOf(asked.address);
      const address = mistakes.length === 0 ? asked.address : plainAddress(asked.address);
      const skipped = Number(/^\d{1,4}$/.exec(request.query.skip ?? '')?.[0] ?? 0);
      const report = await goalsSource.report(address, skipped, by);
      const said = sentenceOf(notices, request.query.done);
      return sendPage(
        reply,
        consoleLayout(
          goalsPage(
            {
              address,
              sites: asked.sites,
              ...report,
              skipped,
              mistakes,
              notice: said === undefined ? undefined : html`<p>${said}</p>`,
            },
            viewer,
          ),
          viewer,
        ),
      );
    },
  );
};

/** A step as the fields with this suffix say it; undefined where they were left empty. */
function stepOf(values: FormValues, suffix = ''): object | undefined {
  const value = textOf(values, `value${suffix}`);
  const filter = textOf(values, `filter${suffix}`);
  return value === undefined
    ? undefined
    : {
        kind: textOf(values, `kind${suffix}`),
        value,
        ...(filter === undefined ? {} : { filters: [filter] }),
      };
}

const form = (name: string, summary: string) => ({
  ...formLimit,
  config: changes,
  schema: {
    operationId: `console.${name}`,
    summary: `Form: ${summary}`,
    tags: ['pages'],
    hide: true,
    body: FormValues,
  },
});
const back = (values: FormValues, done: string): string =>
  withQuery(goalsPlace, { site_id: siteOf(values), done });

/** Forms that change them: for admins. */
export const goalFormRoutes: FastifyPluginAsyncZod<GoalRoutesOptions> = async (
  app,
  { viewerOf, goalsSource: source },
) => {
  app.post('/add', form('goal_add', 'add a goal'), async (request, reply) => {
    const { body } = request;
    await asForm(() =>
      source.goals.createGoal(
        siteOf(body),
        checked(source.schemas.goal, {
          name: textOf(body, 'name'),
          ...(stepOf(body) ?? { kind: textOf(body, 'kind'), value: '' }),
        }),
        viewerOf(request).by,
      ),
    );
    return reply.redirect(back(body, 'goal_added'), 303);
  });

  app.post('/delete', form('goal_delete', 'delete a goal'), async (request, reply) => {
    requireWord(request.body, textOf(request.body, 'name') ?? '');
    await source.goals.deleteGoal(siteOf(request.body), idOf(request.body), viewerOf(request).by);
    return reply.redirect(back(request.body, 'goal_deleted'), 303);
  });

  app.post('/funnels/add', form('funnel_add', 'add a funnel'), async (request, reply) => {
    const { body } = request;
    const steps = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => stepOf(body, String(at)) ?? []);
    await asForm(() =>
      source.funnels.createFunnel(
        siteOf(body),
        checked(source.schemas.funnel, {
          name: textOf(body, 'name'),
          within: textOf(body, 'within'),
          steps,
        }),
        viewerOf(request).by,
      ),
    );
    return reply.redirect(back(body, 'funnel_added'), 303);
  });

  app.post('/funnels/delete', form('funnel_delete', 'delete a funnel'), async (request, reply) => {
    requireWord(request.body, textOf(request.body, 'name') ?? '');
    await source.funnels.deleteFunnel(
      siteOf(request.body),
      idOf(request.body),
      viewerOf(request).by,
    );
    return reply.redirect(back(request.body, 'funnel_deleted'), 303);
  });
};
