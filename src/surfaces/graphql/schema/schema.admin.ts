/** What admins see and do: the audit log, API keys; and the service's health. */
export const adminSchema = `
extend type Query {
  """Who did what, newest first. For admins."""
  audit(
    """Most entries on a page, 1 to 100."""
    first: Int = 50
    """The \`endCursor\` of the page before."""
    after: String
    """One action, or a group of them such as \`session.*\`."""
    action: String
    """Who did it: the id of a user or an API key in the REST API."""
    actorId: String
    """What it was done to: an id in the REST API."""
    targetId: String
    """How it ended."""
    outcome: AuditOutcome
    """First instant."""
    since: DateTime
    """Instant before which it ends."""
    until: DateTime
  ): AuditConnection!
  """API keys, newest first, revoked and expired ones included. For admins."""
  apiKeys(
    """Most entries on a page, 1 to 100."""
    first: Int = 20
    """The \`endCursor\` of the page before."""
    after: String
  ): ApiKeyConnection!
  """Health of the whole service, as \`/api/health\` tells it."""
  health: Health!
}

extend type Mutation {
  """Makes an API key. The answer shows it, this once. For admins."""
  createApiKey(
    """What the key is for, and may do."""
    input: CreateApiKeyInput!
  ): CreateApiKeyPayload!
  """Revokes an API key: it stops working at once. Revoking it again changes nothing. For admins."""
  revokeApiKey(
    """The \`id\` of the key."""
    id: ID!
  ): RevokeApiKeyPayload!
}

"""How something ended."""
enum AuditOutcome {
  """It was done."""
  success
  """It did not work."""
  failure
  """It was refused."""
  denied
}

"""A page of the audit log."""
type AuditConnection {
  """The entries with their cursors."""
  edges: [AuditEdge!]!
  """The entries alone."""
  nodes: [AuditEvent!]!
  """Where the page stands."""
  pageInfo: PageInfo!
}

"""An entry of the audit log."""
type AuditEdge {
  """Where it stands in the whole: for \`after\`."""
  cursor: String!
  """The entry."""
  node: AuditEvent!
}

"""Somebody did something."""
type AuditEvent {
  """Global id. \`node\` does not find it: ask \`audit\`."""
  id: ID!
  """The id in the REST API."""
  eventId: String!
  """When it was."""
  at: DateTime!
  """What was done."""
  action: String!
  """How it ended."""
  outcome: AuditOutcome!
  """Why it failed or was denied: a code such as \`otp.invalid\`."""
  reason: String
  """Who did it."""
  actor: AuditActor!
  """What it was done to."""
  target: AuditTarget
  """Where it came from. After 30 days only the network."""
  address: String
  """The id of the request."""
  requestId: String
  """What else belongs to the action."""
  details: JSON!
}

"""Who did something."""
type AuditActor {
  """\`user\`, \`api_key\`, \`system\` or \`anonymous\`."""
  kind: String!
  """The id in the REST API, null when it is not known."""
  actorId: String
  """The key, if it was one and is still known."""
  apiKey: ApiKey
}

"""What something was done to."""
type AuditTarget {
  """What kind of thing."""
  kind: String!
  """Its id in the REST API."""
  targetId: String!
}

"""What an API key may do."""
enum ApiKeyScope {
  """Send events."""
  ANALYTICS_WRITE
  """Read figures."""
  ANALYTICS_READ
  """Everything, the others included."""
  ADMIN
}

"""A page of API keys."""
type ApiKeyConnection {
  """The entries with their cursors."""
  edges: [ApiKeyEdge!]!
  """The entries alone."""
  nodes: [ApiKey!]!
  """Where the page stands."""
  pageInfo: PageInfo!
  """How many keys there are."""
  totalCount: Int!
}

"""An entry of the API keys."""
type ApiKeyEdge {
  """Where it stands in the whole: for \`after\`."""
  cursor: String!
  """The entry."""
  node: ApiKey!
}

"""A key for a program: everything about it except the key itself."""
type ApiKey implements Node {
  """Global id."""
  id: ID!
  """The id in the REST API."""
  keyId: String!
  """What it is for."""
  name: String!
  """How it begins, to recognise it by."""
  hint: String!
  """What it may do."""
  scopes: [ApiKeyScope!]!
  """When it was made."""
  createdAt: DateTime!
  """When it was last used, exact to a minute."""
  lastUsedAt: DateTime
  """When it stops working."""
  expiresAt: DateTime
  """When it was revoked."""
  revokedAt: DateTime
}

"""A new API key."""
input CreateApiKeyInput {
  """What it is for: 1 to 100 characters."""
  name: String!
  """What it may do."""
  scopes: [ApiKeyScope!]!
  """When it stops working. Left out: never."""
  expiresAt: DateTime
}

"""What came of making a key."""
type CreateApiKeyPayload {
  """The key itself. It is shown this once and kept nowhere."""
  key: String!
  """Everything else about it."""
  apiKey: ApiKey!
}

"""What came of revoking a key."""
type RevokeApiKeyPayload {
  """The key as it is now."""
  apiKey: ApiKey!
}

"""How a check ended."""
enum HealthStatus {
  """It is well."""
  pass
  """It works, and something is not as it should be."""
  warn
  """It does not work."""
  fail
}

"""Health of the service (draft-inadarei-api-health-check-06)."""
type Health {
  """The worst of all checks; \`warn\` also while the service starts or stops."""
  status: HealthStatus!
  """The version of the service."""
  version: String!
  """Why no requests should be sent here."""
  notes: [String!]!
  """The checks that do not pass, null when all do."""
  output: String
  """Every check. Null for whoever is no admin."""
  checks: [HealthCheck!]
}

"""What a check found last."""
type HealthCheck {
  """What is measured: component:measurement."""
  name: String!
  """How it ended."""
  status: HealthStatus!
  """\`component\`, \`datastore\` or \`system\`."""
  componentType: String!
  """What was measured."""
  observedValue: String
  """Its unit."""
  observedUnit: String
  """When it was looked at."""
  time: DateTime!
  """Why it did not pass."""
  output: String
}
`;
