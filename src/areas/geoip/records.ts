import { z } from 'zod';

// A member of an unexpected type counts as absent: a database never makes a lookup fail.
const text = z.string().trim().min(1).max(200).optional().catch(undefined);
const degrees = (max: number) => z.number().min(-max).max(max).optional().catch(undefined);
const names = z.object({ en: text }).optional().catch(undefined);

/**
 * A record of a city database: MaxMind's GeoLite2 City and GeoIP2 City, which DB-IP follows. The
 * free edition of DB-IP has no codes of regions, postal codes or time zones.
 */
export const CityRecord = z.object({
  city: z.object({ names }).optional().catch(undefined),
  country: z
    .object({
      iso_code: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  location: z
    .object({ latitude: degrees(90), longitude: degrees(180), time_zone: text })
    .optional()
    .catch(undefined),
  postal: z.object({ code: text }).optional().catch(undefined),
  subdivisions: z
    .array(z.object({ iso_code: text, names }))
    .optional()
    .catch(undefined),
});
export type CityRecord = z.output<typeof CityRecord>;

/** A record of an ASN or ISP database: GeoLite2 ASN, GeoIP2 ISP and DB-IP's editions of them. */
export const NetworkRecord = z.object({
  autonomous_system_number: z.int().min(1).max(4_294_967_295).optional().catch(undefined),
  autonomous_system_organization: text,
});
export type NetworkRecord = z.output<typeof NetworkRecord>;
