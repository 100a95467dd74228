export interface StepOptions {
  /** ISO 8601. */
  starts: readonly string[];
  interval: 'hour' | 'day' | 'week' | 'month';
  /** IANA name of the time zone. */
  timezone: string;
}

const formats: Readonly<Record<StepOptions['interval'], Intl.DateTimeFormatOptions>> = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
};

/** Names the steps of a chart by when they begin: `4 May`, `4 May, 10:00`, `May 2026`. */
export function stepNames({ starts, interval, timezone }: StepOptions): string[] {
  const format = new Intl.DateTimeFormat('en-GB', { ...formats[interval], timeZone: timezone });
  return starts.map((start) => format.format(new Date(start)));
}
