import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Config } from '../../config.ts';
import type { Geoip } from '../../platform/geoip.ts';
import { isLocalRequest } from '../../platform/local-request.ts';
import { everyMethod, registerStub } from './any-method.ts';
import { geoipView } from './geoip-view.ts';
import {
  CmykView, DeliverabilityQuery, DeliverabilityView, DevView, GeoipQuery, GeoipView,
} from './schemas.ts';

export interface StubRoutesOptions {
  geoip: Geoip;
  environment: Config['NODE_ENV'];
  version: string;
}

const devPaths = ['dev-access', 'dev-mode', 'dev-status'] as const;
const postalCodes: Partial<Record<string, RegExp>> = { US: /^\d{5}(?:-\d{4})?$/, CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i };

function isWellFormed(zip: string | undefined, country: string): boolean | null {
  const pattern = postalCodes[country];
  return zip === undefined || pattern === undefined ? null : pattern.test(zip);
}

/** Paths that exist before their area does. They say what is true now, and change nothing. */
export const stubRoutes: FastifyPluginAsyncZod<StubRoutesOptions> = async (app, { geoip, environment, version }) => {
  registerStub(app, {
    path: '/cmyk/api',
    methods: everyMethod,
    operation: 'stubs.cmyk',
    summary: 'Index of the cmyk API',
    description: 'Lists the endpoints of the sub-product. It has none of its own yet.',
    response: CmykView,
    answer: (_request, method) => ({ service: 'cmyk', version, method, endpoints: [{ method: 'GET', path: '/cmyk/api/' }], docs: '/api/docs' }),
  });

  for (const name of devPaths) {
    registerStub(app, {
      path: `/workflows/api/v1/auth/${name}`,
      methods: everyMethod,
      operation: `stubs.${name.replace('-', '_')}`,
      summary: `Report ${name.replace('-', ' ')}`,
      description: 'Whether development conveniences are on for this request. Outside development they are off, whatever the method.',
      response: DevView,
      answer: (request, method) => {
        const enabled = environment === 'development' && isLocalRequest(request);
        const detail = enabled ? 'Development mode, request from this machine.' : 'Development conveniences are off for this request.';
        return { enabled, environment, method, changed: false, detail };
      },
    });
  }

  registerStub(app, {
    path: '/min/core/zipcodedeliverability',
    methods: ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'],
    operation: 'stubs.deliverability',
    summary: 'Check whether a postal code is served',
    description: 'There are no delivery zones yet: only the format is checked, and rules that are sent are not stored.',
    querystring: DeliverabilityQuery,
    response: DeliverabilityView,
    answer: (request, method) => {
      const { zip, country } = DeliverabilityQuery.parse(request.query);
      const code = country.toUpperCase();
      return {
        method,
        postal_code: zip ?? null,
        country: code,
        valid_format: isWellFormed(zip, code),
        known: null,
        deliverable: null,
        services: [],
        stored: false,
        reason: 'no_zones',
        detail: 'No delivery zones are set up yet. Nothing was stored.',
      };
    },
  });

  registerStub(app, {
    path: '/geoip-test',
    methods: ['GET'],
    operation: 'stubs.geoip_test',
    summary: 'Country of an address',
    description: 'Of your own address, or of `ip`.',
    querystring: GeoipQuery,
    response: GeoipView,
    answer: (request) => geoipView(geoip, GeoipQuery.parse(request.query).ip ?? request.ip),
  });
};
