import { isIP } from 'node:net';
import { z } from 'zod';
import { countryOf } from '../../../areas/deliverability/postal-codes.ts';
import { CheckView } from '../../../areas/deliverability/schemas.ts';
import { GeoipView } from '../../../areas/geoip/schemas.ts';
import type { McpServices } from '../context.ts';
import { type CreateTool, defineTool, readOnly } from './tool.ts';

const address = z
  .string()
  .trim()
  .max(45)
  .refine((text) => isIP(text) !== 0 && !text.includes('%'), 'must be an IPv4 or IPv6 address');
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters, such as US')
  .default('US');

const checkDeliverability = ({ deliverability }: McpServices): CreateTool =>
  defineTool({
    name: 'check_deliverability',
    title: 'Check a postal code',
    annotations: readOnly,
    description:
      'Returns whether parcels are delivered to a postal code, how fast and at what ' +
      'price. Reports separately whether the code is well-formed, exists and is served; ' +
      'null means unknown.',
    input: z.strictObject({
      postal_code: z.string().trim().min(1).max(16),
      country,
      weight_g: z.int().min(1).max(100_000_000).optional(),
      cod: z.boolean().default(false).describe('Whether the parcel is paid for on delivery.'),
    }),
    output: CheckView.omit({ postal_code: true }).extend({
      place: z.object({ city: z.string(), region: z.string() }).nullable(),
    }),
    run: ({ postal_code: postalCode, country: code, weight_g: weight, cod }) =>
      deliverability.check({ postalCode, country: countryOf(code), weight, cod }),
  });

const lookupIp = ({ addressFacts }: McpServices): CreateTool =>
  defineTool({
    name: 'lookup_ip',
    title: 'Look up an IP address',
    annotations: readOnly,
    description:
      'Returns the country of an IP address and, if the operator provides databases with them, ' +
      'its region, city and network. Looks into local files, without external requests. Private ' +
      'and reserved addresses are `bogon`; unknown values are null.',
    input: z.strictObject({ ip: address }),
    output: GeoipView.omit({ ip_decimal: true, hostname: true, user_agent: true }),
    run: ({ ip }) => addressFacts.of(ip),
  });

/** Addresses and places, for all callers, as in the REST API. */
export const placeTools = (services: McpServices): CreateTool[] => [
  checkDeliverability(services),
  lookupIp(services),
];
