import { z } from 'zod';
import {
  CreateComponentBody,
  UpdateComponentBody,
} from '../../../areas/status/components/schemas.ts';
import { toComponentView } from '../../../areas/status/components/views.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { withQuery } from '../components/navigation.tsx';
import { FormValues } from '../forms.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { componentPage } from './component-page.tsx';
import { doneNotice } from '../components/notices.tsx';
import {
  archiveComponentPage,
  changeComponentPage,
  newCheckPage,
  newIncidentPage,
  newMaintenancePage,
} from './form-pages.tsx';
import { incidentTemplates } from './forms.tsx';
import { emailed, incidentForms, incidentPages, maintenanceForms } from './routes.incidents.ts';
import { subscriberRoutes } from './routes.subscribers.ts';
import { statusPage } from './status-page.tsx';
import { texts } from './texts/en.ts';

const params = z.object({ id: z.string().max(64) });
const home = sectionPath('status');
const componentPath = (id: string): string => `${home}/components/${id}`;

/** The state of the service, for everybody with a role. */
export const statusPages = [
  page({
    id: 'console.status',
    path: '/api/svc/console/status',
    summary: 'Console: status and incidents',
    description:
      'Components, open incidents and maintenance. Admins also get forms to change them.',
    query: z.object({ done }),
    async show({ status, subscribers, viewerOf }, query, { request, signal }) {
      const viewer = viewerOf(request);
      const view = {
        state: status.state(),
        subscribers: viewer.isAdmin
          ? (await subscribers.list({ limit: 1 }, signal)).total
          : undefined,
      };
      return statusPage(view, viewer, doneNotice(texts.notices, query.done));
    },
  }),
  page({
    id: 'console.component',
    path: '/api/svc/console/status/components/:id',
    summary: 'Console: component',
    params,
    query: z.object({ done }),
    show(context, { id, done: doneKey }, { request }) {
      const viewer = context.viewerOf(request);
      const { component, state } = getComponent(context, id);
      // Targets may be addresses of an internal network.
      const shown = viewer.isAdmin ? component : { ...component, target: null };
      return componentPage({ component: shown, state }, viewer, doneNotice(texts.notices, doneKey));
    },
  }),
  ...incidentPages,
];

/** The component with this id, as the API shows it. Throws `request.not_found`. */
function getComponent({ status }: Pick<ConsoleRoutesOptions, 'status'>, id: string) {
  const record = status.records().find((each) => each.id === id);
  if (record === undefined) throw requestErrors.not_found({ detail: texts.noComponent });
  const state = status.state().components.find((each) => each.id === id);
  return { component: toComponentView(record, state), state };
}

/** The pages of the forms that publish something, or add a check. */
const newPages = [
  page({
    id: 'console.new_incident',
    path: '/api/svc/console/status/incidents/new',
    summary: 'Console: open an incident',
    query: z.object({ template: z.enum(incidentTemplates).optional() }),
    show: async (context, { template }, { signal }) =>
      newIncidentPage({
        components: context.status.state().components,
        subscribers: await emailed(context, signal),
        template,
      }),
  }),
  page({
    id: 'console.new_maintenance',
    path: '/api/svc/console/status/maintenances/new',
    summary: 'Console: schedule maintenance',
    show: async (context, _, { signal }) =>
      newMaintenancePage(
        context.status.state().components,
        await emailed(context, signal),
        context.clock.now(),
      ),
  }),
  page({
    id: 'console.new_component',
    path: '/api/svc/console/status/new-check',
    summary: 'Console: add a check',
    show: () => newCheckPage(),
  }),
  page({
    id: 'console.edit_component',
    path: '/api/svc/console/status/components/:id/edit',
    summary: 'Console: change a component',
    params,
    show: (context, { id }) => changeComponentPage(getComponent(context, id).component),
  }),
  page({
    id: 'console.component_archive',
    path: '/api/svc/console/status/components/:id/archive',
    summary: 'Console: archive a check',
    params,
    show: (context, { id }) => archiveComponentPage(getComponent(context, id).component),
  }),
];

const NewCheck = CreateComponentBody.safeExtend({
  intent: z.literal('test').optional(),
  values: FormValues,
});

/** Forms for the status page, and its subscribers, for admins. */
export const statusForms = [
  ...newPages,
  form({
    id: 'console.create_component',
    path: '/api/svc/console/status/components',
    summary: 'Form: add a check',
    body: NewCheck,
    read: (values) => ({ values }),
    // The button for a test checks the target once and shows the form again; nothing is stored.
    async run({ status }, { intent, values, ...body }, { by }) {
      if (intent === undefined)
        return withQuery(componentPath((await status.components.create(body, by)).id), {
          done: 'component_added',
        });
      const page = newCheckPage(await status.tryCheck(body));
      return { ...page, filled: { action: `${home}/components`, values } };
    },
    to: (_, next) => next,
  }),
  form({
    id: 'console.update_component',
    path: '/api/svc/console/status/components/:id',
    summary: 'Form: change a component',
    params,
    body: UpdateComponentBody,
    run: ({ status }, { id, ...changes }, { by }) => status.components.update(id, changes, by),
    to: ({ id }) => componentPath(id),
    done: 'component_changed',
  }),
  form({
    id: 'console.delete_component',
    path: '/api/svc/console/status/components/:id/archive',
    summary: 'Form: archive a check',
    params,
    word: ({ id }) => id,
    run: ({ status }, { id }, { by }) => status.components.delete(id, by),
    to: home,
    done: 'component_archived',
  }),
  ...incidentForms,
  ...maintenanceForms,
  ...subscriberRoutes,
];
