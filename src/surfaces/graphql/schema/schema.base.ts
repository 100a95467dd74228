const hasPreviousPage =
  'There is more before this page, as far as it is known: ' +
  'a page that was asked for with `after` has something before it.';

/** Relay's `PageInfo`, and the root types, which the other files extend. */
export const baseSdl = `
schema {
  query: Query
  mutation: Mutation
  subscription: Subscription
}

"""Where a page of a connection stands in the whole."""
type PageInfo {
  """There is more after this page."""
  hasNextPage: Boolean!
  """${hasPreviousPage}"""
  hasPreviousPage: Boolean!
  """Cursor of the first entry, null on an empty page."""
  startCursor: String
  """Cursor of the last entry: give it as \`after\` to get the next page."""
  endCursor: String
}

"""What can be asked."""
type Query {
  """Says hello: for trying things out, and for measuring."""
  hello: String!
  """The version of the service."""
  version: String!
  """Whatever has this id, null when there is nothing. What needs a permission needs it here too."""
  node(
    """The \`id\` of something."""
    id: ID!
  ): Node
}

"""What can be changed. Everything is in the audit log as when it is done by the REST API."""
type Mutation {
  """Ends one of your sessions: its tokens or its cookie stop working at once."""
  endSession(
    """The \`id\` of the session."""
    id: ID!
  ): EndSessionsPayload!
  """Ends all your sessions. Without \`keepCurrent\` this one too, and your devices are removed."""
  endSessions(
    """Leave the session of this request open."""
    keepCurrent: Boolean = false
  ): EndSessionsPayload!
}

"""What can be listened to, by graphql-transport-ws on this path."""
type Subscription {
  """What concerns you: your sessions and devices."""
  viewerChanged: ViewerEvent!
}
`;
