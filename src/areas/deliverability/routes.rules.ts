import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { bodyLimit, config, tags } from './routes.options.ts';
import { ShortRuleBody, ShortRuleDeleted, ShortRuleQuery, ShortRuleView } from './schemas.rules.ts';
import { toShortChange, toShortRule } from './short-rule.ts';
import { toZoneView } from './views.ts';
import type { Zones } from './zones/zones.ts';

type Zone = Parameters<typeof toZoneView>[0];

/** Says what the zone does, because a rule without services excludes its code. */
function effectOf({ name, codes, rule, services }: Zone): string {
  const where = codes.length === 1 && codes[0] !== undefined ? codes[0] : name;
  const effect =
    services.length === 0
      ? `Parcels to ${where} are not delivered, because there are no services.`
      : `Parcels to ${where} are delivered.`;
  const others = rule
    ? 'Other codes are answered as before.'
    : 'Codes outside of every zone are not served.';
  return `${effect} ${others}`;
}

const toView = (method: string, zone: Zone) => ({
  method,
  stored: true as const,
  detail: effectOf(zone),
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
          'With `zip` alone, creates a rule, which decides about this postal code only. With ' +
          '`codes`, `ranges` or `prefixes`, or without any of them, creates a delivery zone, ' +
          'which defines the served area. Without `services`, nothing is delivered there.',
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
        description:
          'Omitted fields stay unchanged. `zip` replaces the code of a rule, and is added to the ' +
          'codes of a zone.',
        errors: ['deliverability.zone_not_found', 'deliverability.zone_exists'],
        tags,
        querystring: ShortRuleQuery,
        body: ShortRuleBody,
        response: { 200: ShortRuleView },
      },
    },
    async (request) => {
      const zone = await zones.update(
        request.query.id,
        (before) => toShortChange(request.body, before),
        requestActor(request),
      );
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
        description:
          'Its postal codes are then answered by the other zones and rules that include them.',
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

/** Rules about single postal codes, and delivery zones, by the short path. */
export const shortRuleRoutes: FastifyPluginAsyncZod<{ zones: Zones }> = async (app, { zones }) => {
  noStore(app);
  createRoute(app, zones);
  changeRoutes(app, zones);
  deleteRoute(app, zones);
};
