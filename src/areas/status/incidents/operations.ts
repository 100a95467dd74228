import { operationsOf } from '../../../platform/operations/operation.ts';
import type { StatusContext } from '../compose.ts';
import { DeletedView, UuidParams } from '../schemas.fields.ts';
import { toIncidentView, toMaintenanceView } from './views.ts';
import {
  CreateIncidentBody,
  CreateIncidentUpdateBody,
  IncidentListQuery,
  IncidentPage,
  IncidentView,
  UpdateIncidentBody,
} from './schemas.incidents.ts';
import {
  CreateMaintenanceBody,
  CreateMaintenanceUpdateBody,
  MaintenanceListQuery,
  MaintenancePage,
  MaintenanceView,
  UpdateMaintenanceBody,
} from './schemas.maintenances.ts';

const operation = operationsOf<StatusContext>({ scope: 'admin', tag: 'incidents' });

/** Incidents of the status page. */
export const incidentOperations = [
  operation({
    id: 'status.list_incidents',
    path: 'GET /api/v1/status/incidents',
    summary: 'List incidents',
    description: 'Newest first.',
    query: IncidentListQuery,
    output: IncidentPage,
    async run({ status: { incidents } }, query, { signal }) {
      const page = await incidents.list(query, signal);
      return { ...page, data: page.data.map(toIncidentView) };
    },
  }),
  operation({
    id: 'status.create_incident',
    path: 'POST /api/v1/status/incidents',
    summary: 'Create an incident',
    description:
      'The incident is published on the status page immediately, and subscribers are ' +
      'notified. While it is open, each affected component shows the given status or ' +
      'a worse one.',
    body: CreateIncidentBody,
    output: IncidentView,
    run: async ({ status: { incidents } }, body, { by }) =>
      toIncidentView(await incidents.create(body, by)),
  }),
  operation({
    id: 'status.get_incident',
    path: 'GET /api/v1/status/incidents/:id',
    on: ['mcp'],
    summary: 'Get an incident',
    description: 'The incident with all its updates.',
    params: UuidParams,
    output: IncidentView,
    errors: ['status.incident_not_found'],
    run: async ({ status: { incidents } }, { id }) => toIncidentView(await incidents.get(id)),
  }),
  operation({
    id: 'status.update_incident',
    path: 'PATCH /api/v1/status/incidents/:id',
    summary: 'Update an incident',
    description:
      'Changes the name, impact or affected components. Subscribers are not ' +
      'notified; post an update to notify them.',
    params: UuidParams,
    body: UpdateIncidentBody,
    output: IncidentView,
    errors: ['status.incident_not_found', 'status.incident_over'],
    run: async ({ status: { incidents } }, { id, ...changes }, { by }) =>
      toIncidentView(await incidents.update(id, changes, by)),
  }),
  operation({
    id: 'status.delete_incident',
    path: 'DELETE /api/v1/status/incidents/:id',
    on: ['graphql', 'mcp'],
    summary: 'Delete an incident',
    description:
      'Deletes its updates and its effect on uptime as well. To keep it in the ' +
      'history, resolve it instead.',
    params: UuidParams,
    output: DeletedView,
    errors: ['status.incident_not_found'],
    async run({ status: { incidents } }, { id }, { by }) {
      await incidents.delete(id, by);
      return { deleted: true as const, id };
    },
  }),
  operation({
    id: 'status.create_incident_update',
    path: 'POST /api/v1/status/incidents/:id/updates',
    summary: 'Post an incident update',
    description: 'Subscribers are notified.',
    params: UuidParams,
    body: CreateIncidentUpdateBody,
    output: IncidentView,
    errors: ['status.incident_not_found', 'status.incident_over', 'status.incident_open'],
    run: async ({ status: { incidents } }, { id, ...update }, { by }) =>
      toIncidentView(await incidents.createUpdate(id, update, by)),
  }),
];

const changeErrors = [
  'status.maintenance_not_found',
  'status.maintenance_over',
  'status.maintenance_running',
] as const;

/** Scheduled maintenance on the status page. */
export const maintenanceOperations = [
  operation({
    id: 'status.list_maintenances',
    path: 'GET /api/v1/status/maintenances',
    on: ['mcp'],
    summary: 'List maintenance windows',
    description: 'Most recently created first.',
    query: MaintenanceListQuery,
    output: MaintenancePage,
    async run({ status: { maintenances } }, query, { signal }) {
      const page = await maintenances.list(query, signal);
      return { ...page, data: page.data.map(toMaintenanceView) };
    },
  }),
  operation({
    id: 'status.create_maintenance',
    path: 'POST /api/v1/status/maintenances',
    on: ['graphql', 'mcp'],
    summary: 'Schedule maintenance',
    description:
      'Starts and ends automatically; subscribers are notified each time. Checks on ' +
      'the affected components are ignored during maintenance.',
    body: CreateMaintenanceBody,
    output: MaintenanceView,
    run: async ({ status: { maintenances } }, body, { by }) =>
      toMaintenanceView(await maintenances.create(body, by)),
  }),
  operation({
    id: 'status.get_maintenance',
    path: 'GET /api/v1/status/maintenances/:id',
    on: ['mcp'],
    summary: 'Get a maintenance window',
    description: 'The maintenance with all its updates.',
    params: UuidParams,
    output: MaintenanceView,
    errors: ['status.maintenance_not_found'],
    run: async ({ status: { maintenances } }, { id }) =>
      toMaintenanceView(await maintenances.get(id)),
  }),
  operation({
    id: 'status.update_maintenance',
    path: 'PATCH /api/v1/status/maintenances/:id',
    on: ['graphql', 'mcp'],
    summary: 'Update maintenance',
    description:
      'Changes the name, components and times. The start time cannot be changed once ' +
      'the maintenance has started.',
    params: UuidParams,
    body: UpdateMaintenanceBody,
    output: MaintenanceView,
    errors: changeErrors,
    run: async ({ status: { maintenances } }, { id, ...changes }, { by }) =>
      toMaintenanceView(await maintenances.update(id, changes, by)),
  }),
  operation({
    id: 'status.delete_maintenance',
    path: 'DELETE /api/v1/status/maintenances/:id',
    on: ['graphql', 'mcp'],
    summary: 'Delete maintenance',
    description: 'Deletes its updates as well. To keep it in the history, complete it instead.',
    params: UuidParams,
    output: DeletedView,
    errors: ['status.maintenance_not_found'],
    async run({ status: { maintenances } }, { id }, { by }) {
      await maintenances.delete(id, by);
      return { deleted: true as const, id };
    },
  }),
  operation({
    id: 'status.create_maintenance_update',
    path: 'POST /api/v1/status/maintenances/:id/updates',
    on: ['graphql', 'mcp'],
    summary: 'Post a maintenance update',
    description: 'Can also start or complete the maintenance. Subscribers are notified.',
    params: UuidParams,
    body: CreateMaintenanceUpdateBody,
    output: MaintenanceView,
    errors: changeErrors,
    run: async ({ status: { maintenances } }, { id, ...update }, { by }) =>
      toMaintenanceView(await maintenances.createUpdate(id, update, by)),
  }),
];
