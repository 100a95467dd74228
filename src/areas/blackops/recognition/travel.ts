import { type CountryPlace, countryPlace } from '../../../lib/places/country-places.ts';
import { hourMs } from '../../../lib/durations.ts';

const earthRadius = 6371;
const farEnough = 500;
const fastestPerHour = 1000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

// Great-circle distance by the haversine formula, km.
function arcBetween(a: CountryPlace, b: CountryPlace): number {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const haversine = north + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * east;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/**
 * How far two countries (ISO 3166-1 alpha-2) are apart at least, km: the way between their
 * centroids without both radii, so 0 for neighbours and within one country. `undefined` when one of
 * them is unknown. Parts overseas count as if they were at home.
 */
export function kilometresBetween(a: string, b: string): number | undefined {
  const [from, to] = [countryPlace(a), countryPlace(b)];
  if (from === undefined || to === undefined) return undefined;
  return a === b ? 0 : Math.max(0, arcBetween(from, to) - from.radius - to.radius);
}

/**
 * True when nobody gets from one country to the other in this time: more than 500 km apart, and
 * faster than 1000 km/h, which no airliner is. `elapsedMs` may be negative, after a clock was put
 * back: its sign is ignored.
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
    distance > farEnough &&
    distance > fastestPerHour * (Math.abs(elapsedMs) / hourMs)
  );
}
