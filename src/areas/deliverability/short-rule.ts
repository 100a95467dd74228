import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { ShortRuleBody } from './schemas.rules.ts';
import type { ZoneBody } from './schemas.ts';

/** Converts a rule of the short path to a zone: by default in the US, and named after its code. */
export function toShortRule({
  zip,
  name = zip,
  country = 'US',
  priority = 0,
  currency = null,
  codes = [],
  ranges = [],
  prefixes = [],
  services = [],
}: ShortRuleBody): ZoneBody {
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
  };
}
