import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { DeletedView, UuidParams } from '../schemas.fields.ts';
import { SubscriberListQuery, SubscriberPage } from './schemas.subscribers.ts';
import type { SubscriberAdmin } from './subscriber-admin.ts';

const tags = ['status'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

/** Admin routes for email subscribers. */
export const subscriberRoutes: FastifyPluginAsyncZod<{ subscribers: SubscriberAdmin }> = async (
  app,
  { subscribers },
) => {
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'status.list_subscribers',
        summary: 'List subscribers',
        description: 'Includes subscribers whose address is not confirmed yet.',
        tags,
        querystring: SubscriberListQuery,
        response: { 200: SubscriberPage },
      },
    },
    (request, reply) => subscribers.list(request.query, disconnectSignal(reply)),
  );

  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.delete_subscriber',
        summary: 'Delete a subscriber',
        description: 'Deletes the address. The subscriber is not notified and can subscribe again.',
        tags,
        params: UuidParams,
        errors: ['status.subscriber_not_found'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      const { id } = request.params;
      await subscribers.delete(id, requestActor(request));
      return { deleted: true as const, id };
    },
  );
};
