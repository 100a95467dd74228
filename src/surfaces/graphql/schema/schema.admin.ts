import { ApiKeyView } from '../../../areas/api-keys/schemas.ts';
import { AuditEventView } from '../../../areas/audit/schemas.ts';
import { CheckView, HealthView } from '../../../areas/health/schemas.ts';
import { connectionSdl } from './connections.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

const auditTypes = [
  enumType(AuditEventView.shape.outcome, {
    name: 'AuditOutcome',
    description: 'Outcome of an action.',
    values: {
      success: 'Succeeded.',
      failure: 'Failed.',
      denied: 'Denied.',
    },
  }),
  objectType(AuditEventView, {
    name: 'AuditEvent',
    description: 'An audit event.',
    fields: {
      id: { name: 'eventId', description: 'Id in the REST API.' },
      at: 'Time of the event.',
      action: 'Action.',
      outcome: 'Outcome.',
      actor: 'Actor.',
      target: 'Target: the id of the affected object.',
      request_id: 'Request id.',
    },
  }),
  objectType(AuditEventView.shape.actor, {
    name: 'AuditActor',
    description: 'Who performed an action.',
    fields: {
      kind: { type: 'String', description: '`user`, `api_key`, `system` or `anonymous`.' },
      id: { name: 'actorId', description: 'Id in the REST API; null if unknown.' },
    },
  }),
  objectType(AuditEventView.shape.target.unwrap(), {
    name: 'AuditTarget',
    description: 'Target of an action.',
    fields: {
      kind: 'Kind of target.',
      id: { name: 'targetId', description: 'Id in the REST API.' },
    },
  }),
];

const apiKeyTypes = [
  enumType(ApiKeyView.shape.scopes.element, {
    name: 'ApiKeyScope',
    description: 'Scope of an API key.',
    values: {
      'analytics:write': { name: 'ANALYTICS_WRITE', description: 'Send events.' },
      'analytics:read': { name: 'ANALYTICS_READ', description: 'Read analytics.' },
      admin: { name: 'ADMIN', description: 'Everything, including the other scopes.' },
    },
  }),
  objectType(ApiKeyView, {
    name: 'ApiKey',
    description: 'An API key, without its secret.',
    nodeId: 'id',
    fields: {
      id: { name: 'keyId', description: 'Id in the REST API.' },
      name: 'Name of the key.',
      scopes: 'Scopes of the key.',
      created_at: 'Creation time.',
      last_used_at: 'Time of its last use, accurate to a minute.',
      expires_at: 'Expiry time.',
      revoked_at: 'Revocation time.',
    },
  }),
];

const healthTypes = [
  enumType(CheckView.shape.status, {
    name: 'HealthStatus',
    description: 'Result of a check.',
    values: {
      pass: 'Healthy.',
      warn: 'Works, with a warning.',
      fail: 'Failed.',
    },
  }),
  objectType(HealthView, {
    name: 'Health',
    description: 'Health of the service (draft-inadarei-api-health-check-06).',
    fields: {
      status: { type: 'HealthStatus' },
      version: 'The version of the service.',
      releaseId: false,
      serviceId: false,
      description: false,
      notes: false,
      output: 'Checks that do not pass; null if all pass.',
      links: false,
      replica: false,
      checks: false,
    },
  }),
  objectType(CheckView, {
    name: 'HealthCheck',
    description: 'Last result of a check.',
    fields: {
      componentId: false,
      componentType: { type: 'String', description: '`component`, `datastore` or `system`.' },
      observedValue: { type: 'String', description: 'Measured value.' },
      observedUnit: 'Its unit.',
      status: 'Outcome.',
      affectedEndpoints: false,
      output: 'Why the check did not pass.',
      links: false,
    },
  }),
];

/** The types of the audit log, of API keys and of the health. */
export const adminTypes: readonly TypeDefinition[] = [
  ...auditTypes,
  ...apiKeyTypes,
  ...healthTypes,
];

const querySdl = `
extend type Query {
  """Audit events, newest first. For admins."""
  audit(
    """Maximum entries per page, 1 to 100."""
    first: Int = 50
    """The \`endCursor\` of the previous page."""
    after: String
    """One action, or a group such as \`session.*\`."""
    action: String
    """Actor: the id of a user or an API key in the REST API."""
    actorId: String
    """Target: its id in the REST API."""
    targetId: String
    """Outcome."""
    outcome: AuditOutcome
    """First instant, inclusive."""
    since: DateTime
    """Last instant, exclusive."""
    until: DateTime
  ): AuditConnection!
  """API keys, newest first, including revoked and expired keys. For admins."""
  apiKeys(
    """Maximum entries per page, 1 to 100."""
    first: Int = 20
    """The \`endCursor\` of the previous page."""
    after: String
  ): ApiKeyConnection!
  """Health of the service, as in \`/api/health\`."""
  health: Health!
}

extend type AuditEvent {
  """Global id. Not available through \`node\`; use \`audit\`."""
  id: ID!
}

extend type AuditActor {
  """The API key, if the actor was one and it still exists."""
  apiKey: ApiKey
}

extend type ApiKeyConnection {
  """Number of keys."""
  totalCount: Int!
}

extend type Health {
  """Why this replica is not ready."""
  notes: [String!]!
  """All checks. Null unless you are an admin."""
  checks: [HealthCheck!]
}

extend type HealthCheck {
  """Name of the check: component:measurement."""
  name: String!
}
`;

const mutationSdl = `
extend type Mutation {
  """Creates an API key. The secret is shown only once, in this response. For admins."""
  createApiKey(
    """Name, scopes and expiry of the key."""
    input: CreateApiKeyInput!
  ): CreateApiKeyPayload!
  """Revokes an API key, which stops working immediately. Repeating it has no effect. For admins."""
  revokeApiKey(
    """The \`id\` of the key."""
    id: ID!
  ): RevokeApiKeyPayload!
}

"""A new API key."""
input CreateApiKeyInput {
  """Name of the key: 1 to 100 characters."""
  name: String!
  """Scopes of the key."""
  scopes: [ApiKeyScope!]!
  """Expiry time. Default: never."""
  expiresAt: DateTime
}

"""Result of creating a key."""
type CreateApiKeyPayload {
  """The secret key. Shown only once; not stored."""
  key: String!
  """Details of the key."""
  apiKey: ApiKey!
}

"""Result of revoking a key."""
type RevokeApiKeyPayload {
  """The key after the change."""
  apiKey: ApiKey!
}
`;

export const adminSdl = [
  querySdl,
  mutationSdl,
  connectionSdl('Audit', 'AuditEvent', 'the audit log'),
  connectionSdl('ApiKey', 'ApiKey', 'API keys'),
].join('\n');
