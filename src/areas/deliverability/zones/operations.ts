import { z } from 'zod';
import { attachment } from '../../../lib/net/header-text.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { DeliverabilityContext } from '../compose.ts';
import { readZones, writeZones } from './csv.ts';
import {
  BulkBody,
  BulkView,
  ChangeZoneBody,
  DeletedZone,
  ImportQuery,
  ZoneBody,
  ZoneListQuery,
  ZonePage,
  ZoneParams,
  ZoneView,
} from './schemas.ts';
import { toZoneView } from './views.ts';

const operation = operationsOf<DeliverabilityContext>({ scope: 'admin', tag: 'deliverability' });

/** For bodies of one zone and of many, in bytes. */
export const oneZone = { bodyLimit: 512 * 1024 };
const manyZones = { bodyLimit: 2 * 1024 * 1024 };

const changeErrors = ['deliverability.zone_not_found', 'deliverability.zone_exists'] as const;

/** Delivery zones, one at a time. */
export const zoneOperations = [
  operation({
    id: 'deliverability.list_zones',
    path: 'GET /api/v1/deliverability/zones',
    summary: 'List delivery zones',
    description: 'Zones of one country or of all countries.',
    query: ZoneListQuery,
    output: ZonePage,
    async run({ zones }, query, { signal }) {
      const page = await zones.list(query, signal);
      return { ...page, data: page.data.map(toZoneView) };
    },
  }),
  operation({
    id: 'deliverability.get_zone',
    path: 'GET /api/v1/deliverability/zones/:id',
    summary: 'Get a delivery zone',
    description: 'The zone with its codes, ranges, prefixes and services.',
    params: ZoneParams,
    output: ZoneView,
    errors: ['deliverability.zone_not_found'],
    run: async ({ zones }, { id }) => toZoneView(await zones.get(id)),
  }),
  operation({
    id: 'deliverability.create_zone',
    path: 'POST /api/v1/deliverability/zones',
    summary: 'Create a delivery zone',
    description:
      'Names are unique within a country. If several zones include a code, the one ' +
      'with the highest priority applies.',
    route: oneZone,
    body: ZoneBody,
    output: ZoneView,
    errors: ['deliverability.zone_exists', 'deliverability.too_many_zones'],
    run: async ({ zones }, body, { by }) => toZoneView(await zones.create(body, by)),
  }),
  operation({
    id: 'deliverability.replace_zone',
    path: 'PUT /api/v1/deliverability/zones/:id',
    summary: 'Replace a delivery zone',
    description: 'Omitted fields get their default values.',
    route: oneZone,
    params: ZoneParams,
    body: ZoneBody,
    output: ZoneView,
    errors: changeErrors,
    run: async ({ zones }, { id, ...body }, { by }) =>
      toZoneView(await zones.replace(id, body, by)),
  }),
  operation({
    id: 'deliverability.update_zone',
    path: 'PATCH /api/v1/deliverability/zones/:id',
    summary: 'Update a delivery zone',
    description: 'Omitted fields stay unchanged.',
    route: oneZone,
    params: ZoneParams,
    body: ChangeZoneBody,
    output: ZoneView,
    errors: changeErrors,
    run: async ({ zones }, { id, ...change }, { by }) =>
      toZoneView(await zones.update(id, change, by)),
  }),
  operation({
    id: 'deliverability.delete_zone',
    path: 'DELETE /api/v1/deliverability/zones/:id',
    summary: 'Delete a delivery zone',
    description: 'Postal codes that no other zone includes are no longer served.',
    params: ZoneParams,
    output: DeletedZone,
    errors: ['deliverability.zone_not_found'],
    async run({ zones }, { id }, { by }) {
      await zones.delete(id, by);
      return { deleted: true as const, id };
    },
  }),
];

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

/** Import and export of many delivery zones. */
export const bulkOperations = [
  operation({
    id: 'deliverability.bulk',
    path: 'POST /api/v1/deliverability/zones/bulk',
    summary: 'Create or replace several delivery zones',
    description:
      'Zones are matched by country and name; repeating the call has no effect. If ' +
      'one zone is invalid, none is stored. At most 2,000 zones with 50,000 codes, ' +
      'ranges and prefixes per request.',
    route: manyZones,
    body: BulkBody,
    output: BulkView,
    errors: ['deliverability.too_many_zones'],
    run: ({ zones }, { zones: bodies, replace }, { by }) => zones.bulk(bodies, { replace }, by),
  }),
  operation({
    id: 'deliverability.export',
    path: 'GET /api/v1/deliverability/zones/export',
    summary: 'Export delivery zones as CSV',
    description: 'The format that `deliverability.import` accepts.',
    schema: {
      returns: 'One row per delivery zone, as CSV with a header row.',
      response: { 200: { content: { 'text/csv': { schema: Csv } } } },
    },
    run: async ({ zones }, _input, { reply, signal }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', attachment('delivery-zones.csv'))
        .send(writeZones(await zones.all(signal))),
  }),
  operation({
    id: 'deliverability.import',
    path: 'POST /api/v1/deliverability/zones/import',
    summary: 'Import delivery zones from CSV',
    description:
      'Like `deliverability.bulk`. In validation errors, the second entry of `loc` ' +
      'is the line number.',
    accepts: ['text/csv'],
    schema: { consumes: ['text/csv'], body: Csv },
    route: manyZones,
    query: ImportQuery,
    output: BulkView,
    errors: ['deliverability.too_many_zones'],
    async run({ zones }, { replace }, { by, request }) {
      const { zones: bodies, lines } = await readZones(Csv.parse(request.body));
      return zones.bulk(bodies, { replace, locate: (index) => [lines[index] ?? 0] }, by);
    },
  }),
];
