import { type CountryPlace, countryPlace } from './country-places.ts';
import { hourMs } from '../../../../lib/durations.ts';

const earthRadiusKm = 6371;
const minDistanceKm = 500;
const maxSpeedKmh = 1000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in km, by the haversine formula. */
function arcBetween(a: CountryPlace, b: CountryPlace): number {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const haversine = north + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * east;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/**
 * The minimum distance in km between two countries (ISO 3166-1 alpha-2): the arc between their
 * centroids minus both radii, so 0 for neighbours and within one country. Undefined when a country
 * is unknown. Overseas territories count as part of the mainland.
 */
export function kilometresBetween(a: string, b: string): number | undefined {
  const [from, to] = [countryPlace(a), countryPlace(b)];
  if (from === undefined || to === undefined) return undefined;
  return a === b ? 0 : Math.max(0, arcBetween(from, to) - from.radius - to.radius);
}

/**
 * True when the countries are more than 500 km apart and the journey would take more than
 * 1000 km/h, faster than any airliner. The sign of `elapsedMs` is ignored: it is negative after a
 * clock was set back.
 */
export function isImpossibleTravel({
  from,
  to,
  elapsedMs,
}: {
  from: string;
  to: string;
  elapsedMs: number;
}): boolean {
  const distance = kilometresBetween(from, to);
  return (
    distance !== undefined &&
    distance > minDistanceKm &&
    distance > maxSpeedKmh * (Math.abs(elapsedMs) / hourMs)
  );
}
