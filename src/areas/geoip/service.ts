import { isIP } from 'node:net';
import { countryName } from '../../lib/places/country-names.ts';
import { addressNumber, canonicalAddress } from '../../lib/net/ip.ts';
import type { Geoip } from './country-database.ts';
import type { CityRecord, NetworkRecord } from './records.ts';
import type { GeoipView } from './schemas.ts';

const euCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** What the operator's databases say about the place of an address. */
function placeOf(city: CityRecord | undefined) {
  const { location, postal, subdivisions = [] } = city ?? {};
  const [region] = subdivisions;
  return {
    region_name: region?.names?.en ?? null,
    region_code: region?.iso_code ?? null,
    zip_code: postal?.code ?? null,
    city: city?.city?.names?.en ?? null,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    time_zone: location?.time_zone ?? null,
  };
}

function networkOf(network: NetworkRecord | undefined) {
  const { autonomous_system_number: asn, autonomous_system_organization: organization } =
    network ?? {};
  return { asn: asn === undefined ? null : `AS${asn}`, asn_org: organization ?? null };
}

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
      const { country: code, city, network, source } = geoip.lookup(ip);
      const number = addressNumber(ip);
      return {
        ip,
        ip_decimal: isIP(ip) === 4 ? Number(number) : String(number),
        version: isIP(ip) === 6 ? 6 : 4,
        country: code === undefined ? null : (countryName(code) ?? null),
        country_iso: code ?? null,
        country_eu: code === undefined ? null : euCountries.has(code),
        ...placeOf(city),
        ...networkOf(network),
        hostname: null,
        user_agent: parseUserAgent(userAgent),
        bogon: geoip.isBogon(ip),
        source,
      };
    },
  };
}

export type AddressFacts = ReturnType<typeof createAddressFacts>;
