import { z } from 'zod';

const method = z.string();

export const CmykView = z.object({
  service: z.literal('cmyk'),
  version: z.string(),
  method,
  endpoints: z.array(z.object({ method: z.string(), path: z.string() })),
  docs: z.string(),
});

export const DevView = z.object({
  enabled: z.boolean().describe('True in development mode, for requests from this machine.'),
  environment: z.enum(['production', 'development', 'test']),
  method,
  changed: z.literal(false).describe('These paths only report.'),
  detail: z.string(),
});

export const DeliverabilityQuery = z.object({
  zip: z.string().max(16).optional().describe('Postal code.'),
  country: z.string().regex(/^[A-Za-z]{2}$/).default('US').describe('ISO 3166-1 alpha-2.'),
});

export const DeliverabilityView = z.object({
  method,
  postal_code: z.string().nullable(),
  country: z.string(),
  valid_format: z.boolean().nullable().describe('Null when no postal code was given, or the format of the country is not known.'),
  known: z.null(),
  deliverable: z.null(),
  services: z.array(z.never()),
  stored: z.literal(false),
  reason: z.literal('no_zones'),
  detail: z.string(),
});

export const GeoipQuery = z.object({
  ip: z.union([z.ipv4(), z.ipv6()]).optional().describe('Another address than your own.'),
});

export const GeoipView = z.object({
  ip: z.string(),
  version: z.union([z.literal(4), z.literal(6)]),
  country: z.string().nullable().describe('English name.'),
  country_iso: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
  country_eu: z.boolean().nullable(),
  bogon: z.boolean().describe('True for private, loopback, documentation and other addresses that are not on the internet.'),
  source: z.string(),
});
export type GeoipView = z.output<typeof GeoipView>;
