import { formatDate, formatDay, formatDayTime, formatMonth } from '../../i18n/dates.ts';

export interface StepOptions {
  /** ISO 8601. */
  starts: readonly string[];
  interval: 'hour' | 'day' | 'week' | 'month';
  /** IANA name of the time zone. */
  timezone: string;
}

const formats = { hour: formatDayTime, day: formatDay, week: formatDate, month: formatMonth };

/** Names the steps of a chart by when they begin: `May 4`, `May 4, 10:00`, `May 2026`. */
export function stepNames({ starts, interval, timezone: timeZone }: StepOptions): string[] {
  const format = formats[interval];
  return starts.map((start) => format(start, { timeZone }));
}
