import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { CreateFunnelBody } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import { CreateGoalBody } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { requesterOf } from '../../../../platform/http/requests/requester.ts';
import { Toast } from '../../../../platform/ui/components/feedback.tsx';
import { asForm, FormValues, idOf, parseForm, requireWord, siteOf, textOf } from '../../forms.ts';
import { sentenceOf } from '../../components/notices.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form, innerPage } from '../../route-options.ts';
import { viewUrl } from '../view-params.ts';
import { AnalyticsPageQuery, defaultParams, skipOf } from '../page-query.ts';
import { mistakesIn } from '../figures.ts';
import { readGoals } from './goal-report.ts';
import { goalsPage } from './goals-page.tsx';
import { goalsPath } from './goals-path.ts';
import { noSitesPage } from '../no-sites-page.tsx';
import { readRequestedSite } from '../requested-site.ts';
import { texts } from '../texts/en.ts';

function goalsPageRoute(
  app: ConsoleScope,
  { baseOrigin, clock, services, viewerOf, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/analytics/goals',
    innerPage('console.goals', 'Console: goals and funnels', { querystring: AnalyticsPageQuery }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const by = requesterOf(request, reply);
      const requested = await readRequestedSite(services, request.query, by);
      if (requested === undefined) return send(reply, noSitesPage(baseOrigin, viewer.isAdmin));
      const { sites } = requested;
      if (request.query.dimension !== undefined)
        return redirectTo(reply, viewUrl(requested.address, goalsPath));
      const mistakes = mistakesIn(requested.address, clock.now());
      const address = mistakes.length === 0 ? requested.address : defaultParams(requested.address);
      const skipped = skipOf(request.query);
      const report = await readGoals(services, address, skipped, by);
      const sentence = sentenceOf(texts.goals.done, request.query.done);
      const notice = sentence === undefined ? undefined : <Toast text={sentence} />;
      return send(
        reply,
        goalsPage({ address, sites, ...report, skipped, mistakes, notice }, viewer),
      );
    },
  );
}

const redirectToGoals = (reply: FastifyReply, values: FormValues, done: string): FastifyReply =>
  redirectTo(reply, goalsPath, { site_id: siteOf(values), done });

/** A step from the form: of a goal, or of a funnel with its number. Undefined if it is empty. */
function stepOf(values: FormValues, number?: number): object | undefined {
  const field = (name: string) => textOf(values, `${name}${number ?? ''}`);
  const value = field('value');
  const filter = field('filter');
  if (value === undefined) return undefined;
  return { kind: field('kind'), value, ...(filter === undefined ? {} : { filters: [filter] }) };
}

function createGoalRoute(app: ConsoleScope, { services: { goals } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/analytics/goals/add',
    form('console.create_goal', 'Form: add a goal', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const goal = parseForm(CreateGoalBody, {
        name: textOf(body, 'name'),
        ...(stepOf(body) ?? { kind: textOf(body, 'kind'), value: '' }),
      });
      await asForm(() => goals.createGoal(siteOf(body), goal, requestActor(request)));
      return redirectToGoals(reply, body, 'goal_added');
    },
  );
}

function deleteGoalRoute(app: ConsoleScope, { services: { goals } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/analytics/goals/delete',
    form('console.delete_goal', 'Form: delete a goal', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      requireWord(body, textOf(body, 'name') ?? '');
      await goals.deleteGoal(siteOf(body), idOf(body), requestActor(request));
      return redirectToGoals(reply, body, 'goal_deleted');
    },
  );
}

function createFunnelRoute(
  app: ConsoleScope,
  { services: { funnels } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/goals/funnels/add',
    form('console.create_funnel', 'Form: add a funnel', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const funnel = parseForm(CreateFunnelBody, {
        name: textOf(body, 'name'),
        within: textOf(body, 'within'),
        steps: [1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) => stepOf(body, number) ?? []),
      });
      await asForm(() => funnels.createFunnel(siteOf(body), funnel, requestActor(request)));
      return redirectToGoals(reply, body, 'funnel_added');
    },
  );
}

function deleteFunnelRoute(
  app: ConsoleScope,
  { services: { funnels } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/goals/funnels/delete',
    form('console.delete_funnel', 'Form: delete a funnel', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      requireWord(body, textOf(body, 'name') ?? '');
      await funnels.deleteFunnel(siteOf(body), idOf(body), requestActor(request));
      return redirectToGoals(reply, body, 'funnel_deleted');
    },
  );
}

/** Goals and funnels of a site, for all users with a role. */
export const goalPageRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  goalsPageRoute(app, options);
};

/** Forms for goals and funnels, for admins. */
export const goalFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  createGoalRoute(app, options);
  deleteGoalRoute(app, options);
  createFunnelRoute(app, options);
  deleteFunnelRoute(app, options);
};
