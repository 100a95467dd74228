import { z } from 'zod';
import { canonicalInstant } from '../../lib/timestamps.ts';

const day = z.core.regexes.date.source.slice(1, -1);
const hours = '(?:[01]\\d|2[0-3])';
const pattern = new RegExp(
  `^${day}[Tt ]${hours}:[0-5]\\d:[0-5]\\d(?:[.,]\\d+)?` +
    `(?: ?[Zz]| ?[+\\-\\u2212]${hours}(?::?[0-5]\\d)?| ${hours}:?[0-5]\\d)$`,
);

/**
 * A date and time with its UTC offset (RFC 3339), as clients write it: also with `t`, `z`, a space
 * instead of `T`, and offsets like `+0200`. The output has the form that RFC 3339 recommends.
 */
export const instant = (): z.ZodISODateTime =>
  new z.ZodISODateTime({
    type: 'string',
    format: 'datetime',
    check: 'string_format',
    offset: true,
    local: false,
    precision: null,
    pattern,
  }).overwrite(canonicalInstant);

/** A Unix time: in milliseconds, or in another unit that its size tells; also as text. */
export const unixTime = () =>
  z.union([
    z.number().min(0).max(9.3e18),
    z
      .string()
      .regex(/^\d{1,19}(?:\.\d{1,9})?$/)
      .meta({ examples: ['1777887000000'] }),
  ]);
