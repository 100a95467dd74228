import { type CountryPlace, countryPlace } from '../../../lib/places/country-places.ts';
import { hourMs } from '../../../lib/durations.ts';

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
 * The least distance between two countries (ISO 3166-1 alpha-2) in km: the arc between their
 * centroids less both radii, so 0 for neighbours and within one country. Undefined when one of them
 * is unknown. Overseas territories count as if they lay in the mainland.
 */
export function kilometresBetween(a: string, b: string): number | undefined {
  const [from, to] = [countryPlace(a), countryPlace(b)];
  if (from === undefined || to === undefined) return undefined;
  return a === b ? 0 : Math.max(0, arcBetween(from, to) - from.radius - to.radius);
}

/**
 * True when nobody gets from one country to the other in this time: they are more than 500 km
 * apart, and it would take more than 1000 km/h, faster than any airliner. `elapsedMs` may be
 * negative, after a clock was set back: its sign is ignored.
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
