import { openGeoip } from './country-database.ts';
import { createAddressFacts } from './service.ts';

/** Where addresses are. */
export function composeGeoip() {
  const geoip = openGeoip();
  return { geoip, addressFacts: createAddressFacts({ geoip }) };
}
