import { z } from 'zod';
import { CreateFunnelBody } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import { CreateGoalBody } from '../../../../areas/analytics/goals/schemas.goals.ts';

import { withQuery } from '../../components/navigation.tsx';
import { type FormValues, textOf } from '../../forms.ts';
import { form } from '../../routes.forms.ts';
import { viewUrl } from '../view-params.ts';
import { skipOf } from '../page-query.ts';
import { site, sitePage } from '../routes.site-page.ts';
import { readGoals } from './goal-report.ts';
import { goalsPage } from './goals-page.tsx';
import { goalsPath } from './goals-path.ts';

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
        { ...view, ...report, skipped, done: query.done },
        context.viewerOf(request),
      );
    },
  }),
];

const toGoals = ({ site_id }: { site_id: string }) => withQuery(goalsPath, { site_id });
const Named = z.object({ ...site, id: z.uuid(), name: z.string().default('') });

/** A step from the form: of a goal, or of a funnel with its number. Undefined if it is empty. */
function stepOf(values: FormValues, number?: number): object | undefined {
  const field = (name: string) => textOf(values, `${name}${number ?? ''}`);
  const value = field('value');
  const filter = field('filter');
  if (value === undefined) return undefined;
  return { kind: field('kind'), value, ...(filter === undefined ? {} : { filters: [filter] }) };
}

/** Forms for goals and funnels, for admins. */
export const goalForms = [
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
    body: Named,
    word: ({ name }) => name,
    run: ({ goals }, { site_id: of, id }, { by }) => goals.deleteGoal(of, id, by),
    to: toGoals,
    done: 'goal_deleted',
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
    body: Named,
    word: ({ name }) => name,
    run: ({ funnels }, { site_id: of, id }, { by }) => funnels.deleteFunnel(of, id, by),
    to: toGoals,
    done: 'funnel_deleted',
  }),
];
