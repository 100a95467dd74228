import { isIP } from 'node:net';
import { plainAddress } from '../../platform/geoip.ts';
import type { Geoip } from '../../platform/geoip.ts';
import type { GeoipView } from './schemas.ts';

const euCountries = new Set([
  'AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL',
  'PL', 'PT', 'RO', 'SE', 'SI', 'SK',
]);

/** What is known of an address. Unknown is null, never a guess. */
export function geoipView(geoip: Geoip, address: string): GeoipView {
  const ip = plainAddress(address);
  const code = geoip.country(ip);
  return {
    ip,
    version: isIP(ip) === 6 ? 6 : 4,
    country: code === undefined ? null : new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? null,
    country_iso: code ?? null,
    country_eu: code === undefined ? null : euCountries.has(code),
    bogon: geoip.isBogon(ip),
    source: 'iptoasn.com (PDDL)',
  };
}
