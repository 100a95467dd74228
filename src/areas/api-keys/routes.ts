import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../platform/http/requests/requester.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import {
  ApiKeyListQuery,
  ApiKeyPage,
  ApiKeyParams,
  ApiKeyView,
  CreateApiKeyBody,
  CreatedApiKeyView,
} from './schemas.ts';
import type { ApiKeys } from './service.ts';

const tags = ['api-keys'];

const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

function readRoutes(app: ZodApp, apiKeys: ApiKeys): void {
  app.get(
    '/api/v1/api-keys',
    {
      config,
      schema: {
        operationId: 'apiKeys.list',
        summary: 'List API keys',
        description:
          'Newest first, including revoked and expired keys. Secrets are never shown again.',
        tags,
        querystring: ApiKeyListQuery,
        response: { 200: ApiKeyPage },
      },
    },
    (request, reply) => apiKeys.list(request.query, disconnectSignal(reply)),
  );

  app.get(
    '/api/v1/api-keys/:id',
    {
      config,
      schema: {
        operationId: 'apiKeys.get',
        summary: 'Get an API key',
        description: 'All details of the key except its secret.',
        tags,
        params: ApiKeyParams,
        errors: ['api_keys.not_found'],
        response: { 200: ApiKeyView },
      },
    },
    (request) => apiKeys.get(request.params.id),
  );
}

function changeRoutes(app: ZodApp, apiKeys: ApiKeys): void {
  app.post(
    '/api/v1/api-keys',
    {
      config,
      schema: {
        operationId: 'apiKeys.create',
        summary: 'Create an API key',
        description:
          'The secret is shown only once, in this response. It is stored as a hash. Users must ' +
          'have signed in within the last five minutes.',
        tags,
        body: CreateApiKeyBody,
        errors: ['api_keys.expiry_past', 'auth.step_up_required'],
        response: { 200: CreatedApiKeyView },
      },
    },
    (request) => apiKeys.create(request.body, requestActor(request)),
  );

  app.delete(
    '/api/v1/api-keys/:id',
    {
      config,
      schema: {
        operationId: 'apiKeys.revoke',
        summary: 'Revoke an API key',
        description:
          'The key stops working immediately on this replica and within ten seconds on ' +
          'others. Repeating the call has no effect.',
        tags,
        params: ApiKeyParams,
        errors: ['api_keys.not_found'],
        response: { 200: ApiKeyView },
      },
    },
    (request) => apiKeys.revoke(request.params.id, requestActor(request)),
  );
}

/** API keys, for admins. */
export const apiKeyRoutes: FastifyPluginAsyncZod<{ apiKeys: ApiKeys }> = async (
  app,
  { apiKeys },
) => {
  noStore(app);
  readRoutes(app, apiKeys);
  changeRoutes(app, apiKeys);
};
