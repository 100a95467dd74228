import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../platform/identity/actors.ts';
import { disconnectSignal } from '../../platform/http/requester.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import {
  UpdateComponentBody,
  UpdateIncidentBody,
  UpdateMaintenanceBody,
  ComponentList,
  ComponentParams,
  ComponentView,
  CreateComponentBody,
  CreateIncidentBody,
  CreateMaintenanceBody,
  DeletedView,
  IncidentListQuery,
  IncidentPage,
  IncidentParams,
  CreateIncidentUpdateBody,
  IncidentView,
  MaintenanceListQuery,
  MaintenancePage,
  CreateMaintenanceUpdateBody,
  MaintenanceView,
  SubscriberListQuery,
  SubscriberPage,
} from './schemas.admin.ts';
import type { Status } from './service.ts';
import type { SubscriberAdmin } from './subscriptions/subscriber-admin.ts';
import { toComponentView, toIncidentView, toMaintenanceView } from './views.ts';

const tags = ['status'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

type AdminStatus = Pick<Status, 'components' | 'incidents' | 'maintenances' | 'records' | 'state'>;

const componentRoutes: FastifyPluginAsyncZod<{ status: AdminStatus }> = async (app, { status }) => {
  const stateOf = (id: string) =>
    status.state().components.find((component) => component.id === id);

  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'status.list_components',
        summary: 'List the components of the status page',
        description: 'In the order in which they are shown. Archived ones are left out.',
        tags,
        response: { 200: ComponentList },
      },
    },
    async () => {
      const records = status.records();
      return {
        data: records.map((record) => toComponentView(record, stateOf(record.id))),
        total: records.length,
      };
    },
  );

  app.post(
    '/',
    {
      config,
      schema: {
        operationId: 'status.create_component',
        summary: 'Add a component',
        description:
          'It is checked from now on. Two failures in a row are an outage; two answers in a row after more than half of the timeout are degraded performance.',
        tags,
        body: CreateComponentBody,
        errors: ['status.component_exists', 'status.too_many_components'],
        response: { 200: ComponentView },
      },
    },
    async (request) => {
      const record = await status.components.create(request.body, requestActor(request));
      return toComponentView(record, stateOf(record.id));
    },
  );

  app.patch(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.update_component',
        summary: 'Change a component',
        description:
          'What is left out stays as it is. Target and settings of built-in components can not be changed.',
        tags,
        params: ComponentParams,
        body: UpdateComponentBody,
        errors: ['status.component_not_found', 'status.component_builtin'],
        response: { 200: ComponentView },
      },
    },
    async (request) => {
      const record = await status.components.update(
        request.params.id,
        request.body,
        requestActor(request),
      );
      return toComponentView(record, stateOf(record.id));
    },
  );

  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.delete_component',
        summary: 'Take a component off the status page',
        description: 'It is archived: its id stays taken. Built-in components can not be deleted.',
        tags,
        params: ComponentParams,
        errors: ['status.component_not_found', 'status.component_builtin'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      await status.components.delete(request.params.id, requestActor(request));
      return { deleted: true as const, id: request.params.id };
    },
  );
};

const incidentRoutes: FastifyPluginAsyncZod<{ status: AdminStatus }> = async (
  app,
  { status: { incidents } },
) => {
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

  app.post(
    '/',
    {
      config,
      schema: {
        operationId: 'status.create_incident',
        summary: 'Open an incident',
        description:
          'It is on the status page at once; subscribers are told. While it is open its components are what it says, or worse.',
        tags,
        body: CreateIncidentBody,
        response: { 200: IncidentView },
      },
    },
    async (request) => toIncidentView(await incidents.create(request.body, requestActor(request))),
  );

  app.get(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.get_incident',
        summary: 'Show an incident',
        description: 'With everything that was said about it.',
        tags,
        params: IncidentParams,
        errors: ['status.incident_not_found'],
        response: { 200: IncidentView },
      },
    },
    async (request) => toIncidentView(await incidents.get(request.params.id)),
  );

  app.patch(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.update_incident',
        summary: 'Change an incident',
        description:
          'Its name, impact, or the components that it concerns. Nobody is told by mail: post an update for that.',
        tags,
        params: IncidentParams,
        body: UpdateIncidentBody,
        errors: ['status.incident_not_found', 'status.incident_over'],
        response: { 200: IncidentView },
      },
    },
    async (request) =>
      toIncidentView(
        await incidents.update(request.params.id, request.body, requestActor(request)),
      ),
  );

  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.delete_incident',
        summary: 'Delete an incident',
        description:
          'With everything that was said about it, and what it did to the uptime. Resolve it to keep it in the history.',
        tags,
        params: IncidentParams,
        errors: ['status.incident_not_found'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      await incidents.delete(request.params.id, requestActor(request));
      return { deleted: true as const, id: request.params.id };
    },
  );

  app.post(
    '/:id/updates',
    {
      config,
      schema: {
        operationId: 'status.create_incident_update',
        summary: 'Say how an incident goes on',
        description: 'Subscribers are told.',
        tags,
        params: IncidentParams,
        body: CreateIncidentUpdateBody,
        errors: ['status.incident_not_found', 'status.incident_over', 'status.incident_open'],
        response: { 200: IncidentView },
      },
    },
    async (request) => {
      return toIncidentView(
        await incidents.createUpdate(request.params.id, request.body, requestActor(request)),
      );
    },
  );
};

const maintenanceRoutes: FastifyPluginAsyncZod<{ status: AdminStatus }> = async (
  app,
  { status: { maintenances } },
) => {
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'status.list_maintenances',
        summary: 'List planned maintenance',
        description: 'What was entered last first.',
        tags,
        querystring: MaintenanceListQuery,
        response: { 200: MaintenancePage },
      },
    },
    async (request, reply) => {
      const page = await maintenances.list(request.query, disconnectSignal(reply));
      return { ...page, data: page.data.map(toMaintenanceView) };
    },
  );

  app.post(
    '/',
    {
      config,
      schema: {
        operationId: 'status.create_maintenance',
        summary: 'Announce maintenance',
        description:
          "It begins and ends by itself at its times; subscribers are told each time. What its components' checks say does not count meanwhile.",
        tags,
        body: CreateMaintenanceBody,
        response: { 200: MaintenanceView },
      },
    },
    async (request) =>
      toMaintenanceView(await maintenances.create(request.body, requestActor(request))),
  );

  app.get(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.get_maintenance',
        summary: 'Show a maintenance',
        description: 'With everything that was said about it.',
        tags,
        params: IncidentParams,
        errors: ['status.maintenance_not_found'],
        response: { 200: MaintenanceView },
      },
    },
    async (request) => toMaintenanceView(await maintenances.get(request.params.id)),
  );

  app.patch(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.update_maintenance',
        summary: 'Change a maintenance',
        description: 'Its name, components and times. When it has begun, its beginning stays.',
        tags,
        params: IncidentParams,
        body: UpdateMaintenanceBody,
        errors: [
          'status.maintenance_not_found',
          'status.maintenance_over',
          'status.maintenance_running',
        ],
        response: { 200: MaintenanceView },
      },
    },
    async (request) =>
      toMaintenanceView(
        await maintenances.update(request.params.id, request.body, requestActor(request)),
      ),
  );

  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.delete_maintenance',
        summary: 'Delete a maintenance',
        description:
          'With everything that was said about it. Complete it to keep it in the history.',
        tags,
        params: IncidentParams,
        errors: ['status.maintenance_not_found'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      await maintenances.delete(request.params.id, requestActor(request));
      return { deleted: true as const, id: request.params.id };
    },
  );

  app.post(
    '/:id/updates',
    {
      config,
      schema: {
        operationId: 'status.create_maintenance_update',
        summary: 'Say how a maintenance goes on',
        description: 'Begins or ends it by hand, too. Subscribers are told.',
        tags,
        params: IncidentParams,
        body: CreateMaintenanceUpdateBody,
        errors: [
          'status.maintenance_not_found',
          'status.maintenance_over',
          'status.maintenance_running',
        ],
        response: { 200: MaintenanceView },
      },
    },
    async (request) =>
      toMaintenanceView(
        await maintenances.createUpdate(request.params.id, request.body, requestActor(request)),
      ),
  );
};

const subscriberRoutes: FastifyPluginAsyncZod<{ subscribers: SubscriberAdmin }> = async (
  app,
  { subscribers },
) => {
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'status.list_subscribers',
        summary: 'List who gets updates by e-mail',
        description: 'And who has asked to, and has not confirmed it.',
        tags,
        querystring: SubscriberListQuery,
        response: { 200: SubscriberPage },
      },
    },
    (request, reply) => subscribers.list(request.query, disconnectSignal(reply)),
  );

  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.delete_subscriber',
        summary: 'Take an address off the updates',
        description: 'It is forgotten. Whoever it belongs to is not told, and may subscribe again.',
        tags,
        params: IncidentParams,
        errors: ['status.subscriber_not_found'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      await subscribers.delete(request.params.id, requestActor(request));
      return { deleted: true as const, id: request.params.id };
    },
  );
};

/** What admins do with the status page. */
export const statusAdminRoutes: FastifyPluginAsyncZod<{
  status: AdminStatus;
  subscribers: SubscriberAdmin;
}> = async (app, { status, subscribers }) => {
  noStore(app);
  await app.register(componentRoutes, { prefix: '/components', status });
  await app.register(incidentRoutes, { prefix: '/incidents', status });
  await app.register(maintenanceRoutes, { prefix: '/maintenances', status });
  await app.register(subscriberRoutes, { prefix: '/subscribers', subscribers });
};
