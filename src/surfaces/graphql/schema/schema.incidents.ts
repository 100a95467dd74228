/** What admins say about incidents. */
export const incidentSchema = `
extend type Mutation {
  """Opens an incident: it is on the status page at once, and subscribers are told. For admins."""
  openIncident(
    """What it is about."""
    input: OpenIncidentInput!
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
input OpenIncidentInput {
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
