import { openGeoip } from './country-database.ts';
import { createAddressFacts } from './service.ts';

/** Opens the country database and creates the service for address facts. */
export function composeGeoip() {
  const geoip = openGeoip();
  return { geoip, addressFacts: createAddressFacts({ geoip }) };
}
