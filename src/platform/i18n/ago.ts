import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { cacheFormatters } from './formatter-cache.ts';
import { formatDate, type Instant } from './dates.ts';
import { defaultLocale, type LocaleOptions } from './locale.ts';

const formatterFor = cacheFormatters(
  (locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' }),
);

/** How long ago an instant was: `now`, `5m ago`, `3h ago`, `yesterday`; the date after a week. */
export function formatAgo(
  at: Instant,
  now: number,
  { locale = defaultLocale }: LocaleOptions = {},
): string {
  const ms = Math.max(0, now - new Date(at).getTime());
  if (ms >= 7 * dayMs) return formatDate(at, { locale });
  const formatter = formatterFor(locale);
  if (ms < minuteMs) return formatter.format(0, 'second');
  if (ms < hourMs) return formatter.format(-Math.floor(ms / minuteMs), 'minute');
  if (ms < dayMs) return formatter.format(-Math.floor(ms / hourMs), 'hour');
  return formatter.format(-Math.floor(ms / dayMs), 'day');
}

/** When an instant will be: `in 5m`, `in 3h`, `tomorrow`; the date after a week. */
export function formatUntil(
  at: Instant,
  now: number,
  { locale = defaultLocale }: LocaleOptions = {},
): string {
  const ms = Math.max(0, new Date(at).getTime() - now);
  if (ms >= 7 * dayMs) return formatDate(at, { locale });
  const formatter = formatterFor(locale);
  if (ms < minuteMs) return formatter.format(0, 'second');
  if (ms < hourMs) return formatter.format(Math.floor(ms / minuteMs), 'minute');
  if (ms < dayMs) return formatter.format(Math.floor(ms / hourMs), 'hour');
  return formatter.format(Math.floor(ms / dayMs), 'day');
}
