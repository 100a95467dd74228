import { DateTime } from 'luxon';
import { formatDateRange } from '../../../../platform/i18n/dates.ts';
import { plainSpaces } from '../../../../platform/i18n/plain-spaces.ts';

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

/** When the next report is due after `now`, both Unix ms. */
export function nextDue(frequency: Frequency, zone: string, now: number): number {
  const unit = units[frequency];
  const due = DateTime.fromMillis(now, { zone }).startOf(unit).set({ hour });
  return (due.toMillis() > now ? due : due.plus({ [unit]: 1 })).toMillis();
}

/** Formats days: `May 4 – 10, 2026`. */
export const formatDays = ({ first, last }: Days): string =>
  plainSpaces(formatDateRange(first, last));
