import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { attachment } from '../../lib/net/header-text.ts';
import { acceptText } from '../../platform/http/body-parsers.ts';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../platform/http/requests/requester.ts';
import { config, tags } from './routes.options.ts';
import { BulkBody, BulkView, ImportQuery } from './schemas.ts';
import { readZones, writeZones } from './zones/zone-csv.ts';
import type { Zones } from './zones/zones.ts';

const bodyLimit = 2 * 1024 * 1024;

const Csv = z
  .string()
  .describe(
    'Columns: name, country, priority, currency, codes, ranges, prefixes, rule, and for each ' +
      'service (`standard`, `express`, `same_day`) `…_min_days`, `…_max_days`, `…_price`, ' +
      '`…_cod`, `…_max_weight_g`. List items are separated by `;`, the ends of a range by ' +
      '`..`.',
  )
  .meta({
    examples: [
      'name,country,currency,codes,standard_min_days,standard_max_days,standard_price\r\n' +
        'San Francisco,US,USD,94102;94103,1,3,4.99\r\n',
    ],
  });

function bulkRoute(app: ZodApp, zones: Zones): void {
  app.post(
    '/api/v1/deliverability/zones/bulk',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.bulk',
        summary: 'Create or replace several delivery zones',
        description:
          'Zones are matched by country and name; repeating the call has no effect. If ' +
          'one zone is invalid, none is stored. At most 2,000 zones with 50,000 codes, ' +
          'ranges and prefixes per request.',
        errors: ['deliverability.too_many_zones'],
        tags,
        body: BulkBody,
        response: { 200: BulkView },
      },
    },
    (request) => {
      const { zones: bodies, replace } = request.body;
      return zones.bulk(bodies, { replace }, requestActor(request));
    },
  );
}

function exportRoute(app: ZodApp, zones: Zones): void {
  app.get(
    '/api/v1/deliverability/zones/export',
    {
      config,
      schema: {
        operationId: 'deliverability.export',
        summary: 'Export delivery zones as CSV',
        returns: 'One row per delivery zone, as CSV with a header row.',
        description: 'The format that `deliverability.import` accepts.',
        tags,
        response: { 200: { content: { 'text/csv': { schema: Csv } } } },
      },
    },
    async (_request, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', attachment('delivery-zones.csv'))
        .send(writeZones(await zones.all(disconnectSignal(reply)))),
  );
}

/** In its own plugin, because only this route accepts CSV. */
const importRoute: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  acceptText(app, ['text/csv']);

  app.post(
    '/api/v1/deliverability/zones/import',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.import',
        summary: 'Import delivery zones from CSV',
        description:
          'Like `deliverability.bulk`. In validation errors, the second entry of `loc` ' +
          'is the line number.',
        errors: ['deliverability.too_many_zones'],
        tags,
        consumes: ['text/csv'],
        querystring: ImportQuery,
        body: Csv,
        response: { 200: BulkView },
      },
    },
    async (request) => {
      const { zones: bodies, lines } = await readZones(request.body);
      const { replace } = request.query;
      const locate = (index: number) => [lines[index] ?? 0];
      return zones.bulk(bodies, { replace, locate }, requestActor(request));
    },
  );
};

/** Import and export of many delivery zones, for admins. */
export const bulkRoutes: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  noStore(app);
  bulkRoute(app, zones);
  exportRoute(app, zones);
  app.register(importRoute, { zones });
};
