import { DateTime } from 'luxon';

export type Frequency = 'weekly' | 'monthly';

/** First and last local day (YYYY-MM-DD), both included. */
export interface Days {
  first: string;
  last: string;
}

/** The period of a report. */
export interface ReportPeriod extends Days {
  /** The previous week or month. */
  before: Days;
  /** When it ended, Unix ms. */
  endedAt: number;
}

const units = { weekly: 'week', monthly: 'month' } as const;
const hour = 8;

const day = (at: DateTime): string => at.toFormat('yyyy-MM-dd');
const toDays = (first: DateTime, end: DateTime): Days => ({
  first: day(first),
  last: day(end.minus({ days: 1 })),
});

/**
 * Returns the latest period whose report is due at `now` (Unix ms): weeks from Monday to Sunday are
 * due on the next Monday, months on the first of the next, both at 08:00 in the time zone.
 */
export function duePeriod(frequency: Frequency, zone: string, now: number): ReportPeriod {
  const unit = units[frequency];
  const local = DateTime.fromMillis(now, { zone });
  const currentStart = local.startOf(unit);
  const end =
    local >= currentStart.set({ hour }) ? currentStart : currentStart.minus({ [unit]: 1 });
  const first = end.minus({ [unit]: 1 });
  return {
    ...toDays(first, end),
    before: toDays(first.minus({ [unit]: 1 }), first),
    endedAt: end.toMillis(),
  };
}

/** Formats days: `4 to 10 May 2026`, omitting the parts of the first day that are the same. */
export function formatDays({ first, last }: Days): string {
  const [from, to] = [
    DateTime.fromISO(first, { locale: 'en' }),
    DateTime.fromISO(last, { locale: 'en' }),
  ];
  const start = from.year !== to.year ? 'd MMMM yyyy' : from.month !== to.month ? 'd MMMM' : 'd';
  return `${from.toFormat(start)} to ${to.toFormat('d MMMM yyyy')}`;
}
