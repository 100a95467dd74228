import { z } from 'zod';
import {
  ApiKeyView,
  CreateApiKeyBody,
  CreatedApiKeyView,
} from '../../../areas/api-keys/schemas.ts';
import { AuditEventView, AuditListQuery } from '../../../areas/audit/schemas.ts';
import { CheckView, HealthView } from '../../../areas/health/schemas.ts';
import { connectionSdl } from './connections.ts';
import { membersSdl, pageArguments } from './sdl.ts';
import { enumType, objectType, type TypeDefinition, type TypeNames } from './type-definitions.ts';

const auditTypes = [
  enumType(AuditEventView.shape.outcome, { name: 'AuditOutcome' }),
  objectType(AuditEventView, { name: 'AuditEvent', fields: { id: 'eventId' } }),
  objectType(AuditEventView.shape.actor, {
    name: 'AuditActor',
    description: 'Who performed an action.',
    fields: {
      kind: { type: 'String', description: '`user`, `api_key`, `system` or `anonymous`.' },
      id: 'actorId',
    },
  }),
  objectType(AuditEventView.shape.target.unwrap(), {
    name: 'AuditTarget',
    description: 'The object of an action.',
    fields: { id: 'targetId' },
  }),
];

const apiKeyTypes = [
  enumType(ApiKeyView.shape.scopes.element, {
    name: 'ApiKeyScope',
    description: 'What an API key may do. `ADMIN` includes all other scopes.',
    names: {
      'analytics:write': 'ANALYTICS_WRITE',
      'analytics:read': 'ANALYTICS_READ',
      admin: 'ADMIN',
    },
  }),
  objectType(ApiKeyView, { name: 'ApiKey', nodeId: 'id', fields: { id: 'keyId' } }),
  objectType(z.object({ key: CreatedApiKeyView.shape.key, apiKey: ApiKeyView }), {
    name: 'CreateApiKeyPayload',
    description: 'The new API key, with its secret.',
  }),
  objectType(z.object({ apiKey: ApiKeyView }), {
    name: 'RevokeApiKeyPayload',
    description: 'The API key after the change.',
  }),
];

const healthTypes = [
  enumType(CheckView.shape.status, { name: 'HealthStatus' }),
  objectType(HealthView, {
    name: 'Health',
    description: 'Health of the service (draft-inadarei-api-health-check-06).',
    fields: {
      status: { type: 'HealthStatus' },
      releaseId: false,
      serviceId: false,
      description: false,
      notes: false,
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
      observedValue: { type: 'String' },
      affectedEndpoints: false,
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

const querySdl = (names: TypeNames): string => `
extend type Query {
  """Audit events, newest first. For admins."""
  audit(${pageArguments(50)}
  ${membersSdl(AuditListQuery.omit({ limit: true, cursor: true }), { names })}
  ): AuditConnection!
  """API keys, newest first, including revoked and expired keys. For admins."""
  apiKeys(${pageArguments(20)}
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

const mutationSdl = (names: TypeNames): string => `
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
${membersSdl(CreateApiKeyBody, { names })}
}
`;

export const adminSdl = (names: TypeNames): string =>
  [
    querySdl(names),
    mutationSdl(names),
    connectionSdl('Audit', 'AuditEvent', 'the audit log'),
    connectionSdl('ApiKey', 'ApiKey', 'API keys'),
  ].join('\n');
