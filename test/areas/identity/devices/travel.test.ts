import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isImpossibleTravel,
  kilometresBetween,
} from '../../../../src/areas/identity/devices/recognition/travel.ts';
import { hourMs as hour } from '../../../../src/lib/durations.ts';
import { countryPlace } from '../../../../src/areas/identity/devices/recognition/country-places.ts';

// ISO 3166-1 alpha-2, all 249 assigned codes.
const isoCodes = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ
  BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM
  DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS
  GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
  KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ
  MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
  PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
  SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
  VN VU WF WS YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

const countries = fc.constantFrom(...isoCodes);

describe('countryPlace', () => {
  test('has every country, on the globe and no larger than a continent', () => {
    expect(isoCodes).toHaveLength(249);
    for (const code of [...isoCodes, 'XK']) {
      const place = countryPlace(code);
      expect(place, code).toBeDefined();
      expect(Math.abs(place!.latitude), code).toBeLessThanOrEqual(90);
      expect(Math.abs(place!.longitude), code).toBeLessThanOrEqual(180);
      expect(place!.radius, code).toBeGreaterThan(0);
      expect(place!.radius, code).toBeLessThan(4500);
    }
  });

  test.each(['AP', 'EU', 'ZZ', 'de', '', 'constructor', '__proto__'])(
    'has no country %j',
    (code) => {
      expect(countryPlace(code)).toBeUndefined();
    },
  );

  // Cities, each of which must lie in the circle of its country.
  test.each([
    ['US', 40.7, -74],
    ['US', 47.6, -122.3],
    ['CA', 49.3, -123.1],
    ['RU', 55.8, 37.6],
    ['RU', 43.1, 131.9],
    ['RU', 54.7, 20.5],
    ['FR', 48.4, -4.5],
    ['FR', 41.9, 8.7],
    ['DE', 47.6, 10.3],
    ['JP', 43.1, 141.4],
    ['AU', -32, 115.9],
    ['BR', -8, -34.9],
    ['SG', 1.3, 103.8],
    ['NZ', -36.8, 174.8],
    ['IS', 64.1, -21.9],
    ['ZA', -33.9, 18.4],
    ['ID', 5.5, 95.3],
    ['MY', 3.1, 101.7],
    ['FJ', -18.1, 178.4],
    ['KI', 1.3, 173],
  ])('covers %d, %d in %s', (code, latitude, longitude) => {
    const place = countryPlace(code)!;
    const radians = (degrees: number) => (degrees * Math.PI) / 180;
    const cosine =
      Math.sin(radians(latitude)) * Math.sin(radians(place.latitude)) +
      Math.cos(radians(latitude)) *
        Math.cos(radians(place.latitude)) *
        Math.cos(radians(longitude - place.longitude));
    expect(Math.acos(cosine) * 6371).toBeLessThanOrEqual(place.radius);
  });
});

describe('kilometresBetween', () => {
  test.each([
    ['DE', 'FR'],
    ['US', 'CA'],
    ['US', 'MX'],
    ['ES', 'PT'],
    ['SG', 'MY'],
    ['RU', 'FI'],
    ['RU', 'PL'],
    ['CN', 'RU'],
    ['SX', 'BQ'],
    ['TR', 'GR'],
  ])('is 0 between the neighbours %s and %s', (a, b) => {
    expect(kilometresBetween(a, b)).toBeLessThanOrEqual(100);
  });

  test.each([
    ['DE', 'JP', 6000, 8500],
    ['GB', 'US', 2500, 5000],
    ['AU', 'BR', 8000, 12000],
    ['FJ', 'WS', 0, 700],
    ['NZ', 'IS', 14000, 18000],
  ])('for %s and %s lies between %d and %d km', (a, b, least, most) => {
    const distance = kilometresBetween(a, b);
    expect(distance).toBeGreaterThanOrEqual(least);
    expect(distance).toBeLessThanOrEqual(most);
  });

  test('is symmetric, never negative, and 0 within one country', () => {
    fc.assert(
      fc.property(countries, countries, (a, b) => {
        expect(kilometresBetween(a, b)).toBeCloseTo(kilometresBetween(b, a) ?? Number.NaN, 6);
        expect(kilometresBetween(a, b)).toBeGreaterThanOrEqual(0);
        expect(kilometresBetween(a, a)).toBe(0);
      }),
    );
  });

  test.each([
    ['DE', 'AP'],
    ['ZZ', 'DE'],
    ['ZZ', 'ZZ'],
    ['', 'DE'],
  ])('is undefined for %j and %j', (a, b) => {
    expect(kilometresBetween(a, b)).toBeUndefined();
  });
});

describe('isImpossibleTravel', () => {
  // A negative time: the clock was set back.
  test.each([
    ['DE', 'JP', 1, true],
    ['DE', 'JP', 12, false],
    ['DE', 'JP', -1, true],
    ['DE', 'JP', -12, false],
    ['DE', 'JP', 0, true],
    ['DE', 'PL', 0, false],
    ['DE', 'DE', 0, false],
    ['AP', 'JP', 0, false],
    ['JP', 'ZZ', 0, false],
  ])('from %s to %s in %i hours: %s', (from, to, hours, expected) => {
    expect(isImpossibleTravel({ from, to, elapsedMs: hours * hour })).toBe(expected);
  });

  test('requires more than 500 km and more than 1000 km/h, for any two countries', () => {
    fc.assert(
      fc.property(
        countries,
        countries,
        fc.integer({ min: -40 * hour, max: 40 * hour }),
        (from, to, elapsedMs) => {
          const distance = kilometresBetween(from, to) ?? 0;
          expect(isImpossibleTravel({ from, to, elapsedMs })).toBe(
            distance > 500 && distance * hour > 1000 * Math.abs(elapsedMs),
          );
        },
      ),
    );
  });
});
