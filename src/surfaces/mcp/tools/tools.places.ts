import { isIP } from 'node:net';
import { z } from 'zod';
import type { Deliverability } from '../../../areas/deliverability/checking.ts';
import type { AddressFacts } from '../../../areas/geoip/service.ts';
import type { Tool } from '../offer.ts';
import { defineTool, reads, type ToolDeps } from './tool.ts';

export interface PlacesSource {
  deliverability: Pick<Deliverability, 'check'>;
  addressFacts: AddressFacts;
}

const address = z
  .string()
  .trim()
  .max(45)
  .refine((text) => isIP(text) !== 0 && !text.includes('%'), 'must be an IPv4 or IPv6 address');
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters, such as US')
  .default('US');
const fact = z.boolean().nullable();

/** Tools about places: open to whoever came in, as their paths of REST are. */
export function placeTools({ deliverability, addressFacts }: PlacesSource, deps: ToolDeps): Tool[] {
  return [
    defineTool(
      {
        name: 'check_deliverability',
        title: 'Is a postal code served',
        annotations: reads,
        description:
          'Whether parcels are delivered to a postal code, how fast and for how much. Three facts are kept apart: it is well-formed, it exists, it is served; null means that it is not known.',
        input: z.strictObject({
          postal_code: z.string().trim().min(1).max(16),
          country,
          weight_g: z.int().min(1).max(100_000_000).optional(),
          cod: z.boolean().default(false).describe('Whether it is to be paid for on delivery.'),
        }),
        output: z.object({
          normalized: z.string().nullable(),
          country: z.string(),
          valid_format: fact,
          known: fact,
          deliverable: fact,
          reason: z.string().nullable(),
          detail: z.string(),
          place: z.object({ city: z.string(), region: z.string() }).nullable(),
          zone: z.object({ id: z.string(), name: z.string() }).nullable(),
          services: z.array(
            z.object({
              code: z.string(),
              min_days: z.int(),
              max_days: z.int(),
              price: z.string().nullable(),
              currency: z.string().nullable(),
              cod: z.boolean(),
              max_weight_g: z.int().nullable(),
              deliverable: z.boolean(),
            }),
          ),
          estimated_delivery: z.object({ earliest: z.string(), latest: z.string() }).nullable(),
        }),
        run: ({ postal_code: postalCode, country: code, weight_g: weight, cod }) =>
          deliverability.check({ postalCode, country: code, weight, cod }),
      },
      deps,
    ),
    defineTool(
      {
        name: 'lookup_ip',
        title: 'Where an address is',
        annotations: reads,
        description:
          'The country that an IP address is assigned to, from a list that ships with the service: nobody is asked. Private and reserved addresses are `bogon`; what is not known is null.',
        input: z.strictObject({ ip: address }),
        output: z.object({
          ip: z.string(),
          version: z.int(),
          country_iso: z.string().nullable(),
          country: z.string().nullable(),
          country_eu: fact,
          bogon: z.boolean(),
        }),
        run: ({ ip }) => addressFacts.of(ip),
      },
      deps,
    ),
  ];
}
