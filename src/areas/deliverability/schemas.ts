import { z } from 'zod';
import {
  country,
  exampleServices,
  id,
  part,
  ServiceView,
  shape,
  ZoneView,
} from './zones/schemas.ts';

/** A postal code in a query, not validated yet. */
const code = z.string().trim().max(16);
export const CheckQuery = z.object({
  postal_code: code
    .min(1)
    .optional()
    .describe('Postal code. Required, here or as `zip`.')
    .meta({ examples: ['94103'] }),
  zip: code
    .min(1)
    .optional()
    .describe('Alias of `postal_code`.')
    .meta({ examples: ['94103'] }),
  country: country.default('US'),
  weight_g: z.coerce.number().int().min(1).max(100_000_000).optional().describe('Grams.'),
  cod: z.boolean().default(false).describe('Whether the parcel is paid for on delivery.'),
});
export const ShortCheckQuery = z.object({
  ...CheckQuery.shape,
  postal_code: code.optional().meta({ examples: ['94103'] }),
  zip: code.optional().meta({ examples: ['94103'] }),
});

export const reasons = [
  'no_postal_code',
  'invalid_format',
  'no_zones',
  'not_served',
  'unknown_code',
  'too_heavy',
  'no_cod',
  'no_service',
] as const;
const check = {
  postal_code: z
    .string()
    .nullable()
    .describe('The code as submitted.')
    .meta({ examples: ['94103'] }),
  normalized: z
    .string()
    .nullable()
    .describe(
      'The code in its usual format; null if it is not a code of the country, or the ' +
        "country's format is unknown.",
    )
    .meta({ examples: ['94103'] }),
  country: z.string().meta({ examples: ['US'] }),
  valid_format: z
    .boolean()
    .nullable()
    .describe(
      'Whether the code is well-formed. Null: the postal code format in this country is ' +
        'unknown.',
    ),
  known: z
    .boolean()
    .nullable()
    .describe(
      'Whether the code exists. Null: unknown. Known only for the USA, its territories ' +
        'and Canada; for Canada, only the first three characters are checked.',
    ),
  deliverable: z
    .boolean()
    .nullable()
    .describe(
      'Whether the code is served. Null: no delivery zones are configured, and no rule names ' +
        'the code.',
    ),
  place: z
    .object({
      city: z.string().meta({ examples: ['San Francisco'] }),
      region: z.string().meta({ examples: ['California'] }),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    })
    .nullable(),
  zone: z.object({ id, name: z.string().meta({ examples: ['San Francisco'] }) }).nullable(),
  services: z.array(
    z.object({
      ...ServiceView.shape,
      currency: z
        .string()
        .nullable()
        .meta({ examples: ['USD'] }),
      deliverable: z
        .boolean()
        .describe('Whether the service accepts this weight and payment method.'),
    }),
  ),
  estimated_delivery: z
    .object({ earliest: z.iso.date(), latest: z.iso.date() })
    .nullable()
    .describe(
      'Earliest and latest date across all services that deliver, counted from today (UTC).',
    ),
  reason: z
    .enum(reasons)
    .nullable()
    .describe('Why the code is not served. Null if it is.')
    .meta({ examples: [null] }),
  detail: z.string().meta({ examples: ['This postal code is served.'] }),
};
export const CheckView = z.object(check).meta({
  id: 'Deliverability',
  description: 'Whether the postal code is served, by which zone and delivery services.',
});
export type CheckView = z.output<typeof CheckView>;

export const ShortCheckView = z
  .object({ method: z.string().meta({ examples: ['GET'] }), ...check })
  .meta({
    id: 'ZipCodeDeliverability',
    description: 'Whether the postal code is served, by which zone and delivery services.',
  });

export const ShortPathRuleBody = z
  .strictObject({
    ...shape,
    zip: part.describe(
      'A postal code. Alone, it creates a rule for this code only. With `PATCH`, ' +
        'it replaces the code of a rule, and is added to the codes of a zone.',
    ),
  })
  .partial()
  .meta({
    id: 'StoreZipCodeRule',
    examples: [{ zip: '94103', country: 'US', currency: 'USD', services: exampleServices }],
  });
export type ShortPathRuleBody = z.output<typeof ShortPathRuleBody>;
export const ShortPathRuleQuery = z.object({
  id: id.describe('Id of the rule or zone.'),
});
export const ShortPathRuleView = z
  .object({
    method: z.string().meta({ examples: ['POST'] }),
    stored: z.literal(true),
    detail: z
      .string()
      .describe('What the rule does.')
      .meta({ examples: ['Parcels to 94103 are delivered. Other codes are answered as before.'] }),
    zone: ZoneView,
  })
  .meta({ id: 'StoredZipCodeRule', description: 'The rule or zone as stored.' });
export const ShortPathRuleDeleted = z
  .object({
    method: z.string().meta({ examples: ['DELETE'] }),
    deleted: z.literal(true),
    id: z.string().meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
  })
  .meta({ id: 'DeletedZipCodeRule', description: 'The id of the deleted rule.' });

/** `zip` is documented as required, but without it browsers get the form again, with an error. */
export const DemoBody = z
  .object({ zip: z.string().max(200).default(''), country: z.string().max(200).default('US') })
  .meta({ required: ['zip'], examples: [{ zip: '94103', country: 'US' }] });
