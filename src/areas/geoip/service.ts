import { isIP } from 'node:net';
import { countryName } from '../../lib/places/country-names.ts';
import { addressNumber, canonicalAddress } from '../../lib/net/ip.ts';
import type { Geoip } from './country-database.ts';
import type { GeoipView } from './schemas.ts';

const euCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Fields that the database does not have. */
const unknown = {
  region_name: null,
  region_code: null,
  zip_code: null,
  city: null,
  latitude: null,
  longitude: null,
  time_zone: null,
  asn: null,
  asn_org: null,
  hostname: null,
} as const;

const maxAgentLength = 512;

/** Parses the first product of a User-Agent header (RFC 9110 §10.1.5). */
function parseUserAgent(header: string | undefined): GeoipView['user_agent'] {
  const raw = header?.slice(0, maxAgentLength).trim() ?? '';
  const [, product, version] = /^([^\s/]+)(?:\/(\S*))?/.exec(raw) ?? [];
  return product === undefined
    ? null
    : {
        product,
        version: version === undefined || version === '' ? null : version,
        raw_value: raw,
      };
}

/** Facts about IP addresses. */
export function createAddressFacts({ geoip }: { geoip: Geoip }) {
  return {
    /** `address` must be a valid IP address. */
    of(address: string, userAgent?: string): GeoipView {
      const ip = canonicalAddress(address) ?? address;
      const code = geoip.country(ip);
      const number = addressNumber(ip);
      return {
        ip,
        ip_decimal: isIP(ip) === 4 ? Number(number) : String(number),
        version: isIP(ip) === 6 ? 6 : 4,
        country: code === undefined ? null : (countryName(code) ?? null),
        country_iso: code ?? null,
        country_eu: code === undefined ? null : euCountries.has(code),
        ...unknown,
        user_agent: parseUserAgent(userAgent),
        bogon: geoip.isBogon(ip),
        source: 'iptoasn.com (PDDL)',
      };
    },
  };
}

export type AddressFacts = ReturnType<typeof createAddressFacts>;
