import type { Resources } from '../../platform/resources.ts';
import { openGeoip } from './country-database.ts';
import { openFileDatabase } from './file-database.ts';
import { CityRecord, NetworkRecord } from './records.ts';
import { createAddressFacts } from './service.ts';

type GeoipResources = Pick<Resources, 'config' | 'clock' | 'logger'>;

/** Opens the files of the settings. Throws an error that names the setting of an unusable one. */
async function openFiles(resources: GeoipResources) {
  const [cities, networks] = await Promise.all([
    openFileDatabase(resources, {
      setting: 'GEOIP_CITY_FILE',
      type: /city|enterprise|location|insights/i,
      example: 'GeoLite2-City.mmdb or dbip-city-lite.mmdb',
      schema: CityRecord,
    }),
    openFileDatabase(resources, {
      setting: 'GEOIP_ASN_FILE',
      type: /asn|isp/i,
      example: 'GeoLite2-ASN.mmdb or dbip-asn-lite.mmdb',
      schema: NetworkRecord,
    }),
  ]);
  return { cities, networks };
}

/** Opens the databases and creates the service for address facts. */
export async function composeGeoip(resources: GeoipResources) {
  const files = await openFiles(resources);
  const geoip = openGeoip(files);
  return { geoip, files, addressFacts: createAddressFacts({ geoip }) };
}

/** What the operations of geolocation run with. */
export type GeoipContext = Awaited<ReturnType<typeof composeGeoip>>;
