import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { ticksOf } from '../../../../src/platform/ui/charts/chart-ticks.ts';

function starts(
  first: string,
  count: number,
  unit: 'hours' | 'days' | 'weeks' | 'months',
  zone = 'UTC',
): string[] {
  const begin = DateTime.fromISO(first, { zone });
  return Array.from({ length: count }, (_, at) => begin.plus({ [unit]: at }).toISO() ?? '');
}

const texts = (ticks: readonly { text: string }[]) => ticks.map(({ text }) => text);

describe('a chart over time', () => {
  it('labels every second of 12 months, each at its own month', () => {
    const ticks = ticksOf(starts('2025-12-01', 12, 'months'), 'month', 'UTC');
    expect(ticks).toEqual([
      { step: 1, text: 'Jan 2026' },
      { step: 3, text: 'Mar' },
      { step: 5, text: 'May' },
      { step: 7, text: 'Jul' },
      { step: 9, text: 'Sep' },
      { step: 11, text: 'Nov' },
    ]);
  });

  it('labels every fourth of 24 hours', () => {
    const ticks = ticksOf(starts('2026-05-04T10:00', 24, 'hours'), 'hour', 'UTC');
    expect(ticks).toEqual([
      { step: 2, text: '12:00' },
      { step: 6, text: '16:00' },
      { step: 10, text: '20:00' },
      { step: 14, text: 'May 5' },
      { step: 18, text: '04:00' },
      { step: 22, text: '08:00' },
    ]);
  });

  it('labels the Mondays of 30 days', () => {
    const ticks = ticksOf(starts('2026-04-05', 30, 'days'), 'day', 'UTC');
    expect(texts(ticks)).toEqual(['Apr 6', 'Apr 13', 'Apr 20', 'Apr 27', 'May 4']);
    expect(ticks.map(({ step }) => step)).toEqual([1, 8, 15, 22, 29]);
  });

  it.each([
    ['hours', 'hour'],
    ['days', 'day'],
    ['weeks', 'week'],
    ['months', 'month'],
  ] as const)('has at most seven labels, each naming its step (%s)', (unit, interval) => {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']) {
      const all = starts('2026-02-26', 127, unit, zone);
      for (let count = 1; count < 130; count += 7) {
        const ticks = ticksOf(all.slice(0, count), interval, zone);
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThanOrEqual(7);
        for (const { step, text } of ticks) {
          const at = DateTime.fromISO(all[step] ?? '', { zone, locale: 'en' });
          const formats = ['HH:mm', 'MMM d', 'MMM', 'MMM yyyy'];
          expect(formats.map((format) => at.toFormat(format))).toContain(text);
        }
      }
    }
  });
});
