import { Component, Incident, Maintenance, StatusSummary } from '../../../areas/status/schemas.ts';
import { connectionSdl } from './connections.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

const enumerations = [
  enumType(StatusSummary.shape.status.shape.indicator, {
    name: 'StatusIndicator',
    description: 'Overall status of the service.',
    values: {
      none: 'All components are operational.',
      minor: 'Minor problems.',
      major: 'Major problems.',
      critical: 'Most of the service is down.',
      maintenance: 'Maintenance in progress.',
    },
  }),
  enumType(Incident.shape.impact, {
    name: 'StatusImpact',
    description: 'Impact of an incident.',
    values: {
      none: 'No impact.',
      minor: 'Minor impact.',
      major: 'Major impact.',
      critical: 'Critical impact.',
      maintenance: 'Planned maintenance.',
    },
  }),
  enumType(Component.shape.status, {
    name: 'ComponentStatus',
    description: 'Status of a component.',
    values: {
      operational: 'Works normally.',
      degraded_performance: 'Slow or limited.',
      partial_outage: 'Partly unavailable.',
      major_outage: 'Does not work.',
      under_maintenance: 'Maintenance in progress.',
    },
  }),
  enumType(Incident.shape.status, {
    name: 'IncidentStatus',
    description: 'Status of an incident.',
    values: {
      investigating: 'The cause is being investigated.',
      identified: 'The cause is known.',
      monitoring: 'A fix is in place and being monitored.',
      resolved: 'Resolved.',
      postmortem: 'Resolved, with an explanation.',
    },
  }),
  enumType(Maintenance.shape.status, {
    name: 'MaintenanceStatus',
    description: 'Status of a maintenance window.',
    values: {
      scheduled: 'Scheduled.',
      in_progress: 'In progress.',
      verifying: 'Done and being verified.',
      completed: 'Completed.',
    },
  }),
];

const component = objectType(Component, {
  name: 'Component',
  description: 'A component of the service.',
  nodeId: 'id',
  fields: {
    id: { name: 'componentId', description: 'Id in the REST API, used in URLs.' },
    name: 'Name.',
    description: 'Description.',
    status: 'Status.',
    group: false,
    group_id: false,
    position: 'Sort order, ascending.',
    only_show_if_degraded: 'Hidden on pages while it is operational.',
    created_at: 'Creation time.',
    updated_at: 'Time of the last change.',
    components: false,
  },
});

const update = objectType(Incident.shape.incident_updates.element, {
  name: 'StatusUpdate',
  description: 'An update to an incident or maintenance window.',
  fields: {
    id: { name: 'updateId', description: 'Id in the REST API.' },
    status: 'Status set by the update.',
    body: 'Plain text; blank lines separate paragraphs.',
    created_at: 'Creation time.',
    display_at: 'Displayed time.',
  },
});

const incidentFields = {
  id: { name: 'incidentId', description: 'Id in the REST API and on the status page.' },
  name: 'Name.',
  impact: 'Impact.',
  created_at: 'Creation time.',
  updated_at: 'Time of the last change.',
  resolved_at: 'Time of resolution or completion.',
  incident_updates: { name: 'updates', description: 'Updates, newest first.' },
  components: 'Affected components with their current status.',
  status: 'Status.',
} as const;

const incident = objectType(Incident, {
  name: 'Incident',
  description: 'An incident.',
  nodeId: 'id',
  fields: incidentFields,
});

const maintenance = objectType(Maintenance, {
  name: 'Maintenance',
  description: 'A maintenance window.',
  nodeId: 'id',
  fields: {
    ...incidentFields,
    scheduled_for: 'Start time. The maintenance starts automatically.',
    scheduled_until: 'Scheduled end. The maintenance is completed automatically at this time.',
  },
});

/** The types of the status, of incidents and of components. */
export const statusTypes: readonly TypeDefinition[] = [
  ...enumerations,
  component,
  update,
  incident,
  maintenance,
];

const eventFields = (types: string) => `
  """Event id (UUID), the same for all subscribers."""
  eventId: String!
  """Time of the event."""
  time: DateTime!
  """${types}"""
  type: String!`;

const pageArguments = `
    """Maximum entries per page, 1 to 100."""
    first: Int = 20
    """The \`endCursor\` of the previous page."""
    after: String
    """Only entries with this status."""`;

const uptimeDescription =
  'Uptime over 90 days, in percent; null without data and in subscriptions.';

const querySdl = `
extend type Query {
  """Status of the service, as in \`/api/status\`."""
  status: Status!
  """Components on the status page in display order, without group headings."""
  components: [Component!]!
  """Open incidents and those of the last 90 days, newest first."""
  incidents(${pageArguments}
    status: IncidentStatus
  ): IncidentConnection!
  """Planned and running maintenance, and that of the last 90 days."""
  maintenances(${pageArguments}
    status: MaintenanceStatus
  ): MaintenanceConnection!
}

"""Status of the service."""
type Status {
  """Overall status."""
  indicator: StatusIndicator!
  """Overall status as text."""
  description: String!
  """Time of the last change."""
  updatedAt: DateTime!
  """URL of the status page."""
  url: String!
  """Components in display order, without group headings."""
  components: [Component!]!
  """Open incidents, newest first."""
  incidents: [Incident!]!
  """Scheduled and in-progress maintenance, soonest first."""
  maintenances: [Maintenance!]!
}

extend type Component {
  """${uptimeDescription}"""
  uptime: Float
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

"""Result of changing an incident."""
type IncidentPayload {
  """The incident after the change."""
  incident: Incident!
}
`;

const subscriptionSdl = `
extend type Subscription {
  """Changes on the status page."""
  statusChanged: StatusEvent!
  """Created, updated, resolved and deleted incidents."""
  incidentChanged: IncidentChanged!
}

"""A change on the status page."""
interface StatusEvent {${eventFields(
  'What has happened: `component.updated`, `incident.created`, …',
)}
}

"""A component changed."""
type ComponentChanged implements StatusEvent {${eventFields('`component.updated`.')}
  """The component after the change."""
  component: Component!
}

"""An incident was created, updated, resolved or deleted."""
type IncidentChanged implements StatusEvent {${eventFields(
  '`incident.created`, `.updated`, `.resolved` or `.deleted`.',
)}
  """The incident after the change, or before its deletion."""
  incident: Incident!
}

"""Maintenance was scheduled, started, updated, completed or deleted."""
type MaintenanceChanged implements StatusEvent {${eventFields(
  '`maintenance.scheduled`, `.started`, `.updated`, `.completed` or `.deleted`.',
)}
  """The maintenance after the change, or before its deletion."""
  maintenance: Maintenance!
}
`;

export const statusSdl = [
  querySdl,
  mutationSdl,
  subscriptionSdl,
  connectionSdl('Incident', 'Incident', 'incidents'),
  connectionSdl('Maintenance', 'Maintenance', 'maintenance'),
].join('\n');
