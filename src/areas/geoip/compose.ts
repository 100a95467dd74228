import { openGeoip } from '../../platform/geoip.ts';
import { createAddressFacts } from './service.ts';

/** Where addresses are. */
export function composeGeoip() {
  const geoip = openGeoip();
  return { geoip, addressFacts: createAddressFacts({ geoip }) };
}
