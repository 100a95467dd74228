import { DateTime } from 'luxon';
import { dayMs } from '../../../lib/durations.ts';

/** A label of the axis and the step it belongs to, counted from 0. */
export interface Tick {
  step: number;
  text: string;
}

type Interval = 'hour' | 'day' | 'week' | 'month';

const most = 7;

/** How many hours, days, weeks or months may lie between two labels. */
const strides: Readonly<Record<Interval, readonly number[]>> = {
  hour: [1, 2, 3, 4, 6, 12, 24, 48, 168, 336],
  day: [1, 2, 7, 14, 28, 56, 112, 364],
  week: [1, 2, 4, 8, 13, 26, 52, 104],
  month: [1, 2, 3, 6, 12, 24],
};

/**
 * What a beginning is counted by on the clock and in the calendar: a label stands where the stride
 * divides it.
 */
const positionOf: Readonly<Record<Interval, (at: DateTime) => number>> = {
  hour: (at) => daysOf(at) * 24 + at.hour,
  // From a Monday on.
  day: (at) => daysOf(at) - 4,
  week: (at) => Math.floor((daysOf(at) - 4) / 7),
  month: (at) => at.year * 12 + at.month - 1,
};

const daysOf = (at: DateTime): number =>
  Math.round(Date.UTC(at.year, at.month - 1, at.day) / dayMs);

function textOf(at: DateTime, interval: Interval, isFirst: boolean): string {
  if (interval === 'hour') return at.hour === 0 ? at.toFormat('d MMM') : at.toFormat('HH:mm');
  if (interval === 'month')
    return at.month === 1 || isFirst ? at.toFormat('MMM yyyy') : at.toFormat('MMM');
  return at.toFormat('d MMM');
}

/**
 * Labels for steps that begin at these instants (ISO 8601): round times of the zone, at most seven,
 * each at its own step.
 */
export function ticksOf(starts: readonly string[], interval: Interval, zone: string): Tick[] {
  const begins = starts.map((start) => DateTime.fromISO(start, { zone, locale: 'en' }));
  const places = begins.map(positionOf[interval]);
  const at = (stride: number) =>
    places.flatMap((place, step) =>
      place % stride === 0 && place !== places[step - 1] ? [step] : [],
    );
  const steps = strides[interval].map(at).find((found) => found.length <= most) ?? [0];
  const chosen = steps.length === 0 ? [0] : steps;
  return chosen.flatMap((step, order) => {
    const begin = begins[step];
    return begin === undefined ? [] : [{ step, text: textOf(begin, interval, order === 0) }];
  });
}

/** Labels for steps of which only the names are known: each so many steps, from the first on. */
export function evenTicks(steps: readonly string[]): Tick[] {
  const stride = Math.max(1, Math.ceil(steps.length / most));
  return steps.flatMap((text, step) => (step % stride === 0 ? [{ step, text }] : []));
}
