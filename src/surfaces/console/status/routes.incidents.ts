import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { statusErrors } from '../../../areas/status/errors.ts';
import type { Incident } from '../../../areas/status/incidents/incident-store.ts';
import {
  CreateIncidentBody,
  CreateIncidentUpdateBody,
  UpdateIncidentBody,
} from '../../../areas/status/incidents/schemas.incidents.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { asForm, FormValues, parseForm, requireWord } from '../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, innerPage } from '../route-options.ts';
import { cursor, done } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { incidentBody, incidentUpdateBody, newIncidentBody } from './form-bodies.ts';
import { incidentPage } from './incident-page.tsx';
import { incidentsPage } from './incidents-page.tsx';
import { incidentPath } from './labels.tsx';
import { incidentNotice } from './notices.tsx';

const Params = z.object({ id: z.uuid() });
const IncidentsQuery = z.object({
  kind: z.enum(['incident', 'maintenance']).default('incident'),
  cursor,
});
const IncidentQuery = z.object({
  done,
  was: z.enum(['none', 'minor', 'major', 'critical']).optional(),
});

const pageSize = 25;

type Status = ConsoleRoutesOptions['services']['status'];

/** Other errors are thrown again. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof AppError && error.status === 404)) throw error;
}

/** Returns the incident or maintenance with this id. Throws `status.incident_not_found`. */
async function findIncident({ incidents, maintenances }: Status, id: string): Promise<Incident> {
  const [incident, maintenance] = await Promise.all([
    incidents.get(id).catch(undefinedIfMissing),
    maintenances.get(id).catch(undefinedIfMissing),
  ]);
  const found = incident ?? maintenance;
  if (found === undefined) throw statusErrors.incident_not_found();
  return found;
}

function incidentsPageRoute(
  app: ConsoleScope,
  { services: { status }, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/status/incidents',
    innerPage('console.incidents', 'The console: all incidents', { querystring: IncidentsQuery }),
    async ({ query: { kind, cursor: after } }, reply) => {
      const { list } = kind === 'incident' ? status.incidents : status.maintenances;
      const page = await list({ limit: pageSize, cursor: after }, disconnectSignal(reply));
      return send(reply, incidentsPage({ kind, page, isFirst: after === undefined }));
    },
  );
}

function incidentPageRoute(
  app: ConsoleScope,
  { services: { status }, viewerOf, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/status/incidents/:id',
    innerPage('console.incident', 'The console: one incident', {
      params: Params,
      querystring: IncidentQuery,
    }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const incident = await findIncident(status, request.params.id);
      const { done: doneKey, was } = request.query;
      const notice = viewer.isAdmin ? incidentNotice(incident, doneKey, was) : undefined;
      const view = { incident, components: status.state().components };
      return send(reply, incidentPage(view, viewer, notice));
    },
  );
}

function createIncidentRoute(
  app: ConsoleScope,
  { services: { status } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/incidents',
    form('console.create_incident', 'Form: open an incident', { body: FormValues }),
    async (request, reply) => {
      const body = parseForm(CreateIncidentBody, newIncidentBody(request.body));
      const { id } = await asForm(() => status.incidents.create(body, requestActor(request)));
      return redirectTo(reply, incidentPath(id), { done: 'opened' });
    },
  );
}

function createIncidentUpdateRoute(
  app: ConsoleScope,
  { services: { status } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/incidents/:id/updates',
    form('console.create_incident_update', 'Form: post an incident update', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      const { id } = request.params;
      const update = parseForm(CreateIncidentUpdateBody, incidentUpdateBody(request.body));
      await asForm(() => status.incidents.createUpdate(id, update, requestActor(request)));
      return redirectTo(reply, incidentPath(id), {
        done: update.status === 'resolved' ? 'resolved' : 'updated',
      });
    },
  );
}

/** The redirect has the previous impact, so that the page can offer to undo the change. */
function updateIncidentRoute(
  app: ConsoleScope,
  { services: { status } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/incidents/:id/change',
    form('console.update_incident', 'Form: change an incident', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      const { id } = request.params;
      const change = parseForm(UpdateIncidentBody, incidentBody(request.body));
      const { impact: was } = await status.incidents.get(id);
      await asForm(() => status.incidents.update(id, change, requestActor(request)));
      const hasNewImpact = change.impact !== undefined && change.impact !== was;
      return redirectTo(reply, incidentPath(id), {
        done: 'changed',
        was: hasNewImpact ? was : undefined,
      });
    },
  );
}

function deleteIncidentRoute(
  app: ConsoleScope,
  { services: { status } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/incidents/:id/delete',
    form('console.delete_incident', 'Form: delete an incident', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      requireWord(request.body, 'delete');
      await status.incidents.delete(request.params.id, requestActor(request));
      return redirectTo(reply, sectionPath('status'), { done: 'incident_deleted' });
    },
  );
}

/** Incidents and maintenance, for everybody with a role. */
export const incidentPageRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  incidentsPageRoute(app, options);
  incidentPageRoute(app, options);
};

/** Forms for incidents, for admins. */
export const incidentFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  createIncidentRoute(app, options);
  createIncidentUpdateRoute(app, options);
  updateIncidentRoute(app, options);
  deleteIncidentRoute(app, options);
};
