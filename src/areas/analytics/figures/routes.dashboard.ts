import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { Dashboards } from './dashboard.ts';
import { plainQueryErrors, queryErrors } from './query-errors.ts';
import { SitesDashboardQuery, SiteList, SitesDashboardView } from './schemas.dashboard.ts';

const tags = ['analytics'];

/** Dashboards, for callers with `analytics:read`. */
export const dashboardRoutes: FastifyPluginAsyncZod<{ dashboards: Dashboards }> = async (
  app,
  { dashboards },
) => {
  app.get(
    '/dashboard',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'analytics.get_dashboard',
        summary: 'Get the dashboard for one site or for all sites',
        description:
          'Totals, a time series without gaps, the top values of each dimension ' +
          '(`limit`, up to 1,000) and the excluded events, all from one snapshot. ' +
          'Without `site_id`: the only site, or all sites combined, with the totals of ' +
          'each in `sites`.',
        tags,
        querystring: SitesDashboardQuery,
        errors: ['analytics.site_unknown', ...queryErrors],
        response: { 200: SitesDashboardView },
      },
    },
    async (request, reply) =>
      dashboards.getSitesDashboard(request.query, requesterOf(request, reply)),
  );

  app.get(
    '/sites',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'analytics.list_sites',
        summary: 'List sites',
        returns: 'The sites, with the number of events for each.',
        description:
          'All registered sites, each with its number of events and the time of its last ' +
          'event.',
        tags: ['sites'],
        errors: plainQueryErrors,
        response: { 200: SiteList },
      },
    },
    async (request, reply) => ({ data: await dashboards.sites(requesterOf(request, reply)) }),
  );
};
