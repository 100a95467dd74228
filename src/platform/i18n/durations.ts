import { cacheFormatters } from './formatter-cache.ts';
import { defaultLocale, type Locale, type LocaleOptions } from './locale.ts';
import { requireFinite } from './numbers.ts';

type Unit = 'day' | 'hour' | 'minute' | 'second';
type Display = 'narrow' | 'long';

const units: readonly (readonly [unit: Unit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const unitFormats = cacheFormatters(
  (locale: Locale, unit: Unit, unitDisplay: Display) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, signDisplay: 'negative' }),
);
const unitLists = cacheFormatters(
  (locale: Locale) => new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }),
);
export interface DurationOptions extends LocaleOptions {
  /** `1 minute 8 seconds` instead of `1m 8s`: for plain text and screen readers. */
  long?: boolean;
}

/** Seconds as `1m 8s`: in whole seconds, the largest unit and the one below it. */
export function formatDuration(
  seconds: number,
  { long = false, locale = defaultLocale }: DurationOptions = {},
): string {
  const unitDisplay = long ? 'long' : 'narrow';
  let rest = Math.round(Math.abs(requireFinite(seconds)));
  const largest = units.findIndex(([, size]) => rest >= size);
  const texts: string[] = [];
  for (const [unit, size] of units.slice(largest).slice(0, 2)) {
    const count = Math.floor(rest / size);
    rest %= size;
    const signed = texts.length === 0 && seconds < 0 ? -count : count;
    if (count > 0 || largest === -1)
      texts.push(unitFormats(locale, unit, unitDisplay).format(signed));
  }
  return unitLists(locale).format(texts);
}

/**
 * Seconds to wait, rounded up, in one unit: `40 seconds`, `15 minutes`, `2 hours`; whole days from
 * two on as days: `7 days`.
 */
export function formatWait(
  seconds: number,
  { locale = defaultLocale }: LocaleOptions = {},
): string {
  const wait = Math.max(0, requireFinite(seconds));
  const [unit, size] =
    wait < 120
      ? (['second', 1] as const)
      : wait < 7200
        ? (['minute', 60] as const)
        : wait % 86_400 === 0 && wait > 86_400
          ? (['day', 86_400] as const)
          : (['hour', 3600] as const);
  return unitFormats(locale, unit, 'long').format(Math.ceil(wait / size));
}
