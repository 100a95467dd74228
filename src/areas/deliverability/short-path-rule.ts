import type { z } from 'zod';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { ShortPathRuleBody, ShortPathRuleView } from './schemas.ts';
import type { ChangeZoneBody, ZoneBody } from './zones/schemas.ts';
import type { Zone } from './zones/store.ts';
import { toZoneView } from './zones/views.ts';

/**
 * Converts the body of the short path to a zone: by default in the US, and named after its code. A
 * body about one code is a rule, so that it does not define the served area.
 */
export function toZoneBody({
  zip,
  name = zip,
  country = 'US',
  priority = 0,
  currency = null,
  codes = [],
  ranges = [],
  prefixes = [],
  services = [],
  rule = zip !== undefined && codes.length + ranges.length + prefixes.length === 0,
}: ShortPathRuleBody): ZoneBody {
  if (name === undefined)
    throw new RequestValidationError([
      { type: 'missing', loc: ['body', 'zip'], msg: 'Field required', input: null },
    ]);
  return {
    name,
    country,
    priority,
    currency,
    codes: zip === undefined ? codes : [...codes, zip],
    ranges,
    prefixes,
    services,
    rule,
  };
}

/**
 * Converts a partial body of the short path to a change of a zone. `zip` replaces the code of a
 * rule that has one, and its name if that is the code. Other zones keep their codes and get one
 * more.
 */
export function toZoneChange(
  { zip, ...change }: ShortPathRuleBody,
  { name, codes, rule }: Pick<Zone, 'name' | 'codes' | 'rule'>,
): ChangeZoneBody {
  if (zip === undefined) return change;
  const [code] = codes;
  if (change.codes === undefined && rule && codes.length === 1)
    return { ...(name === code && { name: zip }), ...change, codes: [zip] };
  const kept = change.codes ?? codes;
  return { ...change, codes: kept.includes(zip) ? [...kept] : [...kept, zip] };
}

/** Says what the zone does, because a rule without services excludes its code. */
function effectOf({ name, codes: [code = name, ...others], rule, services }: Zone): string {
  const where = others.length === 0 ? code : name;
  const effect =
    services.length === 0
      ? `Parcels to ${where} are not delivered, because there are no services.`
      : `Parcels to ${where} are delivered.`;
  const rest = rule
    ? 'Other codes are answered as before.'
    : 'Codes outside of every zone are not served.';
  return `${effect} ${rest}`;
}

/** Describes a stored zone. `method` is that of the request. */
export const toShortPathRuleView = (
  method: string,
  zone: Zone,
): z.input<typeof ShortPathRuleView> => ({
  method,
  stored: true,
  detail: effectOf(zone),
  zone: toZoneView(zone),
});
