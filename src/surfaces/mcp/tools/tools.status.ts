import { z } from 'zod';
import type { StatusState } from '../../../areas/status/model.ts';
import {
  CreateIncidentBody,
  IncidentListQuery,
  CreateIncidentUpdateBody,
  IncidentView,
} from '../../../areas/status/incidents/schemas.incidents.ts';
import { knownUntil } from '../../../areas/status/overall.ts';
import { toIncidentView } from '../../../areas/status/incidents/views.ts';
import { callerActor } from '../caller.ts';
import type { McpServices } from '../context.ts';
import { type CreateTool, defineTool, readOnly } from './tool.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const pageUrl = ({ baseUrl }: McpServices): string => `${baseUrl}/status`;

const Update = IncidentView.shape.incident_updates.element.omit({ id: true, display_at: true });
const IncidentOut = IncidentView.omit({ source: true }).extend({
  incident_updates: z.array(Update).describe('Newest first.'),
});
const WrittenIncident = z.object({ incident: IncidentOut, page: z.string() });
const ComponentOut = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  group: z.string().nullable(),
  uptime_percent: z.number().nullable().describe('In the last 90 days.'),
});
const OpenIncident = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  impact: z.string(),
  components: z.array(z.string()),
  latest_update: z.string().nullable(),
  created_at: z.string(),
});

function toOpenIncident(incident: StatusState['incidents'][number]): z.input<typeof OpenIncident> {
  const { id, name, status, impact, components, updates, createdAt } = incident;
  return {
    id,
    name,
    status,
    impact,
    components: [...components],
    latest_update: updates[0]?.body ?? null,
    created_at: iso(createdAt),
  };
}

const componentsOf = ({ components }: StatusState): z.input<typeof ComponentOut>[] =>
  components.map(({ id, name, status, group, uptime }) => ({
    id,
    name,
    status,
    group,
    uptime_percent: uptime,
  }));

const getStatus = (services: McpServices): CreateTool =>
  defineTool({
    name: 'get_status',
    title: 'Status of the service',
    annotations: readOnly,
    description:
      'Returns the current status: the overall status, components that are not ' +
      'operational, open incidents and planned maintenance. Start here for questions ' +
      'about outages.',
    input: z.strictObject({}),
    output: z.object({
      indicator: z.enum(['none', 'minor', 'major', 'critical', 'maintenance']),
      description: z.string(),
      updated_at: z.string(),
      page: z.string(),
      components_total: z.int(),
      not_operational: z.array(ComponentOut),
      incidents: z.array(OpenIncident),
      maintenances: z.array(OpenIncident),
    }),
    run() {
      const state = services.status.state();
      const components = componentsOf(state);
      return {
        indicator: state.indicator,
        description: state.description,
        updated_at: iso(knownUntil(state)),
        page: pageUrl(services),
        components_total: components.length,
        not_operational: components.filter(({ status }) => status !== 'operational'),
        incidents: state.incidents.map(toOpenIncident),
        maintenances: state.maintenances.map(toOpenIncident),
      };
    },
  });

const listComponents = ({ status }: McpServices): CreateTool =>
  defineTool({
    name: 'list_components',
    title: 'List status components',
    annotations: readOnly,
    description:
      'Lists all components with their status and 90-day uptime. Incidents refer to ' +
      'components by this `id`.',
    input: z.strictObject({}),
    output: z.object({ components: z.array(ComponentOut) }),
    run: () => ({ components: componentsOf(status.state()) }),
  });

const listIncidents = ({ status: { incidents } }: McpServices): CreateTool =>
  defineTool({
    name: 'list_incidents',
    title: 'List incidents',
    annotations: readOnly,
    scope: 'admin',
    description:
      'Lists incidents with all their updates, newest first. `status: "open"` returns ' +
      'unresolved incidents only.',
    input: z.strictObject(IncidentListQuery.shape),
    output: z.object({
      incidents: z.array(IncidentOut),
      next_cursor: z.string().nullable().describe('For the next page; null on the last.'),
    }),
    async run(query, { requester: { signal } }) {
      const { data, next_cursor } = await incidents.list(query, signal);
      return { incidents: data.map(toIncidentView), next_cursor };
    },
  });

const publishes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

const createIncident = (services: McpServices): CreateTool =>
  defineTool({
    name: 'create_incident',
    title: 'Create an incident',
    scope: 'admin',
    annotations: publishes,
    description:
      'Publishes an incident on the public status page immediately and emails ' +
      'subscribers. Use component ids from list_components. Ask the user for approval ' +
      'first; each call creates another incident.',
    input: z.strictObject(CreateIncidentBody.shape),
    output: WrittenIncident,
    async run(body, caller) {
      const incident = await services.status.incidents.create(body, callerActor(caller));
      return { incident: toIncidentView(incident), page: pageUrl(services) };
    },
  });

const updateIncident = (services: McpServices): CreateTool =>
  defineTool({
    name: 'update_incident',
    title: 'Post an incident update',
    scope: 'admin',
    annotations: publishes,
    description:
      'Adds an update to an incident, sets its status and emails subscribers. `status: ' +
      '"resolved"` ends it.',
    nextSteps: {
      'status.incident_not_found': 'Call list_incidents for the existing ids.',
      'status.incident_over':
        'Open a new incident with create_incident, or update with status "postmortem".',
    },
    input: z.strictObject({
      id: z.uuid().describe('From list_incidents or create_incident.'),
      ...CreateIncidentUpdateBody.shape,
    }),
    output: WrittenIncident,
    async run({ id, ...update }, caller) {
      const { incidents } = services.status;
      const incident = await incidents.createUpdate(id, update, callerActor(caller));
      return { incident: toIncidentView(incident), page: pageUrl(services) };
    },
  });

/** The status for all callers; incidents for admins. */
export const statusTools = (services: McpServices): CreateTool[] => [
  getStatus(services),
  listComponents(services),
  listIncidents(services),
  createIncident(services),
  updateIncident(services),
];
