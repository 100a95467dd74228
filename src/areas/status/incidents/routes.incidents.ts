import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { DeletedView, UuidParams } from '../schemas.fields.ts';
import { toIncidentView } from '../views.ts';
import type { Incidents } from './incidents.ts';
import {
  CreateIncidentBody,
  CreateIncidentUpdateBody,
  IncidentListQuery,
  IncidentPage,
  IncidentView,
  UpdateIncidentBody,
} from './schemas.incidents.ts';

export interface IncidentRoutesOptions {
  incidents: Incidents;
}

const tags = ['incidents'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

function listIncidents(app: ZodApp, { incidents }: IncidentRoutesOptions): void {
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'status.list_incidents',
        summary: 'List incidents',
        description: 'Newest first.',
        tags,
        querystring: IncidentListQuery,
        response: { 200: IncidentPage },
      },
    },
    async (request, reply) => {
      const page = await incidents.list(request.query, disconnectSignal(reply));
      return { ...page, data: page.data.map(toIncidentView) };
    },
  );
}

function createIncident(app: ZodApp, { incidents }: IncidentRoutesOptions): void {
  app.post(
    '/',
    {
      config,
      schema: {
        operationId: 'status.create_incident',
        summary: 'Create an incident',
        description:
          'The incident is published on the status page immediately, and subscribers are ' +
          'notified. While it is open, each affected component shows the given status or ' +
          'a worse one.',
        tags,
        body: CreateIncidentBody,
        response: { 200: IncidentView },
      },
    },
    async (request) => toIncidentView(await incidents.create(request.body, requestActor(request))),
  );
}

function getIncident(app: ZodApp, { incidents }: IncidentRoutesOptions): void {
  app.get(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.get_incident',
        summary: 'Get an incident',
        description: 'The incident with all its updates.',
        tags,
        params: UuidParams,
        errors: ['status.incident_not_found'],
        response: { 200: IncidentView },
      },
    },
    async (request) => toIncidentView(await incidents.get(request.params.id)),
  );
}

function updateIncident(app: ZodApp, { incidents }: IncidentRoutesOptions): void {
  app.patch(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.update_incident',
        summary: 'Update an incident',
        description:
          'Changes the name, impact or affected components. Subscribers are not ' +
          'notified; post an update to notify them.',
        tags,
        params: UuidParams,
        body: UpdateIncidentBody,
        errors: ['status.incident_not_found', 'status.incident_over'],
        response: { 200: IncidentView },
      },
    },
    async (request) => {
      const { params, body } = request;
      return toIncidentView(await incidents.update(params.id, body, requestActor(request)));
    },
  );
}

function deleteIncident(app: ZodApp, { incidents }: IncidentRoutesOptions): void {
  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.delete_incident',
        summary: 'Delete an incident',
        description:
          'Deletes its updates and its effect on uptime as well. To keep it in the ' +
          'history, resolve it instead.',
        tags,
        params: UuidParams,
        errors: ['status.incident_not_found'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      const { id } = request.params;
      await incidents.delete(id, requestActor(request));
      return { deleted: true as const, id };
    },
  );
}

function createIncidentUpdate(app: ZodApp, { incidents }: IncidentRoutesOptions): void {
  app.post(
    '/:id/updates',
    {
      config,
      schema: {
        operationId: 'status.create_incident_update',
        summary: 'Post an incident update',
        description: 'Subscribers are notified.',
        tags,
        params: UuidParams,
        body: CreateIncidentUpdateBody,
        errors: ['status.incident_not_found', 'status.incident_over', 'status.incident_open'],
        response: { 200: IncidentView },
      },
    },
    async (request) => {
      const { params, body } = request;
      return toIncidentView(await incidents.createUpdate(params.id, body, requestActor(request)));
    },
  );
}

/** Admin routes for incidents. */
export const incidentRoutes: FastifyPluginAsyncZod<IncidentRoutesOptions> = async (
  app,
  options,
) => {
  listIncidents(app, options);
  createIncident(app, options);
  getIncident(app, options);
  updateIncident(app, options);
  deleteIncident(app, options);
  createIncidentUpdate(app, options);
};
