import { cacheFormatters } from './formatter-cache.ts';
import { defaultLocale, type Locale, type LocaleOptions } from './locale.ts';

/** An instant: a date, Unix ms, or ISO 8601. `2026-11-28` is the start of that day in UTC. */
export type Instant = Date | number | string;

export interface DateOptions extends LocaleOptions {
  /** An IANA time zone. */
  timeZone?: string;
}

type Style =
  'date' | 'dateTime' | 'longDate' | 'longDateTime' | 'day' | 'dayTime' | 'longDay' | 'month';

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const longDate = { year: 'numeric', month: 'long', day: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const styles: Readonly<Record<Style, Intl.DateTimeFormatOptions>> = {
  date,
  dateTime: { ...date, ...time, timeZoneName: 'short' },
  longDate,
  longDateTime: { ...longDate, ...time, timeZoneName: 'short' },
  day: { month: 'short', day: 'numeric' },
  dayTime: { month: 'short', day: 'numeric', ...time },
  longDay: { month: 'long', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
};

const dateFormats = cacheFormatters(
  (locale: Locale, timeZone: string, style: Style) =>
    new Intl.DateTimeFormat(locale, { ...styles[style], timeZone }),
);

/** Throws a RangeError for what is not a date: `format` alone would show the present. */
function requireDate(at: Instant): Date {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) throw new RangeError(`not a date to show: ${String(at)}`);
  return date;
}

const formatterOf =
  (style: Style) =>
  (at: Instant, { timeZone = 'UTC', locale = defaultLocale }: DateOptions = {}): string =>
    dateFormats(locale, timeZone, style).format(requireDate(at));

/** `Nov 28, 2026`. */
export const formatDate = formatterOf('date');

/** `Nov 28, 2026, 14:05 UTC`. */
export const formatDateTime = formatterOf('dateTime');

/** `November 28, 2026`: in a sentence. */
export const formatLongDate = formatterOf('longDate');

/** `November 28, 2026 at 14:05 UTC`: in a sentence. */
export const formatLongDateTime = formatterOf('longDateTime');

/** `Nov 28`: where the year is obvious. */
export const formatDay = formatterOf('day');

/** `November 28`: in sentences, where the year is obvious. */
export const formatLongDay = formatterOf('longDay');

/** `Nov 28, 14:05`: where the year and the time zone are obvious. */
export const formatDayTime = formatterOf('dayTime');

/** `November 2026`. */
export const formatMonth = formatterOf('month');

/** Both dates as `Nov 28 – Dec 3, 2026`; what they share is written once. */
export const formatDateRange = (
  from: Instant,
  to: Instant,
  { timeZone = 'UTC', locale = defaultLocale }: DateOptions = {},
): string => dateFormats(locale, timeZone, 'date').formatRange(requireDate(from), requireDate(to));

/** Both instants as `Nov 28, 2026, 14:05 – 14:15 UTC`; what they share is written once. */
export const formatDateTimeRange = (
  from: Instant,
  to: Instant,
  { timeZone = 'UTC', locale = defaultLocale }: DateOptions = {},
): string =>
  dateFormats(locale, timeZone, 'dateTime').formatRange(requireDate(from), requireDate(to));
