import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { ticksOf } from '../../../../src/platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../../src/platform/ui/charts/line-chart.tsx';
import { valueAxis } from '../../../../src/platform/ui/charts/value-ticks.ts';
import { markupOf } from '../../../support/markup.ts';

/** The markup of a chart without names. */
const chart = (options: Omit<Parameters<typeof lineChart>[0], 'id' | 'caption'>) =>
  markupOf(lineChart({ id: 'c', caption: 'c', ...options }));

const first = (values: (number | null)[]) => ({ name: 'n', kind: 'first' as const, values });
const steps = (count: number) => Array.from({ length: count }, (_, step) => `${step}`);

describe('the scale of a chart', () => {
  it('ends at most a tenth above the highest value, with three to six round ticks', () => {
    for (let highest = 3; highest < 30_000; highest += Math.ceil(highest / 7)) {
      const { top, ticks } = valueAxis(highest);
      expect(top / highest, `${highest}`).toBeLessThanOrEqual(1.1);
      expect(top).toBeGreaterThanOrEqual(highest);
      expect(ticks.length, `${highest}: ${ticks.join()}`).toBeGreaterThanOrEqual(3);
      expect(ticks.length, `${highest}: ${ticks.join()}`).toBeLessThanOrEqual(6);
    }
  });

  it('has no half people, and seconds at the steps of a clock', () => {
    expect(valueAxis(1).ticks).toEqual([0, 1]);
    expect(valueAxis(7).ticks).toEqual([0, 2, 4, 6]);
    expect(valueAxis(108)).toMatchObject({ ticks: [0, 25, 50, 75, 100] });
    expect(valueAxis(1.8, 'number').ticks).toEqual([0, 0.5, 1, 1.5]);
    expect(valueAxis(94, 'seconds').ticks).toEqual([0, 30, 60, 90]);
  });
});

describe('the bars of a chart', () => {
  it('stand at the steps with a value, inside the plot, hollow where one is not over', () => {
    const bars = { name: 'n', kind: 'bars' as const, values: [1, 0, 2, null, 1] };
    const page = chart({
      steps: steps(5),
      lines: [bars],
      partial: [false, false, false, false, true],
    });
    const [whole, open] = [...page.matchAll(/class="bar( open)?" d="([^"]*)"/g)].map((at) => at[2]);
    const lefts = (path = '') => [...path.matchAll(/M([\d.]+) /g)].map((at) => Number(at[1]));
    expect(lefts(whole)).toEqual([0, 493]);
    expect(lefts(open)).toEqual([986]);
    expect(page).not.toContain('class="line"');
  });
});

describe('the drawing of a chart', () => {
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
    const labels = [...page.matchAll(/<text x="([\d.]+)%"[^>]*>([A-Z])</g)].map(([, x, text]) => [
      Number(x),
      text,
    ]);
    expect(labels).toEqual([
      [points?.[1], 'B'],
      [points?.[4], 'E'],
    ]);
  });

  const labelsOf = (all: readonly string[]) => {
    const page = chart({
      steps: all,
      ticks: all.map((text, step) => ({ step, text })),
      lines: [first(all.map(() => 1))],
    });
    const axis = /<svg class="steps".*?<\/svg>/s.exec(page)?.[0] ?? '';
    return [...axis.matchAll(/<text( class="wide")? x="[^>]*>([^<]*)</g)].map(([, wide, text]) =>
      wide === undefined ? text : `${text} (wide)`,
    );
  };

  it('leaves out labels that would overlap, and more of them in narrow charts', () => {
    expect(labelsOf(['12:00', '16:00', '20:00', 'May 5', '04:00', '08:00'])).toEqual([
      '12:00',
      '16:00 (wide)',
      '20:00',
      'May 5 (wide)',
      '04:00',
      '08:00 (wide)',
    ]);
    const long = Array.from({ length: 7 }, (_, at) => `Nov 26, 0${at}:00`);
    expect(labelsOf(long).length).toBeLessThanOrEqual(4);
    expect(labelsOf(long).filter((text) => !text?.includes('wide')).length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['2026-05-04T10:00', 24, 'hours', 'hour'],
    ['2026-05-04T10:00', 72, 'hours', 'hour'],
    ['2026-04-05', 7, 'days', 'day'],
    ['2026-04-05', 30, 'days', 'day'],
    ['2026-01-05', 13, 'weeks', 'week'],
    ['2026-01-05', 52, 'weeks', 'week'],
    ['2025-12-01', 12, 'months', 'month'],
    ['2024-01-01', 36, 'months', 'month'],
  ] as const)(
    'never says the same twice in a row (from %s, %i %s)',
    (from, count, unit, interval) => {
      const begin = DateTime.fromISO(from, { zone: 'UTC' });
      const starts = Array.from(
        { length: count },
        (_, at) => begin.plus({ [unit]: at }).toISO() ?? '',
      );
      const ticks = ticksOf(starts, interval, 'UTC');
      const page = chart({ steps: starts, ticks, lines: [first(starts.map(() => 1))] });
      const axis = /<svg class="steps".*?<\/svg>/s.exec(page)?.[0] ?? '';
      const all = [...axis.matchAll(/<text( class="wide")? x="[^>]*>([^<]*)</g)];
      const onPhone = all.flatMap(([, wide, text]) => (wide === undefined ? [text] : []));
      for (const shown of [all.map(([, , text]) => text), onPhone]) {
        expect(shown.length).toBeGreaterThan(1);
        expect(shown.filter((text, at) => at > 0 && text === shown[at - 1])).toEqual([]);
      }
      // Hours without a day between them would be of any day.
      if (count === 72) expect(onPhone.some((text) => text?.startsWith('May'))).toBe(true);
    },
  );

  it('draws the second line above the area of the first, and the first on top', () => {
    const page = chart({
      steps: ['a', 'b'],
      lines: [first([3, 4]), { name: 'm', kind: 'second', values: [1, 2] }],
    });
    const paths = [...page.matchAll(/<path class="([^"]+)"/g)].map(([, name]) => name);
    expect(paths).toEqual(['area', 'line second', 'line']);
  });

  it('draws an incomplete step as an open point beside the line, and names it so', () => {
    const page = chart({
      steps: ['a', 'b', 'c'],
      partial: [false, false, true],
      lines: [first([4, 3, 1])],
    });
    expect(page).toContain('class="line" d="M0 0L500 65"');
    expect(page).toContain('class="line ring" d="M1000 195h0"');
    expect(page).toContain('c (so far)');
  });

  it('interrupts the line where there is no value', () => {
    const page = chart({ steps: steps(5), lines: [first([1, 1, null, 1, 1])] });
    expect(page).toContain('class="line" d="M0 0L250 0M750 0L1000 0"');
  });

  it('has no axis where there is nothing to draw', () => {
    const page = chart({ steps: ['a', 'b'], lines: [first([0, 0])] });
    expect(page).toContain('No data in this period.');
    expect(page).not.toContain('class="plot"');
    expect(chart({ steps: ['a', 'b'], unit: 'number', lines: [first([0, 0])] })).toContain('plot');
  });

  it('says in its table how each value has changed, and what happened', () => {
    const page = chart({
      steps: ['a', 'b'],
      lines: [first([3, 4]), { name: 'before', kind: 'before', values: [2, null] }],
      marks: [{ step: 1, text: 'New <prices>' }],
    });
    const rows = [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, cell]) => cell),
    );
    expect(rows).toEqual([
      ['Time', 'n', 'before', 'Change', 'Annotation'],
      ['a', '3', '2', '+50%', ''],
      ['b', '4', '–', '–', 'New &lt;prices&gt;'],
    ]);
  });
});
