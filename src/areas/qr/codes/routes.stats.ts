import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { StatsQuery, StatsView } from './schemas.stats.ts';
import { CodeParams } from './schemas.targets.ts';
import type { ScanStats } from './stats.ts';

export interface StatsRoutesOptions {
  scanStats: ScanStats;
}

/** The figures of scans, for admins. */
export const statsRoutes: FastifyPluginAsyncZod<StatsRoutesOptions> = async (
  app,
  { scanStats },
) => {
  app.get(
    '/api/v1/qr-codes/:id/stats',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'qrCodes.get_stats',
        summary: 'Get the scans of a code',
        description:
          'How often people scanned the code, when, where and with what. For more, use ' +
          '`filter` with the dashboard, the export or a goal of the site.',
        tags: ['qr'],
        params: CodeParams,
        querystring: StatsQuery,
        errors: [
          'qr.not_found',
          'qr.not_dynamic',
          'analytics.store_failed',
          'analytics.query_timeout',
          'analytics.too_many_queries',
          'analytics.busy',
        ],
        response: { 200: StatsView },
      },
    },
    (request, reply) => scanStats(request.params.id, request.query, requesterOf(request, reply)),
  );
};
