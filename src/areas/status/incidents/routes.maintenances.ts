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

const tags = ['incidents'];
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
        summary: 'List maintenance windows',
        description: 'Most recently created first.',
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
        summary: 'Schedule maintenance',
        description:
          'Starts and ends automatically; subscribers are notified each time. Checks on ' +
          'the affected components are ignored during maintenance.',
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
        summary: 'Get a maintenance window',
        description: 'The maintenance with all its updates.',
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
        summary: 'Update maintenance',
        description:
          'Changes the name, components and times. The start time cannot be changed once ' +
          'the maintenance has started.',
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
        summary: 'Delete maintenance',
        description: 'Deletes its updates as well. To keep it in the history, complete it instead.',
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
        summary: 'Post a maintenance update',
        description: 'Can also start or complete the maintenance. Subscribers are notified.',
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
