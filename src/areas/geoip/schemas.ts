import { z } from 'zod';

// No zones (`fe80::1%eth0`): they have a meaning on one machine only.
const address = z.union([z.ipv4(), z.ipv6()]);

export const GeoipQuery = z.object({
  ip: address.optional().describe('IP address to look up. Default: your own.'),
});
export const GeoipParams = z.object({ ip: address.describe('IPv4 or IPv6.') });

export const GeoipView = z
  .object({
    ip: z
      .string()
      .describe('Canonical form: IPv6 as in RFC 5952, mapped IPv4 as IPv4.')
      .meta({ examples: ['203.0.113.7'] }),
    ip_decimal: z
      .union([z.int(), z.string()])
      .describe(
        'The address as a number; as a string for IPv6, which exceeds JSON number precision.',
      ),
    version: z.union([z.literal(4), z.literal(6)]),
    country: z
      .string()
      .nullable()
      .describe('English name of the country where the address is located.')
      .meta({ examples: ['Germany'] }),
    country_iso: z
      .string()
      .nullable()
      .describe('ISO 3166-1 alpha-2.')
      .meta({ examples: ['DE'] }),
    country_eu: z
      .boolean()
      .nullable()
      .describe('Whether the country is a member of the European Union.'),
    region_name: z.null(),
    region_code: z.null(),
    zip_code: z.null(),
    city: z.null(),
    latitude: z.null(),
    longitude: z.null(),
    time_zone: z.null(),
    asn: z.null(),
    asn_org: z.null(),
    hostname: z.null().describe('Always null: host names are not looked up.'),
    user_agent: z
      .object({
        product: z.string().meta({ examples: ['Mozilla'] }),
        version: z
          .string()
          .nullable()
          .meta({ examples: ['5.0'] }),
        raw_value: z.string().describe('At most 512 characters.'),
      })
      .nullable()
      .describe('User agent of the request.'),
    bogon: z
      .boolean()
      .describe(
        'True for private, loopback, documentation and other addresses that are not on the ' +
          'internet.',
      ),
    source: z.string(),
  })
  .meta({
    id: 'Geoip',
    description:
      'The country of the IP address. Unknown values are null. This service has no data ' +
      'about cities or networks.',
  });
export type GeoipView = z.output<typeof GeoipView>;
