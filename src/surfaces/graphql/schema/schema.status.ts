import { z } from 'zod';
import { Component, Incident, Maintenance, StatusSummary } from '../../../areas/status/schemas.ts';
import { eventInterface } from './base-types.ts';
import { connectionSdl } from './connections.ts';
import { pageArguments } from './sdl.ts';
import { enumType, objectType, type TypeDefinition } from './type-definitions.ts';

export const statusEventInterface = eventInterface('StatusEvent', {
  description: 'A change on the status page.',
  hasType: true,
});

const { page, status, incidents, scheduled_maintenances } = StatusSummary.shape;

const Status = z.object({
  ...status.shape,
  updated_at: page.shape.updated_at,
  url: page.shape.url,
  components: z.array(Component).describe('In display order, without group headings.'),
  incidents,
  maintenances: scheduled_maintenances,
});

const changed = (name: string, description: string, data: z.ZodObject): TypeDefinition =>
  objectType(data, { name, description, interfaces: ['StatusEvent'] });

/** The types of the status, of incidents and of components. */
export const statusTypes: readonly TypeDefinition[] = [
  enumType(status.shape.indicator, { name: 'StatusIndicator' }),
  enumType(Incident.shape.impact, { name: 'StatusImpact' }),
  enumType(Component.shape.status, { name: 'ComponentStatus' }),
  enumType(Incident.shape.status, { name: 'IncidentStatus' }),
  enumType(Maintenance.shape.status, { name: 'MaintenanceStatus' }),
  objectType(Status, { name: 'Status', description: 'Status of the service.' }),
  objectType(Component, {
    name: 'Component',
    description: 'A component of the service.',
    nodeId: 'id',
    fields: { group: false, group_id: false, components: false },
  }),
  objectType(Incident.shape.incident_updates.element, {
    name: 'StatusUpdate',
    description: 'An update to an incident or maintenance window.',
    fields: { id: 'updateId' },
  }),
  objectType(Incident, {
    name: 'Incident',
    description: 'An incident.',
    nodeId: 'id',
    fields: { incident_updates: 'updates' },
  }),
  objectType(Maintenance, {
    name: 'Maintenance',
    description: 'A maintenance window.',
    nodeId: 'id',
    fields: { id: 'incidentId', incident_updates: 'updates' },
  }),
  objectType(z.object({ incident: Incident }), {
    name: 'IncidentPayload',
    description: 'The incident after the change.',
  }),
  changed('ComponentChanged', 'A component changed.', z.object({ component: Component })),
  changed(
    'IncidentChanged',
    'An incident was created, updated, resolved or deleted. Contains its last state.',
    z.object({ incident: Incident }),
  ),
  changed(
    'MaintenanceChanged',
    'Maintenance was scheduled, started, updated, completed or deleted. Contains its last state.',
    z.object({ maintenance: Maintenance }),
  ),
];

const querySdl = `
extend type Query {
  """Status of the service, as in \`/api/status\`."""
  status: Status!
  """Components on the status page in display order, without group headings."""
  components: [Component!]!
  """Open incidents and those of the last 90 days, newest first."""
  incidents(${pageArguments(20)}
    """Only incidents with this status."""
    status: IncidentStatus
  ): IncidentConnection!
  """Planned and running maintenance, and that of the last 90 days."""
  maintenances(${pageArguments(20)}
    """Only maintenance with this status."""
    status: MaintenanceStatus
  ): MaintenanceConnection!
}

extend type Component {
  """Uptime over 90 days, in percent; null without data and in subscriptions."""
  uptime: Float
}

extend type Subscription {
  """Changes on the status page."""
  statusChanged: StatusEvent!
  """Created, updated, resolved and deleted incidents."""
  incidentChanged: IncidentChanged!
}
`;

const mutationSdl = `
extend type Mutation {
  """Creates an incident on the status page and notifies subscribers. For admins."""
  createIncident(
    """The new incident."""
    input: CreateIncidentInput!
  ): IncidentPayload!
  """Posts an incident update and notifies subscribers. For admins."""
  updateIncident(
    """The update."""
    input: UpdateIncidentInput!
  ): IncidentPayload!
  """Resolves an incident and notifies subscribers. For admins."""
  resolveIncident(
    """The \`id\` of the incident."""
    id: ID!
    """Text of the update. Plain text; blank lines separate paragraphs."""
    body: String!
  ): IncidentPayload!
}

"""A component affected by an incident."""
input AffectedComponentInput {
  """The \`componentId\`."""
  componentId: String!
  """Status of the component until the incident is resolved."""
  status: ComponentStatus!
}

"""A new incident."""
input CreateIncidentInput {
  """Name: one line."""
  name: String!
  """Text of the update. Plain text; blank lines separate paragraphs."""
  body: String!
  """Status. Cannot be \`resolved\` or \`postmortem\`."""
  status: IncidentStatus = investigating
  """Impact. Default: matches the worst status in \`components\`."""
  impact: StatusImpact
  """Affected components."""
  components: [AffectedComponentInput!]
}

"""An incident update."""
input UpdateIncidentInput {
  """The \`id\` of the incident."""
  id: ID!
  """New status."""
  status: IncidentStatus!
  """Text of the update. Plain text; blank lines separate paragraphs."""
  body: String!
  """Replaces the affected components. Default: unchanged."""
  components: [AffectedComponentInput!]
}
`;

export const statusSdl = [
  querySdl,
  mutationSdl,
  connectionSdl('Incident', 'Incident', 'incidents'),
  connectionSdl('Maintenance', 'Maintenance', 'maintenance'),
].join('\n');
