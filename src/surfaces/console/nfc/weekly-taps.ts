import { DateTime } from 'luxon';
import type { TapFigures } from '../../../areas/nfc/taps/figures.ts';
import { groupBy } from '../../../lib/group-by.ts';

/** Fewer days than this are drawn as they are. */
const fewDays = 14;

/**
 * The same figures by calendar week, from Monday on, if there is less than one tap a day: single
 * taps say little. The first and the last week have the days of the period alone.
 */
export function byWeekIfFew(figures: TapFigures): TapFigures {
  const { series, interval, taps, timezone: zone } = figures;
  if (interval !== 'day' || series.length < fewDays || taps >= series.length) return figures;
  const weeks = groupBy(series, ({ start }) =>
    DateTime.fromISO(start, { zone }).startOf('week').toISODate(),
  );
  const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);
  return {
    ...figures,
    interval: 'week',
    series: [...weeks.values()].map((days) => ({
      start: days[0]?.start ?? '',
      taps: sum(days.map((day) => day.taps)),
      people: sum(days.map((day) => day.people)),
    })),
  };
}
