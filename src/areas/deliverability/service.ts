import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import { keyOf, wellFormed } from './postal-codes.ts';
import type { Places } from './places.ts';
import type { CheckView, reasons } from './schemas.ts';
import type { Service } from './zones/schemas.ts';
import type { ZoneMatch, ZoneStore } from './zones/store.ts';

export interface CheckInput {
  postalCode: string | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  /** Grams. */
  weight?: number | undefined;
  /** Cash on delivery. */
  cod: boolean;
}

type Reason = (typeof reasons)[number];

const details: Readonly<Record<Reason, string>> = {
  no_postal_code: 'No postal code was sent.',
  invalid_format: 'This is not a postal code of this country.',
  no_zones:
    'No delivery zones are configured yet. An admin can add them at ' +
    '/api/v1/deliverability/zones.',
  not_served: 'This postal code is not served.',
  unknown_code: 'This postal code does not exist.',
  too_heavy: 'This postal code is served, but not at this weight.',
  no_cod: 'This postal code is served, but without cash on delivery.',
  no_service: 'This postal code is served, but not at this weight with cash on delivery.',
};

const fitsWeight = ({ max_weight_g: max }: Service, { weight }: CheckInput): boolean =>
  weight === undefined || max === null || weight <= max;
const allowsCod = (service: Service, { cod }: CheckInput): boolean => service.cod || !cod;
const canDeliver = (service: Service, input: CheckInput): boolean =>
  fitsWeight(service, input) && allowsCod(service, input);

interface Facts {
  /** Null when the country's format is unknown. */
  isValid: boolean | null;
  /** Null when the country's codes are unknown. */
  isKnown: boolean | null;
  match: ZoneMatch | undefined;
  /** Whether a zone defines the served area. */
  hasArea: boolean;
}

/** Why nothing is delivered; null when at least one service delivers. */
function reasonOf(input: CheckInput, { isValid, isKnown, match, hasArea }: Facts): Reason | null {
  if (input.postalCode === undefined) return 'no_postal_code';
  if (isValid === false) return 'invalid_format';
  if (match === undefined) return hasArea ? 'not_served' : 'no_zones';
  const {
    zone: { services },
    isExact,
  } = match;
  if (services.length === 0) return 'not_served';
  // The list of codes may be out of date: a zone that names the code overrides it.
  if (isKnown === false && !isExact) return 'unknown_code';
  if (services.some((service) => canDeliver(service, input))) return null;
  if (!services.some((service) => fitsWeight(service, input))) return 'too_heavy';
  return services.some((service) => allowsCod(service, input)) ? 'no_service' : 'no_cod';
}

function estimate(services: readonly Service[], now: number) {
  const day = (days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10);
  if (services.length === 0) return null;
  return {
    earliest: day(Math.min(...services.map(({ min_days: min }) => min))),
    latest: day(Math.max(...services.map(({ max_days: max }) => max))),
  };
}

function zoneView(
  input: CheckInput,
  match: ZoneMatch | undefined,
  isOpen: boolean,
  now: number,
): Pick<CheckView, 'zone' | 'services' | 'estimated_delivery'> {
  if (match === undefined) return { zone: null, services: [], estimated_delivery: null };
  const { id, name, currency, services } = match.zone;
  const views = services.map((service) => ({
    ...service,
    currency: service.price === null ? null : currency,
    deliverable: isOpen && canDeliver(service, input),
  }));
  return {
    zone: { id, name },
    services: views,
    estimated_delivery: estimate(
      views.filter(({ deliverable }) => deliverable),
      now,
    ),
  };
}

/** Parses the postal code; `key` is undefined if it is missing or malformed. */
function readCode({ postalCode, country }: CheckInput) {
  if (postalCode === undefined) return { normalized: undefined, isValid: null, key: undefined };
  const normalized = wellFormed(country, postalCode);
  if (normalized === null) return { normalized, isValid: false, key: undefined };
  const key = keyOf(country, normalized ?? postalCode);
  return { normalized, isValid: normalized === undefined ? null : true, key };
}

/** Checks whether a postal code is well-formed, whether it exists, and whether it is served. */
export function createDeliverability({
  store,
  places,
  clock,
}: {
  store: Pick<ZoneStore, 'match' | 'hasArea'>;
  places: Places;
  clock: Clock;
}) {
  return {
    async check(input: CheckInput): Promise<CheckView> {
      const { postalCode, country } = input;
      const { normalized, isValid, key } = readCode(input);
      const [place, match, hasArea] = await Promise.all([
        key === undefined ? undefined : places.find(country, key),
        key === undefined ? undefined : store.match(country, key),
        store.hasArea(),
      ]);
      const isKnown = place === undefined ? null : place !== null;
      // Without rules for the country, only text that can't be a code anywhere is malformed.
      const isImpossible = postalCode !== undefined && key === undefined;
      const facts = { isValid: isValid ?? (isImpossible ? false : null), isKnown, match };
      const reason = reasonOf(input, { ...facts, hasArea });
      const isUndecided = reason === 'no_zones' || reason === 'no_postal_code';
      return {
        postal_code: postalCode ?? null,
        normalized: normalized ?? null,
        country,
        valid_format: isValid,
        known: isKnown,
        deliverable: isUndecided ? null : reason === null,
        place: place ?? null,
        ...zoneView(input, match, reason === null, clock.now()),
        reason,
        detail: reason === null ? 'This postal code is served.' : details[reason],
      };
    },
  };
}

export type Deliverability = ReturnType<typeof createDeliverability>;
