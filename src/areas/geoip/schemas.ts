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
    region_name: z
      .string()
      .nullable()
      .describe('English name of the region.')
      .meta({ examples: ['Hesse'] }),
    region_code: z
      .string()
      .nullable()
      .describe('ISO 3166-2, without the country.')
      .meta({ examples: ['HE'] }),
    zip_code: z
      .string()
      .nullable()
      .describe('Postal code.')
      .meta({ examples: ['60313'] }),
    city: z
      .string()
      .nullable()
      .describe('English name of the city.')
      .meta({ examples: ['Frankfurt am Main'] }),
    latitude: z
      .number()
      .nullable()
      .describe('Degrees, WGS 84. The center of an area, not an exact place.')
      .meta({ examples: [50.1188] }),
    longitude: z
      .number()
      .nullable()
      .describe('Degrees, WGS 84.')
      .meta({ examples: [8.6843] }),
    time_zone: z
      .string()
      .nullable()
      .describe('IANA time zone.')
      .meta({ examples: ['Europe/Berlin'] }),
    asn: z
      .string()
      .nullable()
      .describe('Number of the network (autonomous system) that announces the address.')
      .meta({ examples: ['AS12306'] }),
    asn_org: z
      .string()
      .nullable()
      .describe('Operator of the network.')
      .meta({ examples: ['Plus.line AG'] }),
    hostname: z.null().describe('Always null: host names are not looked up.'),
    user_agent: z
      .object({
        product: z.string().meta({ examples: ['Mozilla'] }),
        version: z
          .string()
          .nullable()
          .meta({ examples: ['5.0'] }),
        raw_value: z
          .string()
          .describe('At most 512 characters.')
          .meta({ examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101'] }),
      })
      .nullable()
      .describe('User agent of the request.'),
    bogon: z
      .boolean()
      .describe(
        'True for private, loopback, documentation and other addresses that are not on the ' +
          'internet.',
      ),
    source: z
      .string()
      .describe('The databases that the response is based on.')
      .meta({ examples: ['GeoLite2-City, GeoLite2-ASN'] }),
  })
  .meta({
    id: 'Geoip',
    description:
      'What is known about the IP address. Unknown values are null. Regions, cities and ' +
      'networks are known only if the operator provides databases with them.',
  });
export type GeoipView = z.output<typeof GeoipView>;
