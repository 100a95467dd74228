import { formatDuration } from '../../../platform/i18n/durations.ts';
import { formatNumber, formatOrDash, formatPercent } from '../../../platform/i18n/numbers.ts';

/** `1,284`. */
export const count = (value: number): string => formatNumber(value);

/** Per cent as `38.2%`; a dash without a value. */
export const percent = (value: number | null): string =>
  formatOrDash(value, (known) => formatPercent(known / 100));

/** At most one decimal place; a dash without a value. */
export const decimal = (value: number | null): string =>
  formatOrDash(value, (known) => formatNumber(known, { decimals: 1 }));

/** Seconds as `1m 34s`; a dash without a value. */
export const duration = (seconds: number | null): string => formatOrDash(seconds, formatDuration);

/** Bytes as `12.3 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${decimal(value / 1000 ** step)} ${units[step] ?? ''}`;
}

/** `1 session`, `2 sessions`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
