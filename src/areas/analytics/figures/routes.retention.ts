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
        summary: 'Get retention for a site',
        description:
          'Groups visitors into cohorts by the `unit` of their first event, and counts ' +
          'how many return in each later `unit`. Includes only identified visitors ' +
          '(`user_id`, `anonymous_id`), because the salts that identify others are ' +
          'deleted after 48 hours. The first event is the earliest stored event that the ' +
          'filters select. Filters apply to later events too.',
        tags: ['analytics'],
        querystring: RetentionQuery,
        errors: ['analytics.site_unknown', ...queryErrors],
        response: { 200: RetentionView },
      },
    },
    (request, reply) => retention.getRetention(request.query, requesterOf(request, reply)),
  );
};
