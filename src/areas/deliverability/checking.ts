import { type Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import { keyOf, wellFormed } from './postal-codes.ts';
import type { Places } from './places.ts';
import type { CheckView, reasons, Service } from './schemas.ts';
import type { Match, ZoneStore } from './zone-store.ts';

export interface Question {
  postalCode: string | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  /** Grams. */
  weight?: number | undefined;
  /** Paid for on delivery. */
  cod: boolean;
}

type Reason = (typeof reasons)[number];

const details: Readonly<Record<Reason, string>> = {
  no_postal_code: 'No postal code was given.',
  invalid_format: 'This is no postal code of this country.',
  no_zones:
    'No delivery zones are set up yet, so nobody can say what is served. Admins add them at /api/v1/deliverability/zones.',
  not_served: 'Nothing is delivered there.',
  unknown_code: 'There is no such postal code, as far as is known.',
  too_heavy: 'It is delivered there, but not with this weight.',
  no_cod: 'It is delivered there, but can not be paid for on delivery.',
  no_service: 'It is delivered there, but not with this weight and paid for on delivery.',
};

const bears = ({ max_weight_g: most }: Service, { weight }: Question): boolean =>
  weight === undefined || most === null || weight <= most;
const collects = (service: Service, { cod }: Question): boolean => service.cod || !cod;

function reasonOf(
  question: Question,
  {
    valid,
    known,
    match,
    isEmpty,
  }: { valid: boolean | null; known: boolean | null; match: Match | undefined; isEmpty: boolean },
): Reason | null {
  if (question.postalCode === undefined) return 'no_postal_code';
  if (valid === false) return 'invalid_format';
  if (match === undefined) return isEmpty ? 'no_zones' : 'not_served';
  const {
    zone: { services },
    isExact,
  } = match;
  if (services.length === 0) return 'not_served';
  // Lists of codes are never quite new: a zone that names a code knows better.
  if (known === false && !isExact) return 'unknown_code';
  if (services.some((service) => bears(service, question) && collects(service, question)))
    return null;
  if (!services.some((service) => bears(service, question))) return 'too_heavy';
  return services.some((service) => collects(service, question)) ? 'no_service' : 'no_cod';
}

function estimate(services: readonly Service[], now: number) {
  const day = (days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10);
  if (services.length === 0) return null;
  return {
    earliest: day(Math.min(...services.map(({ min_days: min }) => min))),
    latest: day(Math.max(...services.map(({ max_days: max }) => max))),
  };
}

function served(
  question: Question,
  match: Match | undefined,
  isOpen: boolean,
  now: number,
): Pick<CheckView, 'zone' | 'services' | 'estimated_delivery'> {
  if (match === undefined) return { zone: null, services: [], estimated_delivery: null };
  const { id, name, currency, services } = match.zone;
  const views = services.map((service) => ({
    ...service,
    currency: service.price === null ? null : currency,
    deliverable: isOpen && bears(service, question) && collects(service, question),
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

/** Whether parcels go to a postal code. Three things are kept apart: it is well-formed, it exists, it is served. */
export function createDeliverability({
  store,
  places,
  clock,
}: {
  store: Pick<ZoneStore, 'match' | 'isEmpty'>;
  places: Places;
  clock: Clock;
}) {
  return {
    async check(question: Question): Promise<CheckView> {
      const { postalCode, country } = question;
      const normalized = postalCode === undefined ? undefined : wellFormed(country, postalCode);
      const valid = normalized === undefined ? null : normalized !== null;
      const key =
        postalCode === undefined || valid === false
          ? undefined
          : keyOf(country, normalized ?? postalCode);
      const [place, match, isEmpty] = await Promise.all([
        key === undefined ? undefined : places.find(country, key),
        key === undefined ? undefined : store.match(country, key),
        store.isEmpty(),
      ]);
      const known = place === undefined ? null : place !== null;
      // Where nothing is known of the codes, what can't be one in any country is not well-formed.
      const reason = reasonOf(question, {
        valid: valid ?? (postalCode !== undefined && key === undefined ? false : null),
        known,
        match,
        isEmpty,
      });
      const cannotSay = reason === 'no_zones' || reason === 'no_postal_code';
      return {
        postal_code: postalCode ?? null,
        normalized: normalized ?? null,
        country,
        valid_format: valid,
        known,
        deliverable: cannotSay ? null : reason === null,
        place: place ?? null,
        ...served(question, match, reason === null, clock.now()),
        reason,
        detail: reason === null ? 'It is delivered there.' : details[reason],
      };
    },
  };
}

export type Deliverability = ReturnType<typeof createDeliverability>;
