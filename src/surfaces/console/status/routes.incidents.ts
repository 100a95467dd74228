import { z } from 'zod';
import { statusErrors } from '../../../areas/status/errors.ts';
import type { Incident } from '../../../areas/status/incidents/store.ts';
import {
  CreateIncidentBody,
  CreateIncidentUpdateBody,
  UpdateIncidentBody,
} from '../../../areas/status/incidents/schemas.incidents.ts';
import {
  CreateMaintenanceBody,
  CreateMaintenanceUpdateBody,
  UpdateMaintenanceBody,
} from '../../../areas/status/incidents/schemas.maintenances.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import { withQuery } from '../components/navigation.tsx';
import { type FormValues, textOf, textsWithPrefix } from '../forms.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { cursor, done } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { changeIncidentPage, deleteIncidentPage } from './form-pages.tsx';
import { incidentPage } from './incident-page.tsx';
import { incidentsPage } from './incidents-page.tsx';
import { incidentPath } from './labels.tsx';
import { nextStep, nextStepPage } from './next-step.tsx';
import { incidentNotice } from './notices.tsx';

const params = z.object({ id: z.uuid() });
const home = sectionPath('status');
const pageSize = 25;

type Status = ConsoleRoutesOptions['status'];

/** Returns the incident or maintenance with this id. Throws `status.incident_not_found`. */
async function getEither({ incidents, maintenances }: Status, id: string): Promise<Incident> {
  const found =
    (await undefinedIfMissing(incidents.get(id))) ??
    (await undefinedIfMissing(maintenances.get(id)));
  if (found === undefined) throw statusErrors.incident_not_found();
  return found;
}

/** Incidents and maintenance, for everybody with a role. */
export const incidentPages = [
  page({
    id: 'console.incidents',
    path: '/api/svc/console/status/incidents',
    summary: 'Console: incidents',
    query: z.object({ kind: z.enum(['incident', 'maintenance']).default('incident'), cursor }),
    async show({ status, viewerOf, clock }, { kind, cursor: after }, { request, signal }) {
      const { list } = kind === 'incident' ? status.incidents : status.maintenances;
      const found = await list({ limit: pageSize, cursor: after }, signal);
      const names = new Map(status.records().map(({ id, name }) => [id, name]));
      const view = { kind, page: found, isFirst: after === undefined, names, now: clock.now() };
      return incidentsPage(view, viewerOf(request));
    },
  }),
  page({
    id: 'console.incident',
    path: '/api/svc/console/status/incidents/:id',
    summary: 'Console: incident',
    params,
    query: z.object({ done, was: z.enum(['none', 'minor', 'major', 'critical']).optional() }),
    async show(context, { id, done: doneKey, was }, { request, signal }) {
      const { status, viewerOf } = context;
      const viewer = viewerOf(request);
      const incident = await getEither(status, id);
      const notice = viewer.isAdmin ? incidentNotice(incident, doneKey, was) : undefined;
      const subscribers = viewer.isAdmin ? await emailed(context, signal) : 0;
      const { components } = status.state();
      const now = context.clock.now();
      return incidentPage({ incident, components, subscribers, now }, viewer, notice);
    },
  }),
];

/** How many people are emailed about what is published. */
export const emailed = async (
  { subscribers }: Pick<ConsoleRoutesOptions, 'subscribers'>,
  signal: AbortSignal,
): Promise<number> => (await subscribers.list({ limit: 1 }, signal)).total;

const affected = (values: FormValues) =>
  textsWithPrefix(values, 'component.').map(([id, status]) => ({ id, status }));

/** Forms for incidents, for admins. */
export const incidentForms = [
  page({
    id: 'console.edit_incident',
    path: '/api/svc/console/status/incidents/:id/change',
    summary: 'Console: change an incident or a maintenance',
    params,
    errors: ['status.incident_not_found'],
    show: async ({ status }, { id }) =>
      changeIncidentPage({
        incident: await getEither(status, id),
        components: status.state().components,
      }),
  }),
  page({
    id: 'console.next_incident_step',
    path: '/api/svc/console/status/incidents/:id/next',
    summary: 'Console: what the next update of an incident or a maintenance publishes',
    params,
    errors: ['status.incident_not_found'],
    async show(context, { id }, { signal }) {
      const incident = await getEither(context.status, id);
      const step = nextStep(incident);
      if (step === undefined) throw statusErrors.incident_not_found();
      return nextStepPage(incident, step, await emailed(context, signal));
    },
  }),
  page({
    id: 'console.confirm_delete_incident',
    path: '/api/svc/console/status/incidents/:id/delete',
    summary: 'Console: delete an incident or a maintenance',
    params,
    errors: ['status.incident_not_found'],
    show: async ({ status }, { id }) => deleteIncidentPage(await getEither(status, id)),
  }),
  form({
    id: 'console.create_incident',
    path: '/api/svc/console/status/incidents',
    summary: 'Form: open an incident',
    body: CreateIncidentBody,
    read: (values) => ({ components: affected(values) }),
    run: ({ status }, body, { by }) => status.incidents.create(body, by),
    to: (_, { id }) => incidentPath(id),
    done: 'opened',
  }),
  form({
    id: 'console.create_incident_update',
    path: '/api/svc/console/status/incidents/:id/updates',
    summary: 'Form: post an incident update',
    params,
    body: CreateIncidentUpdateBody,
    // Without components in the form, none change.
    read: (values) =>
      textOf(values, 'with_components') === undefined ? {} : { components: affected(values) },
    run: ({ status }, { id, ...update }, { by }) => status.incidents.createUpdate(id, update, by),
    to: ({ id }) => incidentPath(id),
    done: ({ status }) => (status === 'resolved' ? 'resolved' : 'updated'),
  }),
  form({
    id: 'console.update_incident',
    path: '/api/svc/console/status/incidents/:id/change',
    summary: 'Form: change an incident',
    params,
    body: UpdateIncidentBody,
    async run({ status }, { id, ...changes }, { by }) {
      const { impact } = await status.incidents.get(id);
      await status.incidents.update(id, changes, by);
      return impact;
    },
    // The previous impact, so that the page can offer to undo the change.
    to: ({ id, impact }, was) =>
      withQuery(incidentPath(id), {
        done: 'changed',
        was: impact === undefined || impact === was ? undefined : was,
      }),
  }),
  form({
    id: 'console.delete_incident',
    path: '/api/svc/console/status/incidents/:id/delete',
    summary: 'Form: delete an incident',
    params,
    word: 'delete',
    run: ({ status }, { id }, { by }) => status.incidents.delete(id, by),
    to: home,
    done: 'incident_deleted',
  }),
];

/** Forms for maintenance, for admins. */
export const maintenanceForms = [
  form({
    id: 'console.create_maintenance',
    path: '/api/svc/console/status/maintenances',
    summary: 'Form: announce maintenance',
    body: CreateMaintenanceBody,
    run: ({ status }, body, { by }) => status.maintenances.create(body, by),
    to: (_, { id }) => incidentPath(id),
    done: 'planned',
  }),
  form({
    id: 'console.create_maintenance_update',
    path: '/api/svc/console/status/maintenances/:id/updates',
    summary: 'Form: post a maintenance update',
    params,
    body: CreateMaintenanceUpdateBody,
    run: ({ status }, { id, ...update }, { by }) =>
      status.maintenances.createUpdate(id, update, by),
    to: ({ id }) => incidentPath(id),
    done: 'updated',
  }),
  form({
    id: 'console.update_maintenance',
    path: '/api/svc/console/status/maintenances/:id/change',
    summary: 'Form: change a maintenance',
    params,
    body: UpdateMaintenanceBody,
    run: ({ status }, { id, ...changes }, { by }) => status.maintenances.update(id, changes, by),
    to: ({ id }) => incidentPath(id),
    done: 'changed',
  }),
  form({
    id: 'console.delete_maintenance',
    path: '/api/svc/console/status/maintenances/:id/delete',
    summary: 'Form: delete a maintenance',
    params,
    word: 'delete',
    run: ({ status }, { id }, { by }) => status.maintenances.delete(id, by),
    to: home,
    done: 'maintenance_deleted',
  }),
];
