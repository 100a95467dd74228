import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { leadsOn, sendPage } from '../../../platform/ui/page-scope.ts';
import { disconnectSignal } from '../../../platform/http/requester.ts';
import type { Components } from '../../../areas/status/components/components.ts';
import type { Incident } from '../../../areas/status/incidents/incident-store.ts';
import type { Incidents } from '../../../areas/status/incidents/incidents.ts';
import type { Maintenances } from '../../../areas/status/incidents/maintenances.ts';
import type { StatusState } from '../../../areas/status/model.ts';
import type {
  UpdateComponentBody,
  UpdateIncidentBody,
  UpdateMaintenanceBody,
  ComponentView,
  CreateComponentBody,
  CreateIncidentBody,
  CreateMaintenanceBody,
  CreateIncidentUpdateBody,
  CreateMaintenanceUpdateBody,
} from '../../../areas/status/schemas.admin.ts';
import type { SubscriberAdmin } from '../../../areas/status/subscriptions/subscriber-admin.ts';
import { componentPage, subscribersPage } from './component-page.ts';
import { asForm, checked, formLimit, FormValues, requireWord, textOf } from '../form-values.ts';
import { incidentPage } from './incident-page.ts';
import { changes, looks } from '../limits.ts';
import { withQuery } from '../parts.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { done, find, HtmlPage } from '../schemas.ts';
import { placeOf } from '../sections.ts';
import {
  changedComponent,
  changedIncident,
  changedMaintenance,
  newComponent,
  newIncident,
  newMaintenance,
  updateOf,
} from './status-bodies.ts';
import { incidentNotice, statusNotice } from './status-notices.ts';
import { incidentPlace, incidentsPage, statusPage } from './status-page.ts';

/** The status page's services, with the schemas of their REST calls. */
export interface StatusSource {
  state: () => StatusState;
  /** A component as admins see it; undefined when there is none. */
  component: (id: string) => ComponentView | undefined;
  components: Components;
  incidents: Pick<Incidents, 'create' | 'update' | 'createUpdate' | 'delete' | 'get' | 'list'>;
  maintenances: Pick<
    Maintenances,
    'create' | 'update' | 'createUpdate' | 'delete' | 'get' | 'list'
  >;
  subscribers: SubscriberAdmin;
  now: () => number;
  schemas: {
    createIncident: z.ZodType<CreateIncidentBody>;
    updateIncident: z.ZodType<UpdateIncidentBody>;
    createIncidentUpdate: z.ZodType<CreateIncidentUpdateBody>;
    createMaintenance: z.ZodType<CreateMaintenanceBody>;
    updateMaintenance: z.ZodType<UpdateMaintenanceBody>;
    createMaintenanceUpdate: z.ZodType<CreateMaintenanceUpdateBody>;
    createComponent: z.ZodType<CreateComponentBody>;
    updateComponent: z.ZodType<UpdateComponentBody>;
  };
}

export type StatusRoutesOptions = ConsoleRoutesOptions & { statusSource: StatusSource };

const tags = ['pages'];
const home = placeOf('status');
const Id = z.object({ id: z.uuid() });
const Slug = z.object({ id: z.string().max(64) });
const Done = z.object({ done });
const FindForm = z.object({ email: z.string().trim().max(320).default('') });
const cursor = z.uuid().optional();
const pageOfList = 25;

/** The incident, or maintenance, with this id. */
async function findIncident(
  { incidents, maintenances }: StatusSource,
  id: string,
): Promise<Incident> {
  const found = await Promise.allSettled([incidents.get(id), maintenances.get(id)]);
  const [incident, maintenance] = found;
  if (incident.status === 'fulfilled') return incident.value;
  if (maintenance.status === 'fulfilled') return maintenance.value;
  throw incident.reason;
}

/** What everybody with a role may look at. */
export const statusLookRoutes: FastifyPluginAsyncZod<StatusRoutesOptions> = async (
  app,
  { consoleLayout, viewerOf, statusSource },
) => {
  app.get(
    '/status',
    {
      config: looks,
      schema: {
        operationId: 'console.status',
        summary: 'The console: status and incidents',
        tags,
        querystring: Done,
        description:
          'Components, open incidents and maintenance; for admins the forms that change them.',
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.'),
        },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const subscribers = viewer.isAdmin
        ? (await statusSource.subscribers.list({ limit: 1 }, disconnectSignal(reply))).total
        : undefined;
      return sendPage(
        reply,
        consoleLayout(
          statusPage(
            { state: statusSource.state(), subscribers, now: statusSource.now() },
            viewer,
            statusNotice(request.query.done),
          ),
          viewer,
        ),
      );
    },
  );

  app.get(
    '/status/incidents',
    {
      config: looks,
      schema: {
        operationId: 'console.incidents',
        summary: 'The console: all incidents',
        tags,
        hide: true,
        querystring: z.object({
          kind: z.enum(['incident', 'maintenance']).default('incident'),
          cursor,
        }),
      },
    },
    async (request, reply) => {
      const { kind, cursor: after } = request.query;
      const list =
        kind === 'incident' ? statusSource.incidents.list : statusSource.maintenances.list;
      const page = await list({ limit: pageOfList, cursor: after }, disconnectSignal(reply));
      return sendPage(
        reply,
        consoleLayout(
          incidentsPage({
            kind,
            incidents: page.data,
            next: page.next_cursor,
            isFirst: after === undefined,
          }),
          viewerOf(request),
        ),
      );
    },
  );

  app.get(
    '/status/incidents/:id',
    {
      config: looks,
      schema: {
        operationId: 'console.incident',
        summary: 'The console: one incident',
        tags,
        hide: true,
        params: Id,
        querystring: Done.extend({
          was: z.enum(['none', 'minor', 'major', 'critical']).optional(),
        }),
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const incident = await findIncident(statusSource, request.params.id);
      const notice = viewer.isAdmin
        ? incidentNotice(incident, request.query.done, request.query.was)
        : undefined;
      return sendPage(
        reply,
        consoleLayout(
          incidentPage({ incident, components: statusSource.state().components }, viewer, notice),
          viewer,
        ),
      );
    },
  );

  app.get(
    '/status/components/:id',
    {
      config: looks,
      schema: {
        operationId: 'console.component',
        summary: 'The console: one component',
        tags,
        hide: true,
        params: Slug,
        querystring: Done,
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const component = statusSource.component(request.params.id);
      if (component === undefined)
        throw requestErrors.not_found({ detail: 'There is no component with this id.' });
      const state = statusSource.state().components.find(({ id }) => id === component.id);
      return sendPage(
        reply,
        consoleLayout(
          componentPage(
            { component: viewer.isAdmin ? component : { ...component, target: null }, state },
            viewer,
            statusNotice(request.query.done),
          ),
          viewer,
        ),
      );
    },
  );
};

type Routes = Parameters<FastifyPluginAsyncZod<StatusRoutesOptions>>[0];
const form = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags,
  hide: true,
  body: FormValues,
});
const to = (
  reply: FastifyReply,
  place: string,
  values: Readonly<Record<string, string | undefined>>,
): FastifyReply => reply.redirect(withQuery(place, values), 303);

function incidentForms(
  app: Routes,
  { viewerOf, statusSource: { incidents, schemas } }: StatusRoutesOptions,
): void {
  const options = { ...formLimit, config: changes };

  app.post(
    '/status/incidents',
    { ...options, schema: form('console.open_incident', 'Form: open an incident') },
    async (request, reply) => {
      const { id } = await asForm(() =>
        incidents.create(
          checked(schemas.createIncident, newIncident(request.body)),
          viewerOf(request).by,
        ),
      );
      return to(reply, incidentPlace(id), { done: 'opened' });
    },
  );

  app.post(
    '/status/incidents/:id/updates',
    {
      ...options,
      schema: {
        ...form('console.update_incident', 'Form: say how an incident goes on'),
        params: Id,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const update = checked(schemas.createIncidentUpdate, updateOf(request.body));
      await asForm(() => incidents.createUpdate(id, update, viewerOf(request).by));
      return to(reply, incidentPlace(id), {
        done: update.status === 'resolved' ? 'resolved' : 'updated',
      });
    },
  );

  app.post(
    '/status/incidents/:id/change',
    {
      ...options,
      schema: { ...form('console.change_incident', 'Form: change an incident'), params: Id },
    },
    async (request, reply) => {
      const { id } = request.params;
      const change = checked(schemas.updateIncident, changedIncident(request.body));
      const before = await incidents.get(id);
      await asForm(() => incidents.update(id, change, viewerOf(request).by));
      return to(reply, incidentPlace(id), {
        done: 'changed',
        was:
          change.impact === undefined || change.impact === before.impact
            ? undefined
            : before.impact,
      });
    },
  );

  app.post(
    '/status/incidents/:id/delete',
    {
      ...options,
      schema: { ...form('console.delete_incident', 'Form: delete an incident'), params: Id },
    },
    async (request, reply) => {
      requireWord(request.body, 'delete');
      await incidents.delete(request.params.id, viewerOf(request).by);
      return to(reply, home, { done: 'incident_deleted' });
    },
  );
}

function maintenanceForms(
  app: Routes,
  { viewerOf, statusSource: { maintenances, schemas } }: StatusRoutesOptions,
): void {
  const options = { ...formLimit, config: changes };

  app.post(
    '/status/maintenances',
    { ...options, schema: form('console.plan_maintenance', 'Form: announce maintenance') },
    async (request, reply) => {
      const { id } = await asForm(() =>
        maintenances.create(
          checked(schemas.createMaintenance, newMaintenance(request.body)),
          viewerOf(request).by,
        ),
      );
      return to(reply, incidentPlace(id), { done: 'planned' });
    },
  );

  app.post(
    '/status/maintenances/:id/updates',
    {
      ...options,
      schema: {
        ...form('console.update_maintenance', 'Form: say how a maintenance goes on'),
        params: Id,
      },
    },
    async (request, reply) => {
      await asForm(() =>
        maintenances.createUpdate(
          request.params.id,
          checked(schemas.createMaintenanceUpdate, updateOf(request.body)),
          viewerOf(request).by,
        ),
      );
      return to(reply, incidentPlace(request.params.id), { done: 'updated' });
    },
  );

  app.post(
    '/status/maintenances/:id/change',
    {
      ...options,
      schema: { ...form('console.change_maintenance', 'Form: change a maintenance'), params: Id },
    },
    async (request, reply) => {
      await asForm(() =>
        maintenances.update(
          request.params.id,
          checked(schemas.updateMaintenance, changedMaintenance(request.body)),
          viewerOf(request).by,
        ),
      );
      return to(reply, incidentPlace(request.params.id), { done: 'changed' });
    },
  );

  app.post(
    '/status/maintenances/:id/delete',
    {
      ...options,
      schema: { ...form('console.delete_maintenance', 'Form: delete a maintenance'), params: Id },
    },
    async (request, reply) => {
      requireWord(request.body, 'delete');
      await maintenances.delete(request.params.id, viewerOf(request).by);
      return to(reply, home, { done: 'maintenance_deleted' });
    },
  );
}

function componentForms(
  app: Routes,
  { viewerOf, statusSource: { components, schemas } }: StatusRoutesOptions,
): void {
  const options = { ...formLimit, config: changes };

  app.post(
    '/status/components',
    { ...options, schema: form('console.add_component', 'Form: add a check') },
    async (request, reply) => {
      const { id } = await asForm(() =>
        components.create(
          checked(schemas.createComponent, newComponent(request.body)),
          viewerOf(request).by,
        ),
      );
      return to(reply, `${home}/components/${id}`, { done: 'component_added' });
    },
  );

  app.post(
    '/status/components/:id',
    {
      ...options,
      schema: { ...form('console.change_component', 'Form: change a component'), params: Slug },
    },
    async (request, reply) => {
      const { id } = await asForm(() =>
        components.update(
          request.params.id,
          checked(schemas.updateComponent, changedComponent(request.body)),
          viewerOf(request).by,
        ),
      );
      return to(reply, `${home}/components/${id}`, { done: 'component_changed' });
    },
  );

  app.post(
    '/status/components/:id/archive',
    {
      ...options,
      schema: { ...form('console.archive_component', 'Form: archive a check'), params: Slug },
    },
    async (request, reply) => {
      requireWord(request.body, request.params.id);
      await components.delete(request.params.id, viewerOf(request).by);
      return to(reply, home, { done: 'component_archived' });
    },
  );
}

function subscriberRoutes(
  app: Routes,
  { consoleLayout, viewerOf, words, statusSource: { subscribers } }: StatusRoutesOptions,
): void {
  app.get(
    '/status/subscribers',
    {
      config: looks,
      schema: {
        operationId: 'console.subscribers',
        summary: 'The console: subscribers of the status',
        tags,
        hide: true,
        querystring: Done.extend({ find, cursor }),
      },
    },
    async (request, reply) => {
      const { find, cursor: after, done: what } = request.query;
      const email = words.open(find);
      const page = await subscribers.list(
        { limit: pageOfList, cursor: after, email },
        disconnectSignal(reply),
      );
      return sendPage(
        reply,
        consoleLayout(
          subscribersPage({ page, email, find, isFirst: after === undefined }, statusNotice(what)),
          viewerOf(request),
        ),
      );
    },
  );

  app.post(
    '/status/subscribers/find',
    {
      ...formLimit,
      config: looks,
      schema: { ...form('console.find_subscribers', 'Form: look for an address'), body: FindForm },
    },
    async (request, reply) =>
      to(reply, `${home}/subscribers`, { find: words.seal(request.body.email) }),
  );

  app.post(
    '/status/subscribers/remove',
    {
      ...formLimit,
      config: changes,
      schema: form('console.remove_subscriber', 'Form: take an address off the updates'),
    },
    async (request, reply) => {
      await subscribers.delete(checked(z.uuid(), textOf(request.body, 'id')), viewerOf(request).by);
      return to(reply, `${home}/subscribers`, { done: 'subscriber_removed' });
    },
  );
}

/** What admins change. */
export const statusFormRoutes: FastifyPluginAsyncZod<StatusRoutesOptions> = async (
  app,
  options,
) => {
  incidentForms(app, options);
  maintenanceForms(app, options);
  componentForms(app, options);
  subscriberRoutes(app, options);
};
