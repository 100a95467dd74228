import { z } from 'zod';
import { CreateFunnelBody } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import { CreateGoalBody } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { RenameBody } from '../../../../areas/analytics/goals/schemas.steps.ts';
import type { Html } from '../../../../lib/text/html.ts';
import type { Requester } from '../../../../platform/http/requests/requester.ts';
import { formPage } from '../../components/form-page.tsx';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { readFigures } from '../figures.ts';
import { texts } from '../texts/en.ts';
import { withQuery } from '../../components/navigation.tsx';
import { form } from '../../routes.forms.ts';
import { siteBreadcrumbs } from '../breadcrumbs.ts';
import { viewUrl, type ViewParams } from '../view-params.ts';
import { defaultParams, skipOf } from '../page-query.ts';
import { site, sitePage, type SiteView } from '../routes.site-page.ts';
import { type Definition, newFunnelForm, newGoalForm, renameForm } from './goal-forms.tsx';
import { goalPanelsPage } from './goal-panels.tsx';
import { aboutFunnel, aboutGoal, aboutNew } from './goal-about.tsx';
import { readFunnel, readGoal, readGoalPanels, readGoals } from './goal-report.ts';
import { RemovedDefinition } from '../../../../areas/analytics/goals/definitions.ts';
import { openRemoval, removed, sealRemoval } from '../removals.ts';
import { goalsPage } from './goals-page.tsx';
import { goalsPath } from './goals-path.ts';
import { stepOf } from './step-fields.tsx';

/** Goals and funnels of a site, for all users with a role. */
export const goalPages = [
  sitePage({
    id: 'console.goals',
    path: '/api/svc/console/analytics/goals',
    summary: 'Console: goals and funnels',
    async show(context, view, { request, reply, requester }) {
      const { address, query } = view;
      if (query.dimension !== undefined)
        return reply.redirect(viewUrl(view.requested, goalsPath), 303);
      const skipped = skipOf(query);
      const report = await readGoals(context, address, skipped, requester);
      return goalsPage(
        { ...view, ...report, skipped, done: query.done, removed: query.removed },
        context.viewerOf(request),
      );
    },
  }),
  sitePage({
    id: 'console.goal_panels',
    path: '/api/svc/console/analytics/goals/summary',
    summary: 'Console: goals and the first funnel of a view, for the dashboard',
    async show(context, view, { requester }) {
      return goalPanelsPage(view, ...(await readGoalPanels(context, view.address, requester)));
    },
  }),
];

const toGoals = ({ site_id }: { site_id: string }) => withQuery(goalsPath, { site_id });
const OfSite = z.object({ ...site, id: z.uuid() });
const Undo = z.object({ ...site, ...removed });

/** Paths and names of events that a site has, the most frequent first. */
async function knownSteps(context: ConsoleRoutesOptions, { address }: SiteView, by: Requester) {
  const view = { ...defaultParams(address), compare: undefined };
  const { view: figures } = await readFigures(context, view, { now: context.clock.now(), by });
  return [
    ...figures.events.map(({ value, events: times }) => ({ value, times })),
    ...figures.pages.map(({ value, pageviews: times }) => ({ value, times })),
  ];
}

/** A page with a form for goals, which opens in a drawer. */
const goalFormPage = ({
  kind,
  title,
  form: formOf,
  ...facts
}: Pick<Parameters<typeof sitePage>[0], 'id' | 'path' | 'summary'> & {
  kind: Definition;
  title: string;
  form: typeof newGoalForm;
}) =>
  sitePage({
    ...facts,
    async show(context, view, { requester }) {
      const { site: name } = view.address;
      const known = await knownSteps(context, view, requester);
      return formPage({
        section: 'analytics',
        title,
        breadcrumbs: siteBreadcrumbs(name, toGoals({ site_id: name })),
        about: aboutNew(kind, known),
        children: formOf(name, known),
      });
    },
  });

const RenameOfSite = RenameBody.safeExtend(OfSite.shape);

interface Renamed {
  id: string;
  name: string;
  about: Html;
}

/** The page of a form that renames a goal or a funnel, which `find` reads. */
const renamePage = (
  kind: Definition,
  find: (
    context: ConsoleRoutesOptions,
    address: ViewParams,
    id: string,
    by: Requester,
  ) => Promise<Renamed | undefined>,
  facts: Pick<Parameters<typeof sitePage>[0], 'id' | 'path' | 'summary'>,
) =>
  sitePage({
    ...facts,
    async show(context, { address, query: { id = '' } }, { reply, requester }) {
      const { site: name } = address;
      const found = await find(context, defaultParams(address), id, requester);
      if (found === undefined) return reply.redirect(toGoals({ site_id: name }), 303);
      return formPage({
        section: 'analytics',
        title: texts.goals.rename.title({ name: found.name }),
        breadcrumbs: siteBreadcrumbs(name, toGoals({ site_id: name })),
        about: found.about,
        children: renameForm(kind, name, found),
      });
    },
  });

async function findGoal(...[context, address, id, by]: Parameters<typeof readGoal>) {
  const goal = await readGoal(context, address, id, by);
  return goal && { ...goal, about: aboutGoal(goal) };
}

async function findFunnel(...[context, address, id, by]: Parameters<typeof readFunnel>) {
  const funnel = await readFunnel(context, address, id, by);
  return funnel && { ...funnel, about: aboutFunnel(funnel) };
}

const renameForms = [
  renamePage('goal', findGoal, {
    id: 'console.edit_goal',
    path: '/api/svc/console/analytics/goals/edit',
    summary: 'Console: form to rename a goal',
  }),
  renamePage('funnel', findFunnel, {
    id: 'console.edit_funnel',
    path: '/api/svc/console/analytics/goals/funnels/edit',
    summary: 'Console: form to rename a funnel',
  }),
  form({
    id: 'console.rename_goal',
    path: '/api/svc/console/analytics/goals/rename',
    summary: 'Form: rename a goal',
    body: RenameOfSite,
    run: ({ goals }, { site_id: of, id, name }, { by }) => goals.renameGoal(of, id, name, by),
    to: toGoals,
    done: 'renamed',
  }),
  form({
    id: 'console.rename_funnel',
    path: '/api/svc/console/analytics/goals/funnels/rename',
    summary: 'Form: rename a funnel',
    body: RenameOfSite,
    run: ({ funnels }, { site_id: of, id, name }, { by }) => funnels.renameFunnel(of, id, name, by),
    to: toGoals,
    done: 'renamed',
  }),
];

/** Forms for goals and funnels, for admins. */
export const goalForms = [
  ...renameForms,
  goalFormPage({
    id: 'console.new_goal',
    path: '/api/svc/console/analytics/goals/new',
    summary: 'Console: form for a new goal',
    kind: 'goal',
    title: texts.goals.create.open,
    form: newGoalForm,
  }),
  goalFormPage({
    id: 'console.new_funnel',
    path: '/api/svc/console/analytics/goals/funnels/new',
    summary: 'Console: form for a new funnel',
    kind: 'funnel',
    title: texts.goals.funnels.create.open,
    form: newFunnelForm,
  }),
  form({
    id: 'console.create_goal',
    path: '/api/svc/console/analytics/goals/add',
    summary: 'Form: add a goal',
    body: CreateGoalBody.safeExtend(site),
    read: (values) => stepOf(values) ?? { value: '' },
    run: ({ goals }, { site_id: of, ...goal }, { by }) => goals.createGoal(of, goal, by),
    to: toGoals,
    done: 'goal_added',
  }),
  form({
    id: 'console.delete_goal',
    path: '/api/svc/console/analytics/goals/delete',
    summary: 'Form: delete a goal',
    body: OfSite,
    run: async (context, { site_id: of, id }, { by }) =>
      sealRemoval(context, await context.goals.deleteGoal(of, id, by)),
    to: ({ site_id }, sealed) => withQuery(goalsPath, { site_id, removed: sealed }),
    done: 'goal_deleted',
  }),
  form({
    id: 'console.restore_goal',
    path: '/api/svc/console/analytics/goals/restore',
    summary: 'Form: undo the deletion of a goal',
    body: Undo,
    run: (context, { site_id: of, removed: sealed }, { by }) =>
      context.goals.restoreGoal(of, openRemoval(RemovedDefinition, context, sealed), by),
    to: toGoals,
    done: 'goal_restored',
  }),
  form({
    id: 'console.create_funnel',
    path: '/api/svc/console/analytics/goals/funnels/add',
    summary: 'Form: add a funnel',
    body: CreateFunnelBody.safeExtend(site),
    read: (values) => ({
      steps: [1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) => stepOf(values, number) ?? []),
    }),
    run: ({ funnels }, { site_id: of, ...funnel }, { by }) => funnels.createFunnel(of, funnel, by),
    to: toGoals,
    done: 'funnel_added',
  }),
  form({
    id: 'console.delete_funnel',
    path: '/api/svc/console/analytics/goals/funnels/delete',
    summary: 'Form: delete a funnel',
    body: OfSite,
    run: async (context, { site_id: of, id }, { by }) =>
      sealRemoval(context, await context.funnels.deleteFunnel(of, id, by)),
    to: ({ site_id }, sealed) => withQuery(goalsPath, { site_id, removed: sealed }),
    done: 'funnel_deleted',
  }),
  form({
    id: 'console.restore_funnel',
    path: '/api/svc/console/analytics/goals/funnels/restore',
    summary: 'Form: undo the deletion of a funnel',
    body: Undo,
    run: (context, { site_id: of, removed: sealed }, { by }) =>
      context.funnels.restoreFunnel(of, openRemoval(RemovedDefinition, context, sealed), by),
    to: toGoals,
    done: 'funnel_restored',
  }),
];
