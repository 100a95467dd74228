import { operationsOf } from '../../platform/operations/operation.ts';
import {
  ApiKeyListQuery,
  ApiKeyPage,
  ApiKeyParams,
  ApiKeyView,
  CreateApiKeyBody,
  CreatedApiKeyView,
} from './schemas.ts';
import type { ApiKeys } from './service.ts';

const operation = operationsOf<{ apiKeys: ApiKeys }>({ scope: 'admin', tag: 'api-keys' });

/** API keys, for admins. */
export const apiKeyOperations = [
  operation({
    id: 'apiKeys.list',
    path: 'GET /api/v1/api-keys',
    summary: 'List API keys',
    description: 'Newest first, including revoked and expired keys. Secrets are never shown again.',
    query: ApiKeyListQuery,
    output: ApiKeyPage,
    run: ({ apiKeys }, query, { signal }) => apiKeys.list(query, signal),
  }),
  operation({
    id: 'apiKeys.get',
    path: 'GET /api/v1/api-keys/:id',
    summary: 'Get an API key',
    description: 'All details of the key except its secret.',
    params: ApiKeyParams,
    output: ApiKeyView,
    errors: ['api_keys.not_found'],
    run: ({ apiKeys }, { id }) => apiKeys.get(id),
  }),
  operation({
    id: 'apiKeys.create',
    path: 'POST /api/v1/api-keys',
    summary: 'Create an API key',
    description:
      'The secret is shown only once, in this response. It is stored as a hash. Users must ' +
      'have signed in within the last five minutes.',
    body: CreateApiKeyBody,
    output: CreatedApiKeyView,
    errors: ['api_keys.expiry_past', 'auth.step_up_required'],
    run: ({ apiKeys }, body, { by }) => apiKeys.create(body, by),
  }),
  operation({
    id: 'apiKeys.revoke',
    path: 'DELETE /api/v1/api-keys/:id',
    summary: 'Revoke an API key',
    description:
      'The key stops working immediately on this replica and within ten seconds on ' +
      'others. Repeating the call has no effect.',
    params: ApiKeyParams,
    output: ApiKeyView,
    errors: ['api_keys.not_found'],
    run: ({ apiKeys }, { id }, { by }) => apiKeys.revoke(id, by),
  }),
];
