import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  CreateMaintenanceBody,
  CreateMaintenanceUpdateBody,
  UpdateMaintenanceBody,
} from '../../../areas/status/incidents/schemas.maintenances.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { asForm, FormValues, parseForm, requireWord } from '../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form } from '../route-options.ts';
import { sectionPath } from '../sections.ts';
import { incidentUpdateBody, maintenanceBody, newMaintenanceBody } from './form-bodies.ts';
import { incidentPath } from './labels.tsx';

const Params = z.object({ id: z.uuid() });

type Options = Pick<ConsoleRoutesOptions, 'services'>;

function createMaintenanceRoute(app: ConsoleScope, { services: { status } }: Options): void {
  app.post(
    '/api/svc/console/status/maintenances',
    form('console.create_maintenance', 'Form: announce maintenance', { body: FormValues }),
    async (request, reply) => {
      const body = parseForm(CreateMaintenanceBody, newMaintenanceBody(request.body));
      const { id } = await asForm(() => status.maintenances.create(body, requestActor(request)));
      return redirectTo(reply, incidentPath(id), { done: 'planned' });
    },
  );
}

function createMaintenanceUpdateRoute(app: ConsoleScope, { services: { status } }: Options): void {
  app.post(
    '/api/svc/console/status/maintenances/:id/updates',
    form('console.create_maintenance_update', 'Form: say how a maintenance goes on', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      const { id } = request.params;
      const update = parseForm(CreateMaintenanceUpdateBody, incidentUpdateBody(request.body));
      await asForm(() => status.maintenances.createUpdate(id, update, requestActor(request)));
      return redirectTo(reply, incidentPath(id), { done: 'updated' });
    },
  );
}

function updateMaintenanceRoute(app: ConsoleScope, { services: { status } }: Options): void {
  app.post(
    '/api/svc/console/status/maintenances/:id/change',
    form('console.update_maintenance', 'Form: change a maintenance', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      const { id } = request.params;
      const change = parseForm(UpdateMaintenanceBody, maintenanceBody(request.body));
      await asForm(() => status.maintenances.update(id, change, requestActor(request)));
      return redirectTo(reply, incidentPath(id), { done: 'changed' });
    },
  );
}

function deleteMaintenanceRoute(app: ConsoleScope, { services: { status } }: Options): void {
  app.post(
    '/api/svc/console/status/maintenances/:id/delete',
    form('console.delete_maintenance', 'Form: delete a maintenance', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      requireWord(request.body, 'delete');
      await status.maintenances.delete(request.params.id, requestActor(request));
      return redirectTo(reply, sectionPath('status'), { done: 'maintenance_deleted' });
    },
  );
}

/** Forms for maintenance, for admins. */
export const maintenanceFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  createMaintenanceRoute(app, options);
  createMaintenanceUpdateRoute(app, options);
  updateMaintenanceRoute(app, options);
  deleteMaintenanceRoute(app, options);
};
