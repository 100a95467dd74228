import { limited } from '../../platform/operations/limits.ts';
import { operationsOf } from '../../platform/operations/operation.ts';
import type { GeoipContext } from './compose.ts';
import { GeoipParams, GeoipQuery, GeoipView } from './schemas.ts';

const operation = operationsOf<Pick<GeoipContext, 'addressFacts'>>({
  scope: 'identified',
  tag: 'geoip',
  limit: limited({ max: 300, seconds: 60, failOpen: true, group: 'geoip' }),
  noStore: false,
  headers: { 'cache-control': 'no-store' },
});

/** Facts about the client's address (which depends on TRUST_PROXY), or about a given one. */
export const geoipOperations = [
  operation({
    id: 'geoip.test',
    path: 'GET /geoip-test',
    summary: 'Look up an IP address',
    description: 'Looks up your own IP address, or `ip`.',
    query: GeoipQuery,
    output: GeoipView,
    run: ({ addressFacts }, { ip }, { request }) =>
      addressFacts.of(ip ?? request.ip, request.headers['user-agent']),
  }),
  operation({
    id: 'geoip.own',
    path: 'GET /api/v1/geoip',
    summary: 'Look up your IP address',
    description: 'Looks up the IP address of the request, as this service sees it.',
    output: GeoipView,
    run: ({ addressFacts }, _, { request: { ip, headers } }) =>
      addressFacts.of(ip, headers['user-agent']),
  }),
  operation({
    id: 'geoip.of',
    path: 'GET /api/v1/geoip/:ip',
    summary: 'Look up an IP address',
    description:
      'IPv4 or IPv6. Unknown values are null; addresses that are not on the public ' +
      'internet are `bogon`.',
    params: GeoipParams,
    output: GeoipView,
    run: ({ addressFacts }, { ip }, { request }) =>
      addressFacts.of(ip, request.headers['user-agent']),
  }),
];
