const incidentFields = `
  """Global id."""
  id: ID!
  """The id in the REST API and on the status page."""
  incidentId: String!
  """What it is called."""
  name: String!
  """How bad it is."""
  impact: StatusImpact!
  """When it was entered."""
  createdAt: DateTime!
  """When it was last changed."""
  updatedAt: DateTime!
  """When it was over."""
  resolvedAt: DateTime
  """What was said about it, newest first."""
  updates: [StatusUpdate!]!
  """The components that it concerns, as they are now."""
  components: [Component!]!`;

const connection = (of: string, description: string) => `
"""A page of ${description}."""
type ${of}Connection {
  """The entries with their cursors."""
  edges: [${of}Edge!]!
  """The entries alone."""
  nodes: [${of}!]!
  """Where the page stands."""
  pageInfo: PageInfo!
}

"""An entry of ${description}."""
type ${of}Edge {
  """Where it stands in the whole: for \`after\`."""
  cursor: String!
  """The entry."""
  node: ${of}!
}
`;

/** How the service is, for everybody, and what admins say about it. */
export const statusSchema = `
extend type Query {
  """How the service is, as \`/api/status\` tells it."""
  status: Status!
  """The components of the status page in their order, without headings."""
  components: [Component!]!
  """Incidents that are open, and those of the last 90 days, newest first."""
  incidents(
    """Most entries on a page, 1 to 100."""
    first: Int = 20
    """The \`endCursor\` of the page before."""
    after: String
    """Only those with this status."""
    status: IncidentStatus
  ): IncidentConnection!
  """Maintenance that is planned or under way, and that of the last 90 days."""
  maintenances(
    """Most entries on a page, 1 to 100."""
    first: Int = 20
    """The \`endCursor\` of the page before."""
    after: String
    """Only those with this status."""
    status: MaintenanceStatus
  ): MaintenanceConnection!
}

extend type Subscription {
  """What changes on the status page."""
  statusChanged: StatusEvent!
  """Incidents that begin, have news, are over, or are taken away."""
  incidentChanged: IncidentChanged!
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

"""A part of the service."""
type Component implements Node {
  """Global id."""
  id: ID!
  """The id in the REST API, and part of addresses."""
  componentId: String!
  """What it is called."""
  name: String!
  """What it does."""
  description: String
  """How it is."""
  status: ComponentStatus!
  """Smaller ones stand first."""
  position: Int!
  """Pages leave it out while it is operational."""
  onlyShowIfDegraded: Boolean!
  """When it was added."""
  createdAt: DateTime!
  """When it was last changed."""
  updatedAt: DateTime!
  """Per cent of the last 90 days that it was up, null without data. Null too in what a subscription tells."""
  uptime: Float
}

"""What was said about an incident or maintenance."""
type StatusUpdate {
  """The id in the REST API."""
  updateId: String!
  """The status that it got by this."""
  status: String!
  """Plain text; blank lines part paragraphs."""
  body: String!
  """When it was said."""
  createdAt: DateTime!
  """The time that is shown."""
  displayAt: DateTime!
}

"""Something that went wrong."""
type Incident implements Node {${incidentFields}
  """How far it is."""
  status: IncidentStatus!
}

"""Planned work."""
type Maintenance implements Node {${incidentFields}
  """How far it is."""
  status: MaintenanceStatus!
  """When it begins, by itself."""
  scheduledFor: DateTime!
  """When it is completed, by itself."""
  scheduledUntil: DateTime!
}
${connection('Incident', 'incidents')}${connection('Maintenance', 'maintenance')}
"""Something that has changed on the status page."""
interface StatusEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
  """What has happened: \`component.updated\`, \`incident.created\`, …"""
  type: String!
}

"""A component is in another state, or was changed."""
type ComponentChanged implements StatusEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
  """\`component.updated\`."""
  type: String!
  """The component as it is now."""
  component: Component!
}

"""An incident began, has news, is over, or was taken away."""
type IncidentChanged implements StatusEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
  """\`incident.created\`, \`.updated\`, \`.resolved\` or \`.deleted\`."""
  type: String!
  """The incident as it is now, or was before it was taken away."""
  incident: Incident!
}

"""Maintenance was planned, began, has news, is over, or was taken away."""
type MaintenanceChanged implements StatusEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
  """\`maintenance.scheduled\`, \`.started\`, \`.updated\`, \`.completed\` or \`.deleted\`."""
  type: String!
  """The maintenance as it is now, or was before it was taken away."""
  maintenance: Maintenance!
}
`;
