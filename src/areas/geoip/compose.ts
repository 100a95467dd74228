import { openGeoip } from './country-database.ts';
import { createAddressFacts } from './service.ts';

/** The database of countries by IP address. */
export function composeGeoip() {
  const geoip = openGeoip();
  return { geoip, addressFacts: createAddressFacts({ geoip }) };
}
