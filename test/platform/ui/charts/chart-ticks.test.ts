import { readFileSync } from 'node:fs';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { markupOf } from '../../../support/markup.ts';
import { lineChart } from '../../../../src/platform/ui/charts/line-chart.tsx';
import { ticksOf } from '../../../../src/platform/ui/charts/chart-ticks.ts';

const consoleStyle = readFileSync('src/web/styles/console-pages.css', 'utf8');

function starts(
  first: string,
  count: number,
  unit: 'hours' | 'days' | 'weeks' | 'months',
  zone = 'UTC',
): string[] {
  const begin = DateTime.fromISO(first, { zone });
  return Array.from({ length: count }, (_, at) => begin.plus({ [unit]: at }).toISO() ?? '');
}

/** The markup of a chart without names. */
const chart = (options: Omit<Parameters<typeof lineChart>[0], 'id' | 'caption'>) =>
  markupOf(lineChart({ id: 'c', caption: 'c', ...options }));

const first = (values: number[]) => ({ name: 'n', kind: 'first' as const, values });

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

  it('places labels below their points', () => {
    const page = chart({
      steps: ['a', 'b', 'c', 'd', 'e'],
      ticks: [
        { step: 1, text: 'B' },
        { step: 4, text: 'E' },
      ],
      lines: [first([1, 2, 3, 4, 5])],
    });
    const points = [...page.matchAll(/class="line" d="([^"]+)"/g)][0]?.[1]
      ?.split(/[ML]/)
      .slice(1)
      .map((point) => Number(point.split(' ')[0]) / 10);
    const labels = [...page.matchAll(/<text x="([\d.]+)%"[^>]*>(\w)</g)].map(([, x, text]) => [
      Number(x),
      text,
    ]);
    expect(labels).toEqual([
      [points?.[1], 'B'],
      [points?.[4], 'E'],
    ]);
  });

  const labelsOf = (steps: number, ticks: { step: number; text: string }[]) => {
    const page = chart({
      steps: Array.from({ length: steps }, (_, step) => `${step}`),
      ticks,
      lines: [first(Array.from({ length: steps }, () => 1))],
    });
    return [...page.matchAll(/<text( class="wide")? x="[^>]*>([^<]*)</g)].map(([, wide, text]) => [
      text,
      wide === undefined ? 'always' : 'wide',
    ]);
  };

  it('shows every second label in narrow charts, if they would overlap', () => {
    const day = ticksOf(starts('2026-05-04T09:00', 24, 'hours'), 'hour', 'UTC');
    expect(labelsOf(24, day)).toEqual([
      ['12:00', 'always'],
      ['16:00', 'wide'],
      ['20:00', 'always'],
      ['May 5', 'wide'],
      ['04:00', 'always'],
      ['08:00', 'wide'],
    ]);
    expect(
      labelsOf(5, [
        { step: 0, text: 'Apr 6' },
        { step: 4, text: 'May 4' },
      ]),
    ).toEqual([
      ['Apr 6', 'always'],
      ['May 4', 'always'],
    ]);
  });

  it('draws the second line solid, above the area of the first', () => {
    const page = chart({
      steps: ['a', 'b'],
      lines: [first([3, 4]), { name: 'm', kind: 'second', values: [1, 2] }],
    });
    const paths = [...page.matchAll(/<path class="([^"]+)"/g)].map(([, name]) => name);
    expect(paths).toEqual(['area', 'line second', 'line']);
    expect(consoleStyle).not.toMatch(/\.line\.second \{[^}]*dash/);
    expect(consoleStyle).not.toMatch(/\.key\.second::before \{[^}]*dotted/);
  });

  it('draws an incomplete step dotted, and marks it in the table', () => {
    const page = chart({
      steps: ['a', 'b', 'c'],
      partial: [false, false, true],
      lines: [first([1, 2, 3])],
    });
    expect(page).toMatch(/class="line partial" d="[^"]*L1000 /);
    expect(page).not.toMatch(/class="line" d="[^"]*L1000 /);
    expect(page).toContain('c (incomplete)');
  });
});
