import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { answerWith } from '../../platform/http/security.ts';
import { GeoipParams, GeoipQuery, GeoipView } from './schemas.ts';
import type { AddressFacts } from './service.ts';

const tags = ['geoip'];
const config = { rateLimit: limit({ max: 300, seconds: 60, failOpen: true, group: 'geoip' }) };
const response = { 200: GeoipView };

/** Facts about the client's address (which depends on TRUST_PROXY), or about a given one. */
export const geoipRoutes: FastifyPluginAsyncZod<{ addressFacts: AddressFacts }> = async (
  app,
  { addressFacts },
) => {
  answerWith(app, { 'cache-control': 'no-store' });

  app.get(
    '/geoip-test',
    {
      config,
      schema: {
        operationId: 'geoip.test',
        summary: 'Look up an IP address',
        description: 'Looks up your own IP address, or `ip`.',
        tags,
        querystring: GeoipQuery,
        response,
      },
    },
    async ({ query, ip, headers }) => addressFacts.of(query.ip ?? ip, headers['user-agent']),
  );

  app.get(
    '/api/v1/geoip',
    {
      config,
      schema: {
        operationId: 'geoip.own',
        summary: 'Look up your IP address',
        description: 'Looks up the IP address of the request, as this service sees it.',
        tags,
        response,
      },
    },
    async ({ ip, headers }) => addressFacts.of(ip, headers['user-agent']),
  );

  app.get(
    '/api/v1/geoip/:ip',
    {
      config,
      schema: {
        operationId: 'geoip.of',
        summary: 'Look up an IP address',
        description:
          'IPv4 or IPv6. Unknown values are null; addresses that are not on the public ' +
          'internet are `bogon`.',
        tags,
        params: GeoipParams,
        response,
      },
    },
    async ({ params, headers }) => addressFacts.of(params.ip, headers['user-agent']),
  );
};
