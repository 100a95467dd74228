import { ApiKeyView } from '../../../areas/api-keys/schemas.ts';
import { AuditEventView } from '../../../areas/audit/schemas.ts';
import { CheckView, HealthView } from '../../../areas/health/schemas.ts';
import { connectionSdl } from './connections.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

const auditTypes = [
  enumType(AuditEventView.shape.outcome, {
    name: 'AuditOutcome',
    description: 'How something ended.',
    values: {
      success: 'It was done.',
      failure: 'It did not work.',
      denied: 'It was refused.',
    },
  }),
  objectType(AuditEventView, {
    name: 'AuditEvent',
    description: 'Somebody did something.',
    fields: {
      id: { name: 'eventId', description: 'The id in the REST API.' },
      at: 'When it was.',
      action: 'What was done.',
      outcome: 'How it ended.',
      actor: 'Who did it.',
      target: 'What it was done to.',
      request_id: 'The id of the request.',
    },
  }),
  objectType(AuditEventView.shape.actor, {
    name: 'AuditActor',
    description: 'Who did something.',
    fields: {
      kind: { type: 'String', description: '`user`, `api_key`, `system` or `anonymous`.' },
      id: { name: 'actorId', description: 'The id in the REST API, null when it is not known.' },
    },
  }),
  objectType(AuditEventView.shape.target.unwrap(), {
    name: 'AuditTarget',
    description: 'What something was done to.',
    fields: {
      kind: 'What kind of thing.',
      id: { name: 'targetId', description: 'Its id in the REST API.' },
    },
  }),
];

const apiKeyTypes = [
  enumType(ApiKeyView.shape.scopes.element, {
    name: 'ApiKeyScope',
    description: 'What an API key may do.',
    values: {
      'analytics:write': { name: 'ANALYTICS_WRITE', description: 'Send events.' },
      'analytics:read': { name: 'ANALYTICS_READ', description: 'Read figures.' },
      admin: { name: 'ADMIN', description: 'Everything, the others included.' },
    },
  }),
  objectType(ApiKeyView, {
    name: 'ApiKey',
    description: 'A key for a program: everything about it except the key itself.',
    nodeId: 'id',
    fields: {
      id: { name: 'keyId', description: 'The id in the REST API.' },
      name: 'What it is for.',
      scopes: 'What it may do.',
      created_at: 'When it was made.',
      last_used_at: 'When it was last used, exact to a minute.',
      expires_at: 'When it stops working.',
      revoked_at: 'When it was revoked.',
    },
  }),
];

const healthTypes = [
  enumType(CheckView.shape.status, {
    name: 'HealthStatus',
    description: 'How a check ended.',
    values: {
      pass: 'It is well.',
      warn: 'It works, and something is not as it should be.',
      fail: 'It does not work.',
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
      output: 'The checks that do not pass, null when all do.',
      links: false,
      replica: false,
      checks: false,
    },
  }),
  objectType(CheckView, {
    name: 'HealthCheck',
    description: 'What a check found last.',
    fields: {
      componentId: false,
      componentType: { type: 'String', description: '`component`, `datastore` or `system`.' },
      observedValue: { type: 'String', description: 'What was measured.' },
      observedUnit: 'Its unit.',
      status: 'How it ended.',
      affectedEndpoints: false,
      output: 'Why it did not pass.',
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

extend type AuditEvent {
  """Global id. \`node\` does not find it: ask \`audit\`."""
  id: ID!
}

extend type AuditActor {
  """The key, if it was one and is still known."""
  apiKey: ApiKey
}

extend type ApiKeyConnection {
  """How many keys there are."""
  totalCount: Int!
}

extend type Health {
  """Why no requests should be sent here."""
  notes: [String!]!
  """Every check. Null for whoever is no admin."""
  checks: [HealthCheck!]
}

extend type HealthCheck {
  """What is measured: component:measurement."""
  name: String!
}
`;

const mutationSdl = `
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
`;

export const adminSdl = [
  querySdl,
  mutationSdl,
  connectionSdl('Audit', 'AuditEvent', 'the audit log'),
  connectionSdl('ApiKey', 'ApiKey', 'API keys'),
].join('\n');
