import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { Retention } from './retention.ts';
import { queryErrors } from './query-errors.ts';
import { RetentionQuery, RetentionView } from './schemas.retention.ts';

/** Retention, for callers with `analytics:read`. */
export const retentionRoutes: FastifyPluginAsyncZod<{ retention: Retention }> = async (
  app,
  { retention },
) => {
  app.get(
    '/retention',
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'analytics.get_retention',
        summary: 'How many people come back',
        description:
          'Persons by the unit in which they were first seen, and how many of them were seen in ' +
          'each unit from then on. Only persons that the site names (`user_id`, `anonymous_id`) ' +
          'are in it: the salts behind all other visitors are destroyed after 48 hours. ' +
          'First seen means in all events that are stored. Filters apply to both.',
        tags: ['analytics'],
        querystring: RetentionQuery,
        errors: ['analytics.site_unknown', ...queryErrors],
        response: { 200: RetentionView },
      },
    },
    (request, reply) => retention.getRetention(request.query, requesterOf(request, reply)),
  );
};
