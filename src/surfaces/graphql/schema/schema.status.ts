import { Component, Incident, Maintenance, StatusSummary } from '../../../areas/status/schemas.ts';
import { connectionSdl } from './connections.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

const enumerations = [
  enumType(StatusSummary.shape.status.shape.indicator, {
    name: 'StatusIndicator',
    description: 'The service as a whole.',
    values: {
      none: 'All is well.',
      minor: 'Something small is not.',
      major: 'Something big is not.',
      critical: 'Nearly nothing works.',
      maintenance: 'Planned work goes on.',
    },
  }),
  enumType(Incident.shape.impact, {
    name: 'StatusImpact',
    description: 'How bad an incident is.',
    values: {
      none: 'Not at all.',
      minor: 'A little.',
      major: 'Much.',
      critical: 'Very.',
      maintenance: 'It is planned work.',
    },
  }),
  enumType(Component.shape.status, {
    name: 'ComponentStatus',
    description: 'How a component is.',
    values: {
      operational: 'As it should be.',
      degraded_performance: 'Slow, or worse than usual.',
      partial_outage: 'Some of it does not work.',
      major_outage: 'It does not work.',
      under_maintenance: 'Planned work goes on.',
    },
  }),
  enumType(Incident.shape.status, {
    name: 'IncidentStatus',
    description: 'How far an incident is.',
    values: {
      investigating: 'It is being looked into.',
      identified: 'It is known why.',
      monitoring: 'It is mended and watched.',
      resolved: 'It is over.',
      postmortem: 'It is over and explained.',
    },
  }),
  enumType(Maintenance.shape.status, {
    name: 'MaintenanceStatus',
    description: 'How far maintenance is.',
    values: {
      scheduled: 'It is planned.',
      in_progress: 'It goes on.',
      verifying: 'It is done and looked at.',
      completed: 'It is over.',
    },
  }),
];

const component = objectType(Component, {
  name: 'Component',
  description: 'A part of the service.',
  nodeId: 'id',
  fields: {
    id: { name: 'componentId', description: 'The id in the REST API, and part of addresses.' },
    name: 'What it is called.',
    description: 'What it does.',
    status: 'How it is.',
    group: false,
    group_id: false,
    position: 'Smaller ones stand first.',
    only_show_if_degraded: 'Pages leave it out while it is operational.',
    created_at: 'When it was added.',
    updated_at: 'When it was last changed.',
    components: false,
  },
});

const update = objectType(Incident.shape.incident_updates.element, {
  name: 'StatusUpdate',
  description: 'What was said about an incident or maintenance.',
  fields: {
    id: { name: 'updateId', description: 'The id in the REST API.' },
    status: 'The status that it got by this.',
    body: 'Plain text; blank lines part paragraphs.',
    created_at: 'When it was said.',
    display_at: 'The time that is shown.',
  },
});

const incidentFields = {
  id: { name: 'incidentId', description: 'The id in the REST API and on the status page.' },
  name: 'What it is called.',
  impact: 'How bad it is.',
  created_at: 'When it was entered.',
  updated_at: 'When it was last changed.',
  resolved_at: 'When it was over.',
  incident_updates: { name: 'updates', description: 'What was said about it, newest first.' },
  components: 'The components that it concerns, as they are now.',
  status: 'How far it is.',
} as const;

const incident = objectType(Incident, {
  name: 'Incident',
  description: 'Something that went wrong.',
  nodeId: 'id',
  fields: incidentFields,
});

const maintenance = objectType(Maintenance, {
  name: 'Maintenance',
  description: 'Planned work.',
  nodeId: 'id',
  fields: {
    ...incidentFields,
    scheduled_for: 'When it begins, by itself.',
    scheduled_until: 'When it is completed, by itself.',
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
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
  """${types}"""
  type: String!`;

const pageArguments = `
    """Most entries on a page, 1 to 100."""
    first: Int = 20
    """The \`endCursor\` of the page before."""
    after: String
    """Only those with this status."""`;

const uptimeDescription =
  'Per cent of the last 90 days that it was up, null without data. ' +
  'Null too in what a subscription tells.';

const querySdl = `
extend type Query {
  """How the service is, as \`/api/status\` tells it."""
  status: Status!
  """The components of the status page in their order, without headings."""
  components: [Component!]!
  """Incidents that are open, and those of the last 90 days, newest first."""
  incidents(${pageArguments}
    status: IncidentStatus
  ): IncidentConnection!
  """Maintenance that is planned or under way, and that of the last 90 days."""
  maintenances(${pageArguments}
    status: MaintenanceStatus
  ): MaintenanceConnection!
}

"""How the service is."""
type Status {
  """The worst of it."""
  indicator: StatusIndicator!
  """The same in words."""
  description: String!
  """When it was last changed."""
  updatedAt: DateTime!
  """Address of the status page."""
  url: String!
  """The components in their order, without headings."""
  components: [Component!]!
  """Incidents that are open, newest first."""
  incidents: [Incident!]!
  """Maintenance that is planned or under way, the next one first."""
  maintenances: [Maintenance!]!
}

extend type Component {
  """${uptimeDescription}"""
  uptime: Float
}
`;

const mutationSdl = `
extend type Mutation {
  """Opens an incident: it is on the status page at once, and subscribers are told. For admins."""
  createIncident(
    """What it is about."""
    input: CreateIncidentInput!
  ): IncidentPayload!
  """Says how an incident goes on; subscribers are told. For admins."""
  updateIncident(
    """What is said."""
    input: UpdateIncidentInput!
  ): IncidentPayload!
  """Says that an incident is over; subscribers are told. For admins."""
  resolveIncident(
    """The \`id\` of the incident."""
    id: ID!
    """What is said: plain text, blank lines part paragraphs."""
    body: String!
  ): IncidentPayload!
}

"""A component that an incident concerns."""
input AffectedComponentInput {
  """The \`componentId\`."""
  componentId: String!
  """How it is until the incident is resolved."""
  status: ComponentStatus!
}

"""A new incident."""
input CreateIncidentInput {
  """What it is called: one line."""
  name: String!
  """What is said: plain text, blank lines part paragraphs."""
  body: String!
  """How far it is. \`resolved\` and \`postmortem\` can't be the beginning."""
  status: IncidentStatus = investigating
  """How bad it is. Left out: as bad as the worst of \`components\`."""
  impact: StatusImpact
  """The components that it concerns."""
  components: [AffectedComponentInput!]
}

"""News of an incident."""
input UpdateIncidentInput {
  """The \`id\` of the incident."""
  id: ID!
  """The status that it gets."""
  status: IncidentStatus!
  """What is said: plain text, blank lines part paragraphs."""
  body: String!
  """The components that it concerns, in place of those before. Left out: as they are."""
  components: [AffectedComponentInput!]
}

"""What came of a change of an incident."""
type IncidentPayload {
  """The incident as it is now."""
  incident: Incident!
}
`;

const subscriptionSdl = `
extend type Subscription {
  """What changes on the status page."""
  statusChanged: StatusEvent!
  """Incidents that begin, have news, are over, or are taken away."""
  incidentChanged: IncidentChanged!
}

"""Something that has changed on the status page."""
interface StatusEvent {${eventFields(
  'What has happened: `component.updated`, `incident.created`, …',
)}
}

"""A component is in another state, or was changed."""
type ComponentChanged implements StatusEvent {${eventFields('`component.updated`.')}
  """The component as it is now."""
  component: Component!
}

"""An incident began, has news, is over, or was taken away."""
type IncidentChanged implements StatusEvent {${eventFields(
  '`incident.created`, `.updated`, `.resolved` or `.deleted`.',
)}
  """The incident as it is now, or was before it was taken away."""
  incident: Incident!
}

"""Maintenance was planned, began, has news, is over, or was taken away."""
type MaintenanceChanged implements StatusEvent {${eventFields(
  '`maintenance.scheduled`, `.started`, `.updated`, `.completed` or `.deleted`.',
)}
  """The maintenance as it is now, or was before it was taken away."""
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
