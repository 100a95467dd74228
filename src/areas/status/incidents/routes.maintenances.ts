import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { DeletedView, UuidParams } from '../schemas.fields.ts';
import { toMaintenanceView } from '../views.ts';
import type { Maintenances } from './maintenances.ts';
import {
  CreateMaintenanceBody,
  CreateMaintenanceUpdateBody,
  MaintenanceListQuery,
  MaintenancePage,
  MaintenanceView,
  UpdateMaintenanceBody,
} from './schemas.maintenances.ts';

export interface MaintenanceRoutesOptions {
  maintenances: Maintenances;
}

const tags = ['status'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const changeErrors = [
  'status.maintenance_not_found',
  'status.maintenance_over',
  'status.maintenance_running',
] as const;

function listMaintenances(app: ZodApp, { maintenances }: MaintenanceRoutesOptions): void {
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
}

function createMaintenance(app: ZodApp, { maintenances }: MaintenanceRoutesOptions): void {
  app.post(
    '/',
    {
      config,
      schema: {
        operationId: 'status.create_maintenance',
        summary: 'Announce maintenance',
        description:
          'It begins and ends by itself at its times; subscribers are told each time. ' +
          "What its components' checks say does not count meanwhile.",
        tags,
        body: CreateMaintenanceBody,
        response: { 200: MaintenanceView },
      },
    },
    async (request) =>
      toMaintenanceView(await maintenances.create(request.body, requestActor(request))),
  );
}

function getMaintenance(app: ZodApp, { maintenances }: MaintenanceRoutesOptions): void {
  app.get(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.get_maintenance',
        summary: 'Show a maintenance',
        description: 'With everything that was said about it.',
        tags,
        params: UuidParams,
        errors: ['status.maintenance_not_found'],
        response: { 200: MaintenanceView },
      },
    },
    async (request) => toMaintenanceView(await maintenances.get(request.params.id)),
  );
}

function updateMaintenance(app: ZodApp, { maintenances }: MaintenanceRoutesOptions): void {
  app.patch(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.update_maintenance',
        summary: 'Change a maintenance',
        description: 'Its name, components and times. When it has begun, its beginning stays.',
        tags,
        params: UuidParams,
        body: UpdateMaintenanceBody,
        errors: changeErrors,
        response: { 200: MaintenanceView },
      },
    },
    async (request) => {
      const { params, body } = request;
      return toMaintenanceView(await maintenances.update(params.id, body, requestActor(request)));
    },
  );
}

function deleteMaintenance(app: ZodApp, { maintenances }: MaintenanceRoutesOptions): void {
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
        params: UuidParams,
        errors: ['status.maintenance_not_found'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      const { id } = request.params;
      await maintenances.delete(id, requestActor(request));
      return { deleted: true as const, id };
    },
  );
}

function createMaintenanceUpdate(app: ZodApp, { maintenances }: MaintenanceRoutesOptions): void {
  app.post(
    '/:id/updates',
    {
      config,
      schema: {
        operationId: 'status.create_maintenance_update',
        summary: 'Say how a maintenance goes on',
        description: 'Begins or ends it by hand, too. Subscribers are told.',
        tags,
        params: UuidParams,
        body: CreateMaintenanceUpdateBody,
        errors: changeErrors,
        response: { 200: MaintenanceView },
      },
    },
    async (request) => {
      const { params, body } = request;
      const maintenance = await maintenances.createUpdate(params.id, body, requestActor(request));
      return toMaintenanceView(maintenance);
    },
  );
}

/** Admin routes for planned maintenance. */
export const maintenanceRoutes: FastifyPluginAsyncZod<MaintenanceRoutesOptions> = async (
  app,
  options,
) => {
  listMaintenances(app, options);
  createMaintenance(app, options);
  getMaintenance(app, options);
  updateMaintenance(app, options);
  deleteMaintenance(app, options);
  createMaintenanceUpdate(app, options);
};
