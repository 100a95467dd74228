import { DateTime } from 'luxon';
import { formatDay } from '../../i18n/dates.ts';
import { dayMs } from '../../../lib/durations.ts';

/** A label of the axis, at a step counted from 0. */
export interface Tick {
  step: number;
  text: string;
}

type Interval = 'hour' | 'day' | 'week' | 'month';

const maxTicks = 7;

/** Hours, days, weeks or months between two labels. */
const strides: Readonly<Record<Interval, readonly number[]>> = {
  hour: [1, 2, 3, 4, 6, 12, 24, 48, 168, 336],
  day: [1, 2, 7, 14, 28, 56, 112, 364],
  week: [1, 2, 4, 8, 13, 26, 52, 104],
  month: [1, 2, 3, 6, 12, 24],
};

/**
 * The position of an instant on the clock or in the calendar. Labels are at multiples of the
 * stride.
 */
const positionOf: Readonly<Record<Interval, (at: DateTime) => number>> = {
  hour: (at) => daysOf(at) * 24 + at.hour,
  // Weeks begin on Monday.
  day: (at) => daysOf(at) - 4,
  week: (at) => Math.floor((daysOf(at) - 4) / 7),
  month: (at) => at.year * 12 + at.month - 1,
};

const daysOf = (at: DateTime): number =>
  Math.round(Date.UTC(at.year, at.month - 1, at.day) / dayMs);

function textOf(at: DateTime, interval: Interval, isFirst: boolean): string {
  const day = () => formatDay(at.toMillis(), { timeZone: at.zoneName ?? 'UTC' });
  if (interval === 'hour') return at.hour === 0 ? day() : at.toFormat('HH:mm');
  if (interval === 'month')
    return at.month === 1 || isFirst ? at.toFormat('MMM yyyy') : at.toFormat('MMM');
  return day();
}

/**
 * Returns at most seven labels, at round times of the zone, for steps that begin at `starts` (ISO
 * 8601).
 */
export function ticksOf(starts: readonly string[], interval: Interval, zone: string): Tick[] {
  const begins = starts.map((start) => DateTime.fromISO(start, { zone, locale: 'en' }));
  const positions = begins.map(positionOf[interval]);
  const at = (stride: number) =>
    positions.flatMap((position, step) =>
      position % stride === 0 && position !== positions[step - 1] ? [step] : [],
    );
  const steps = strides[interval].map(at).find((found) => found.length <= maxTicks) ?? [0];
  const chosen = steps.length === 0 ? [0] : steps;
  return chosen.flatMap((step, order) => {
    const begin = begins[step];
    return begin === undefined ? [] : [{ step, text: textOf(begin, interval, order === 0) }];
  });
}

/** Returns at most seven of the steps themselves, evenly spaced. */
export function evenTicks(steps: readonly string[]): Tick[] {
  const stride = Math.max(1, Math.ceil(steps.length / maxTicks));
  return steps.flatMap((text, step) => (step % stride === 0 ? [{ step, text }] : []));
}
