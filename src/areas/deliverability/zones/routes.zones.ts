import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { bodyLimit, config, tags } from '../routes.options.ts';
import {
  ChangeZoneBody,
  DeletedZone,
  ZoneBody,
  ZoneListQuery,
  ZonePage,
  ZoneParams,
  ZoneView,
} from '../schemas.ts';
import { toZoneView } from '../views.ts';
import type { Zones } from './zones.ts';

function readRoutes(app: ZodApp, zones: Zones): void {
  app.get(
    '/api/v1/deliverability/zones',
    {
      config,
      schema: {
        operationId: 'deliverability.list_zones',
        summary: 'List delivery zones',
        description: 'Zones of one country or of all countries.',
        tags,
        querystring: ZoneListQuery,
        response: { 200: ZonePage },
      },
    },
    async (request, reply) => {
      const page = await zones.list(request.query, disconnectSignal(reply));
      return { ...page, data: page.data.map(toZoneView) };
    },
  );

  app.get(
    '/api/v1/deliverability/zones/:id',
    {
      config,
      schema: {
        operationId: 'deliverability.get_zone',
        summary: 'Get a delivery zone',
        description: 'The zone with its codes, ranges, prefixes and services.',
        errors: ['deliverability.zone_not_found'],
        tags,
        params: ZoneParams,
        response: { 200: ZoneView },
      },
    },
    async (request) => toZoneView(await zones.get(request.params.id)),
  );
}

function createRoute(app: ZodApp, zones: Zones): void {
  app.post(
    '/api/v1/deliverability/zones',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.create_zone',
        summary: 'Create a delivery zone',
        description:
          'Names are unique within a country. If several zones include a code, the one ' +
          'with the highest priority applies.',
        errors: ['deliverability.zone_exists', 'deliverability.too_many_zones'],
        tags,
        body: ZoneBody,
        response: { 200: ZoneView },
      },
    },
    async (request) => toZoneView(await zones.create(request.body, requestActor(request))),
  );
}

function changeRoutes(app: ZodApp, zones: Zones): void {
  app.put(
    '/api/v1/deliverability/zones/:id',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.replace_zone',
        summary: 'Replace a delivery zone',
        description: 'Omitted fields get their default values.',
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
    '/api/v1/deliverability/zones/:id',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'deliverability.update_zone',
        summary: 'Update a delivery zone',
        description: 'Omitted fields stay unchanged.',
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
}

function deleteRoute(app: ZodApp, zones: Zones): void {
  app.delete(
    '/api/v1/deliverability/zones/:id',
    {
      config,
      schema: {
        operationId: 'deliverability.delete_zone',
        summary: 'Delete a delivery zone',
        description: 'Postal codes that no other zone includes are no longer served.',
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
}

/** Delivery zones, for admins. */
export const zoneRoutes: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  noStore(app);
  readRoutes(app, zones);
  createRoute(app, zones);
  changeRoutes(app, zones);
  deleteRoute(app, zones);
};
