import { DateTime } from 'luxon';

export type Frequency = 'weekly' | 'monthly';

/** First and last local day (YYYY-MM-DD), both included. */
export interface Days {
  first: string;
  last: string;
}

/** What a report is about. */
export interface ReportPeriod extends Days {
  /** The week, or month, before it. */
  before: Days;
  /** When it ended, Unix ms. */
  endedAt: number;
}

const units = { weekly: 'week', monthly: 'month' } as const;
const hour = 8;

const day = (at: DateTime): string => at.toFormat('yyyy-MM-dd');
const daysTo = (first: DateTime, end: DateTime): Days => ({
  first: day(first),
  last: day(end.minus({ days: 1 })),
});

/**
 * The newest period of which a report is due at `now` (Unix ms): weeks from Monday to Sunday on the
 * Monday after, months on the first of the next, both from 08:00 of the time zone.
 */
export function duePeriod(frequency: Frequency, zone: string, now: number): ReportPeriod {
  const unit = units[frequency];
  const local = DateTime.fromMillis(now, { zone });
  const begun = local.startOf(unit);
  const end = local >= begun.set({ hour }) ? begun : begun.minus({ [unit]: 1 });
  const first = end.minus({ [unit]: 1 });
  return {
    ...daysTo(first, end),
    before: daysTo(first.minus({ [unit]: 1 }), first),
    endedAt: end.toMillis(),
  };
}

/** `4 to 10 May 2026`, with as much of the first day as differs. */
export function formatDays({ first, last }: Days): string {
  const [from, to] = [
    DateTime.fromISO(first, { locale: 'en' }),
    DateTime.fromISO(last, { locale: 'en' }),
  ];
  const start = from.year !== to.year ? 'd MMMM yyyy' : from.month !== to.month ? 'd MMMM' : 'd';
  return `${from.toFormat(start)} to ${to.toFormat('d MMMM yyyy')}`;
}
