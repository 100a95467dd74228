import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestActor } from '../../platform/identity/actors.ts';
import { acceptText } from '../../platform/http/body-parsers.ts';
import { disconnectSignal } from '../../platform/http/requester.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import {
  BulkBody,
  BulkView,
  ChangeZoneBody,
  DeletedZone,
  ImportQuery,
  ShortRuleBody,
  ShortRuleDeleted,
  ShortRuleQuery,
  ShortRuleView,
  ZoneBody,
  ZoneListQuery,
  ZonePage,
  ZoneParams,
  ZoneView,
} from './schemas.ts';
import { toShortRule } from './short-rule.ts';
import { toZoneView } from './views.ts';
import { readZones, writeZones } from './zone-csv.ts';
import type { Zones } from './zones.ts';

const tags = ['deliverability'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const bodyLimit = 512 * 1024;
const bulkLimit = 2 * 1024 * 1024;
const Csv = z
  .string()
  .describe(
    'Columns: name, country, priority, currency, codes, ranges, prefixes, and for each service (`standard`, `express`, `same_day`) `…_min_days`, `…_max_days`, `…_price`, `…_cod`, `…_max_weight_g`. Lists are parted by `;`, the ends of a range by `..`.',
  )
  .meta({
    examples: [
      'name,country,currency,codes,standard_min_days,standard_max_days,standard_price\r\nSan Francisco,US,USD,94102;94103,1,3,4.99\r\n',
    ],
  });

const importRoute: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  acceptText(app, ['text/csv']);

  app.post(
    '/import',
    {
      bodyLimit: bulkLimit,
      config,
      schema: {
        operationId: 'deliverability.import',
        summary: 'Create or replace zones from CSV',
        description: 'As `bulk`. In errors the second entry of `loc` is the line.',
        tags,
        consumes: ['text/csv'],
        querystring: ImportQuery,
        body: Csv,
        response: { 200: BulkView },
      },
    },
    (request) => {
      const { zones: bodies, lines } = readZones(request.body);
      return zones.bulk(
        bodies,
        { replace: request.query.replace, locate: (index) => [lines[index] ?? 0] },
        requestActor(request),
      );
    },
  );
};

const manyRoutes: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  app.register(importRoute, { zones });

  app.post(
    '/bulk',
    {
      bodyLimit: bulkLimit,
      config,
      schema: {
        operationId: 'deliverability.bulk',
        summary: 'Create or replace many zones',
        description:
          'By country and name: the same again changes nothing. When one is wrong, none is stored. At most 2,000 zones with 50,000 codes, ranges and prefixes in one request.',
        tags,
        body: BulkBody,
        response: { 200: BulkView },
      },
    },
    (request) =>
      zones.bulk(request.body.zones, { replace: request.body.replace }, requestActor(request)),
  );

  app.get(
    '/export',
    {
      config,
      schema: {
        operationId: 'deliverability.export',
        summary: 'All zones as CSV',
        description: 'As `import` reads it.',
        tags,
        response: { 200: { content: { 'text/csv': { schema: Csv } } } },
      },
    },
    async (_request, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="delivery-zones.csv"')
        .send(writeZones(await zones.all(disconnectSignal(reply)))),
  );
};

/** Delivery zones, for admins. */
export const zoneRoutes: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  noStore(app);

  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'deliverability.zones',
        summary: 'List delivery zones',
        description: 'Of all countries or of one, by country and name.',
        tags,
        querystring: ZoneListQuery,
        response: { 200: ZonePage },
      },
    },
    async (request, reply) => {
      const page = await zones.list(request.query, goneSignal(reply));
      return { ...page, data: page.data.map(toZoneView) };
    },
  );

  app.post(
    '/',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.create_zone',
        summary: 'Create a delivery zone',
        description:
          'A country can have a name once. The zone with the highest priority that has a code counts.',
        errors: ['deliverability.zone_exists'],
        tags,
        body: ZoneBody,
        response: { 200: ZoneView },
      },
    },
    async (request) => toZoneView(await zones.create(request.body, requestActor(request))),
  );

  app.get(
    '/:id',
    {
      config,
      schema: {
        operationId: 'deliverability.zone',
        summary: 'Show a delivery zone',
        description: 'With all its codes, ranges, prefixes and services.',
        errors: ['deliverability.zone_not_found'],
        tags,
        params: ZoneParams,
        response: { 200: ZoneView },
      },
    },
    async (request) => toZoneView(await zones.get(request.params.id)),
  );

  app.put(
    '/:id',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.replace_zone',
        summary: 'Replace a delivery zone',
        description: 'What is left out is as in a new zone.',
        errors: ['deliverability.zone_not_found', 'deliverability.zone_exists'],
        tags,
        params: ZoneParams,
        body: ZoneBody,
        response: { 200: ZoneView },
      },
    },
    async (request) =>
      toZoneView(await zones.replace(request.params.id, request.body, requestActor(request))),
  );

  app.patch(
    '/:id',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.change_zone',
        summary: 'Change a delivery zone',
        description: 'What is left out stays as it is.',
        errors: ['deliverability.zone_not_found', 'deliverability.zone_exists'],
        tags,
        params: ZoneParams,
        body: ChangeZoneBody,
        response: { 200: ZoneView },
      },
    },
    async (request) =>
      toZoneView(await zones.update(request.params.id, request.body, requestActor(request))),
  );

  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'deliverability.delete_zone',
        summary: 'Delete a delivery zone',
        description: 'Codes that only it had are not served any more.',
        errors: ['deliverability.zone_not_found'],
        tags,
        params: ZoneParams,
        response: { 200: DeletedZone },
      },
    },
    async (request) => {
      await zones.delete(request.params.id, requestActor(request));
      return { deleted: true as const, id: request.params.id };
    },
  );

  await app.register(manyRoutes, { zones });
};

/** The same zones by the short path: a rule is a zone, mostly of one code. */
export const shortRuleRoutes: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  noStore(app);
  const path = '/min/core/zipcodedeliverability';

  app.post(
    path,
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'zipDeliverability.create',
        summary: 'Create a rule, by the short path',
        description: 'A zone of one code, or what the body says of it.',
        tags,
        body: ShortRuleBody,
        response: { 200: ShortRuleView },
      },
    },
    async (request) => ({
      method: request.method,
      stored: true as const,
      zone: toZoneView(await zones.create(toShortRule(request.body), requestActor(request))),
    }),
  );

  app.put(
    path,
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'zipDeliverability.replace',
        summary: 'Replace a rule, by the short path',
        description: 'What is left out is as in a new rule.',
        errors: ['deliverability.zone_not_found'],
        tags,
        querystring: ShortRuleQuery,
        body: ShortRuleBody,
        response: { 200: ShortRuleView },
      },
    },
    async (request) => ({
      method: request.method,
      stored: true as const,
      zone: toZoneView(
        await zones.replace(request.query.id, toShortRule(request.body), requestActor(request)),
      ),
    }),
  );

  app.patch(
    path,
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'zipDeliverability.change',
        summary: 'Change a rule, by the short path',
        description: 'What is left out stays as it is.',
        errors: ['deliverability.zone_not_found'],
        tags,
        querystring: ShortRuleQuery,
        body: ChangeZoneBody,
        response: { 200: ShortRuleView },
      },
    },
    async (request) => ({
      method: request.method,
      stored: true as const,
      zone: toZoneView(await zones.update(request.query.id, request.body, requestActor(request))),
    }),
  );

  app.delete(
    path,
    {
      config,
      schema: {
        operationId: 'zipDeliverability.delete',
        summary: 'Delete a rule, by the short path',
        description: 'It is gone, and its code is served only where another zone has it.',
        errors: ['deliverability.zone_not_found'],
        tags,
        querystring: ShortRuleQuery,
        response: { 200: ShortRuleDeleted },
      },
    },
    async (request) => {
      await zones.delete(request.query.id, requestActor(request));
      return { method: request.method, deleted: true as const, id: request.query.id };
    },
  );
};
