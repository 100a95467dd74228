/** Relay's `PageInfo`, and the root types, which the other files extend. */
export const baseSdl = `
schema {
  query: Query
  mutation: Mutation
  subscription: Subscription
}

"""Paging information of a connection."""
type PageInfo {
  """Whether another page follows."""
  hasNextPage: Boolean!
  """Whether the page was requested with \`after\`, and so follows another one."""
  hasPreviousPage: Boolean!
  """Cursor of the first entry; null on an empty page."""
  startCursor: String
  """Cursor of the last entry. Pass it as \`after\` to get the next page."""
  endCursor: String
}

"""Queries."""
type Query {
  """Returns a greeting, for tests and measurements."""
  hello: String!
  """The version of the service."""
  version: String!
  """The object with this id, or null. Requires the same permissions as other access to it."""
  node(
    """Global id of the object."""
    id: ID!
  ): Node
}

"""Mutations. They are recorded in the audit log like changes through the REST API."""
type Mutation {
  """Ends one of your sessions. Its tokens or cookie stop working immediately."""
  endSession(
    """The \`id\` of the session."""
    id: ID!
  ): EndSessionsPayload!
  """Ends all your sessions and removes your devices. \`keepCurrent\` keeps the current ones."""
  endSessions(
    """Keep the current session."""
    keepCurrent: Boolean = false
  ): EndSessionsPayload!
}

"""Subscriptions, over graphql-transport-ws on this path."""
type Subscription {
  """Changes of your sessions and devices."""
  viewerChanged: ViewerEvent!
}
`;
