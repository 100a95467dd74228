import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { bodyLimit, config, tags } from './routes.options.ts';
import { ShortRuleBody, ShortRuleDeleted, ShortRuleQuery, ShortRuleView } from './schemas.rules.ts';
import { ChangeZoneBody } from './schemas.ts';
import { toShortRule } from './short-rule.ts';
import { toZoneView } from './views.ts';
import type { Zones } from './zones/zones.ts';

const toView = (method: string, zone: Parameters<typeof toZoneView>[0]) => ({
  method,
  stored: true as const,
  zone: toZoneView(zone),
});

function createRoute(app: ZodApp, zones: Zones): void {
  app.post(
    '/min/core/zipcodedeliverability',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'zipDeliverability.create',
        summary: 'Create a rule (short path)',
        description:
          'Creates a delivery zone from the fields in the body. `zip` adds one postal code.',
        errors: ['deliverability.zone_exists', 'deliverability.too_many_zones'],
        tags,
        body: ShortRuleBody,
        response: { 200: ShortRuleView },
      },
    },
    async (request) => {
      const zone = await zones.create(toShortRule(request.body), requestActor(request));
      return toView(request.method, zone);
    },
  );
}

function changeRoutes(app: ZodApp, zones: Zones): void {
  app.put(
    '/min/core/zipcodedeliverability',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'zipDeliverability.replace',
        summary: 'Replace a rule (short path)',
        description: 'Omitted fields get their default values.',
        errors: ['deliverability.zone_not_found', 'deliverability.zone_exists'],
        tags,
        querystring: ShortRuleQuery,
        body: ShortRuleBody,
        response: { 200: ShortRuleView },
      },
    },
    async (request) => {
      const body = toShortRule(request.body);
      const zone = await zones.replace(request.query.id, body, requestActor(request));
      return toView(request.method, zone);
    },
  );

  app.patch(
    '/min/core/zipcodedeliverability',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'zipDeliverability.update',
        summary: 'Update a rule (short path)',
        description: 'Omitted fields stay unchanged.',
        errors: ['deliverability.zone_not_found', 'deliverability.zone_exists'],
        tags,
        querystring: ShortRuleQuery,
        body: ChangeZoneBody,
        response: { 200: ShortRuleView },
      },
    },
    async (request) => {
      const zone = await zones.update(request.query.id, request.body, requestActor(request));
      return toView(request.method, zone);
    },
  );
}

function deleteRoute(app: ZodApp, zones: Zones): void {
  app.delete(
    '/min/core/zipcodedeliverability',
    {
      config,
      schema: {
        operationId: 'zipDeliverability.delete',
        summary: 'Delete a rule (short path)',
        description: 'Its postal code is no longer served unless another zone includes it.',
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
}

/** Delivery zones by the short path, where a rule is a zone, usually of a single code. */
export const shortRuleRoutes: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  noStore(app);
  createRoute(app, zones);
  changeRoutes(app, zones);
  deleteRoute(app, zones);
};
