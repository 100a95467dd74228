/** A media range of an `Accept` header, with its weight from 0 to 1. */
interface MediaRange {
  type: string;
  quality: number;
}

/** How well a range fits a type: the most specific one decides (RFC 9110 §12.5.1). */
interface Match {
  quality: number;
  /** The position of the range in the header. */
  at: number;
}

const maxRanges = 32;
const anything: MediaRange[] = [{ type: '*/*', quality: 1 }];

function rangeOf(entry: string): MediaRange[] {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1).trim());
  return type === '' || !(quality >= 0) ? [] : [{ type, quality: Math.min(quality, 1) }];
}

/** The ranges in the order of the header, at most 32. Without a header, anything goes. */
const rangesOf = (accept: string | undefined): readonly MediaRange[] =>
  accept === undefined || accept.trim() === ''
    ? anything
    : accept.split(',', maxRanges).flatMap(rangeOf);

function matchIn(ranges: readonly MediaRange[], type: string): Match | undefined {
  const [group = ''] = type.split('/', 1);
  for (const name of [type, `${group}/*`, '*/*']) {
    const at = ranges.findIndex((range) => range.type === name);
    const quality = ranges[at]?.quality;
    if (quality !== undefined) return { quality, at };
  }
  return undefined;
}

/** True when an `Accept` header admits the type, which is in lower case. `q=0` excludes it. */
export const acceptsType = (accept: string | undefined, type: string): boolean =>
  (matchIn(rangesOf(accept), type)?.quality ?? 0) > 0;

/** True when an `Accept` header names the type itself: `text/*` does not count. */
export const namesType = (accept: string | undefined, type: string): boolean =>
  accept !== undefined &&
  rangesOf(accept).some((range) => range.type === type && range.quality > 0);

/**
 * Returns the type that the client prefers: the one with the highest weight, then the one whose
 * range comes first in the header, then the first of `types`. Undefined if it accepts none.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const ranges = rangesOf(accept);
  const accepted = types.flatMap((type) => {
    const match = matchIn(ranges, type);
    return match === undefined || match.quality === 0 ? [] : [{ type, ...match }];
  });
  return accepted.sort((a, b) => b.quality - a.quality || a.at - b.at)[0]?.type;
}
