import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/lib/durations.ts';
import type { TapFigures } from '../../../src/areas/nfc/taps/figures.ts';
import { byWeekIfFew } from '../../../src/surfaces/console/nfc/weekly-taps.ts';

/** A Wednesday. */
const first = Date.UTC(2026, 3, 1);

const figuresOf = (taps: readonly number[]): TapFigures => ({
  taps: taps.reduce((sum, each) => sum + each, 0),
  people: 1,
  filter: 'tag:is:x',
  timezone: 'UTC',
  interval: 'day',
  series: taps.map((count, at) => ({
    start: new Date(first + at * dayMs).toISOString(),
    taps: count,
    people: count,
  })),
  recent: [],
});

describe('Taps of a tag', () => {
  it('are drawn by week from Monday on when there is less than one a day', () => {
    const { interval, series } = byWeekIfFew(
      figuresOf([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]),
    );
    expect(interval).toBe('week');
    expect(series.map(({ start, taps }) => [start.slice(0, 10), taps])).toEqual([
      ['2026-04-01', 2],
      ['2026-04-06', 2],
      ['2026-04-13', 1],
    ]);
  });

  it('are drawn by day when there are more, or when the period is short', () => {
    for (const taps of [Array.from({ length: 30 }, () => 1), [0, 1, 0, 0, 0, 0, 0]])
      expect(byWeekIfFew(figuresOf(taps)).interval).toBe('day');
  });
});
