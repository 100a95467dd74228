import { limited } from '../../platform/operations/limits.ts';
import { operationsOf } from '../../platform/operations/operation.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { DeliverabilityContext } from './compose.ts';
import {
  CheckQuery,
  CheckView,
  ShortCheckQuery,
  ShortCheckView,
  ShortPathRuleBody,
  ShortPathRuleDeleted,
  ShortPathRuleQuery,
  ShortPathRuleView,
} from './schemas.ts';
import { toZoneChange, toZoneBody, toShortPathRuleView } from './short-path-rule.ts';
import { oneZone } from './zones/operations.ts';

const publicOperation = operationsOf<DeliverabilityContext>({
  scope: 'identified',
  tag: 'deliverability',
  noStore: false,
  limit: limited({ max: 300, seconds: 60, failOpen: true, group: 'deliverability' }),
});

/** Public checks of whether parcels are delivered to a postal code. */
export const checkOperations = [
  publicOperation({
    id: 'deliverability.check',
    path: 'GET /api/v1/deliverability',
    summary: 'Check whether a postal code is served',
    description:
      'Reports separately whether the code is well-formed (`valid_format`), exists ' +
      '(`known`) and is served (`deliverable`).',
    query: CheckQuery,
    output: CheckView,
    run({ deliverability }, { postal_code: code, zip, weight_g: weight, country, cod }) {
      const postalCode = code ?? zip;
      if (postalCode === undefined)
        throw new RequestValidationError([
          { type: 'missing', loc: ['query', 'postal_code'], msg: 'Field required', input: null },
        ]);
      return deliverability.check({ postalCode, country, weight, cod });
    },
  }),
  publicOperation({
    id: 'zipDeliverability.check',
    path: 'GET /min/core/zipcodedeliverability',
    summary: 'Check a postal code (short path)',
    description: 'Like `deliverability.check`, but the postal code is optional.',
    query: ShortCheckQuery,
    output: ShortCheckView,
    async run({ deliverability }, input, { request: { method } }) {
      const { postal_code: code = '', zip = '', country, weight_g: weight, cod } = input;
      const postalCode = [code, zip].find((text) => text !== '');
      return { method, ...(await deliverability.check({ postalCode, country, weight, cod })) };
    },
  }),
];

const operation = operationsOf<DeliverabilityContext>({ scope: 'admin', tag: 'deliverability' });

const changeErrors = ['deliverability.zone_not_found', 'deliverability.zone_exists'] as const;

/** Rules about single postal codes, and delivery zones, by the short path. */
export const shortRuleOperations = [
  operation({
    id: 'zipDeliverability.create',
    path: 'POST /min/core/zipcodedeliverability',
    summary: 'Create a rule (short path)',
    description:
      'With `zip` alone, creates a rule, which decides about this postal code only. With ' +
      '`codes`, `ranges` or `prefixes`, or without any of them, creates a delivery zone, ' +
      'which defines the served area. Without `services`, nothing is delivered there.',
    route: oneZone,
    body: ShortPathRuleBody,
    output: ShortPathRuleView,
    errors: ['deliverability.zone_exists', 'deliverability.too_many_zones'],
    run: async ({ zones }, body, { by, request }) =>
      toShortPathRuleView(request.method, await zones.create(toZoneBody(body), by)),
  }),
  operation({
    id: 'zipDeliverability.replace',
    path: 'PUT /min/core/zipcodedeliverability',
    summary: 'Replace a rule (short path)',
    description: 'Omitted fields get their default values.',
    route: oneZone,
    query: ShortPathRuleQuery,
    body: ShortPathRuleBody,
    output: ShortPathRuleView,
    errors: changeErrors,
    run: async ({ zones }, { id, ...body }, { by, request }) =>
      toShortPathRuleView(request.method, await zones.replace(id, toZoneBody(body), by)),
  }),
  operation({
    id: 'zipDeliverability.update',
    path: 'PATCH /min/core/zipcodedeliverability',
    summary: 'Update a rule (short path)',
    description:
      'Omitted fields stay unchanged. `zip` replaces the code of a rule, and is added to the ' +
      'codes of a zone.',
    route: oneZone,
    query: ShortPathRuleQuery,
    body: ShortPathRuleBody,
    output: ShortPathRuleView,
    errors: changeErrors,
    async run({ zones }, { id, ...body }, { by, request }) {
      const zone = await zones.update(id, (before) => toZoneChange(body, before), by);
      return toShortPathRuleView(request.method, zone);
    },
  }),
  operation({
    id: 'zipDeliverability.delete',
    path: 'DELETE /min/core/zipcodedeliverability',
    summary: 'Delete a rule (short path)',
    description: 'Other zones and rules that include its postal codes then apply.',
    query: ShortPathRuleQuery,
    output: ShortPathRuleDeleted,
    errors: ['deliverability.zone_not_found'],
    async run({ zones }, { id }, { by, request: { method } }) {
      await zones.delete(id, by);
      return { method, deleted: true as const, id };
    },
  }),
];
