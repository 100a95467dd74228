import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoizeByObject } from '../../../lib/memoize.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import { type Interval, intervalsOf } from './intervals.ts';
import type { ZoneBody } from './schemas.ts';

type Path = readonly (string | number)[];
/** Returns the path in the request of the zone with this index. */
export type LocateZone = (index: number) => (string | number)[];

/** Maximum of codes, ranges and prefixes in one request. */
const maxAreas = 50_000;
const maxErrors = 100;

const areasOf = memoizeByObject((body: ZoneBody) => intervalsOf(body.country, body));

/** The key intervals of a valid zone. */
export const zoneIntervals = (body: ZoneBody): readonly Interval[] => areasOf(body).intervals;

const bodyError = (path: Path, message: string) => valueError(['body', ...path], message);

/**
 * Checks what the schema can't: codes by the rules of their country, and prices without a currency.
 */
function zoneErrors(body: ZoneBody, path: Path): ValidationDetail[] {
  const { currency, services, rule } = body;
  const errors = areasOf(body)
    .problems.slice(0, maxErrors)
    .map((problem) => bodyError([...path, ...problem.path], problem.message));
  if (currency === null && services.some(({ price }) => price !== null))
    errors.push(bodyError([...path, 'currency'], 'is required if a service has a price'));
  // Without any, it would be about the whole country.
  if (rule && body.codes.length + body.ranges.length + body.prefixes.length === 0)
    errors.push(bodyError([...path, 'codes'], 'must not be empty in a rule'));
  return errors;
}

function repeatedNames(bodies: readonly ZoneBody[], locate: LocateZone): ValidationDetail[] {
  const seen = new Set<string>();
  return bodies.flatMap(({ country, name }, index) => {
    const isNew = seen.size < seen.add(`${country} ${name}`).size;
    const path = [...locate(index), 'name'];
    return isNew ? [] : [bodyError(path, 'is given more than once for this country')];
  });
}

function throwIfAny(errors: readonly ValidationDetail[]): void {
  if (errors.length > 0) throw new RequestValidationError(errors);
}

/** Throws a RequestValidationError for a zone that can't be stored. */
export const validateZone = (body: ZoneBody): void => throwIfAny(zoneErrors(body, []));

/**
 * Like `validateZone`, for many zones, and rejects repeated names. Yields to other requests,
 * because it may take long.
 */
export async function validateZones(
  bodies: readonly ZoneBody[],
  locate: LocateZone,
): Promise<void> {
  const areas = bodies.reduce(
    (sum, { codes, ranges, prefixes }) => sum + codes.length + ranges.length + prefixes.length,
    0,
  );
  if (areas > maxAreas) {
    const limit = `there can be ${maxAreas} codes, ranges and prefixes in one request`;
    throwIfAny([bodyError([], `${limit}: send the zones in several`)]);
  }
  const errors: ValidationDetail[] = [];
  for (const [index, body] of bodies.entries()) {
    if (errors.length >= maxErrors) break;
    errors.push(...zoneErrors(body, locate(index)));
    await nextTurn();
  }
  throwIfAny([...errors, ...repeatedNames(bodies, locate)]);
}
