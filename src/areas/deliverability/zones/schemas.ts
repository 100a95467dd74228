import { z } from 'zod';
import { countryOf } from '../postal-codes.ts';
import { NextCursor } from '../../../platform/validation/paging-schemas.ts';
import { trimmedLine } from '../../../platform/validation/text-schemas.ts';

// The last rule protects spreadsheets, which would interpret such names as formulas.
const name = trimmedLine(100)
  .min(1)
  .regex(/^[^=+\-@]/, 'must not start with =, +, - or @')
  .describe('Unique within its country.')
  .meta({ examples: ['San Francisco'] });
export const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters, such as US')
  .transform(countryOf)
  .describe('ISO 3166-1 alpha-2.')
  .meta({ example: 'US' });
export const part = z
  .string()
  .trim()
  .min(1)
  .max(16)
  .regex(/^[A-Za-z\d -]+$/, 'must be letters, digits, spaces and dashes');
const maxParts = 5000;
const days = z.int().min(0).max(365);
export const id = z.uuid();

/** The services a zone can have. */
export const serviceCodes = ['standard', 'express', 'same_day'] as const;

export const ServiceBody = z.strictObject({
  code: z.enum(serviceCodes),
  min_days: days.describe('Calendar days.'),
  max_days: days,
  price: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,3})?$/, 'must be a decimal number such as 4.99')
    .nullable()
    .default(null)
    .describe('A decimal number, in the currency of the zone.'),
  cod: z.boolean().default(false).describe('Whether cash on delivery is available.'),
  max_weight_g: z
    .int()
    .min(1)
    .max(100_000_000)
    .nullable()
    .default(null)
    .describe('Grams. Null: no limit.'),
});
export type Service = z.output<typeof ServiceBody>;

const isUnique = (services: readonly { code: string }[]): boolean =>
  new Set(services.map(({ code }) => code)).size === services.length;

const areas = {
  codes: z
    .array(part)
    .max(maxParts)
    .describe(
      'Complete postal codes, or the leading part of a code that stands for an area: ' +
        '`SW1A` (GB), `K1A` (CA), `D02` (IE), `1012` (NL).',
    ),
  ranges: z
    .array(z.strictObject({ from: part, to: part }))
    .max(maxParts)
    .describe('Inclusive ranges of codes, or of code prefixes of the same length.'),
  prefixes: z
    .array(part)
    .max(maxParts)
    .describe(
      'Prefixes of codes. In GB, they match whole parts only: `S` matches Sheffield ' +
        'codes but not `SW`; `E1` does not match `E10`.',
    ),
};

/** The members of a zone. */
export const shape = {
  name,
  country,
  ...areas,
  priority: z
    .int()
    .min(-1000)
    .max(1000)
    .describe(
      'If several zones include a code, the one with the highest priority applies; ties ' +
        'go to the most specific zone, then the oldest.',
    ),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters, such as USD')
    .nullable()
    .describe('ISO 4217. Required for prices.'),
  services: z
    .array(ServiceBody)
    .max(serviceCodes.length)
    .refine(isUnique, 'must name each service once')
    .refine(
      (list) => list.every(({ min_days: min, max_days: max }) => min <= max),
      'must have max_days of at least min_days',
    )
    .describe('Delivery services. If empty, nothing is delivered.'),
  rule: z
    .boolean()
    .describe(
      'Whether it is a rule, which decides about its own codes only. As long as there are only ' +
        'rules, other codes stay undecided (`no_zones`); with the first zone, codes outside of ' +
        'every zone and rule are not served. Needs codes, ranges or prefixes.',
    ),
};

export const exampleServices = [{ code: 'standard', min_days: 1, max_days: 3, price: '4.99' }];
const exampleZone = {
  name: 'San Francisco',
  country: 'US',
  codes: ['94102', '94103'],
  ranges: [{ from: '94105', to: '94112' }],
  prefixes: ['941'],
  currency: 'USD',
  services: exampleServices,
};

export const ZoneBody = z
  .strictObject({
    ...shape,
    codes: areas.codes.default([]),
    ranges: areas.ranges.default([]),
    prefixes: areas.prefixes.default([]),
    priority: shape.priority.default(0),
    currency: shape.currency.default(null),
    services: shape.services.default([]),
    rule: shape.rule.default(false),
  })
  .meta({
    id: 'CreateDeliveryZone',
    description: 'If no codes, ranges or prefixes are given, the zone covers the whole country.',
    examples: [exampleZone],
  });
export type ZoneBody = z.output<typeof ZoneBody>;
export const ChangeZoneBody = z
  .strictObject(shape)
  .partial()
  .meta({ id: 'UpdateDeliveryZone', examples: [{ priority: 10, services: exampleServices }] });
export type ChangeZoneBody = z.output<typeof ChangeZoneBody>;

export const ServiceView = z.object({
  code: z.enum(serviceCodes),
  min_days: z.int(),
  max_days: z.int(),
  price: z
    .string()
    .nullable()
    .meta({ examples: ['4.99'] }),
  cod: z.boolean(),
  max_weight_g: z.int().nullable(),
});
const time = z.iso.datetime();
export const ZoneView = z
  .object({
    id,
    name: z.string(),
    country: z.string(),
    priority: z.int(),
    codes: z.array(z.string()),
    ranges: z.array(z.object({ from: z.string(), to: z.string() })),
    prefixes: z.array(z.string()),
    currency: z.string().nullable(),
    services: z.array(ServiceView),
    rule: z.boolean(),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'DeliveryZone',
    description: 'The delivery zone.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        ...exampleZone,
        priority: 0,
        services: [{ ...exampleServices[0], cod: false, max_weight_g: null }],
        rule: false,
        created_at: '2026-05-04T09:30:00.000Z',
        updated_at: '2026-05-04T10:15:00.000Z',
      },
    ],
  });
export type ZoneView = z.output<typeof ZoneView>;

export const ZoneParams = z.object({ id });
export const ZoneListQuery = z.strictObject({
  country: country.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum entries per page.'),
  cursor: id.optional().describe('The `next_cursor` from the previous page.'),
});
export const ZonePage = z
  .object({
    data: z.array(ZoneView).describe('Oldest first.'),
    next_cursor: NextCursor,
    total: z.int(),
  })
  .meta({ id: 'DeliveryZoneList', description: 'A page of delivery zones, oldest first.' });
export const DeletedZone = z
  .object({
    deleted: z.literal(true),
    id: z.string().meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
  })
  .meta({ id: 'DeletedDeliveryZone', description: 'The id of the deleted delivery zone.' });

const replace = z.boolean().default(false).describe('Delete zones that are not in this request.');
export const BulkBody = z
  .strictObject({ zones: z.array(ZoneBody).min(1).max(2000), replace })
  .meta({ id: 'ImportDeliveryZones', examples: [{ zones: [exampleZone] }] });
export const ImportQuery = z.object({ replace });
export const BulkView = z
  .object({
    created: z.int(),
    changed: z.int(),
    deleted: z.int(),
    total: z.int().describe('Number of zones after the import.'),
  })
  .meta({
    id: 'ImportedDeliveryZones',
    description: 'How many delivery zones were created, changed and deleted.',
  });
export type BulkView = z.output<typeof BulkView>;
