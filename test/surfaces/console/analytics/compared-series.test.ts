import { describe, expect, it } from 'vitest';
import { DateTime } from 'luxon';
import { dayMs } from '../../../../src/lib/durations.ts';
import {
  type Interval,
  type RequestedPeriod,
  resolvePeriod,
} from '../../../../src/areas/analytics/figures/periods/periods.ts';
import { alignSeries } from '../../../../src/surfaces/console/analytics/compared-series.ts';

type Compare = 'previous' | 'year';
interface Comparison extends Partial<RequestedPeriod> {
  compare: Compare;
  timezone: string;
  /** Local, ISO 8601. */
  at: string;
}

/** Returns pairs of starts of compared intervals, as the dashboard has them for these periods. */
function pairs({
  at,
  compare,
  timezone,
  period = '7d',
  from,
  to,
  interval,
}: Comparison): (readonly [string, string | undefined])[] {
  const now = DateTime.fromISO(at, { zone: timezone }).toMillis();
  const query = { period, from, to, timezone, interval, compare, now };
  const main = resolvePeriod(query);
  const range = main.compare ?? { from: 0, to: 0 };
  const iso = (ms: number) => DateTime.fromMillis(ms, { zone: timezone }).toISO() ?? '';
  const former = resolvePeriod({
    ...query,
    period: 'custom',
    from: iso(range.from),
    to: iso(range.to),
    interval: main.interval,
    compare: undefined,
  });
  const points = (starts: readonly number[]) =>
    starts.map((ms, index) => ({
      start: iso(ms),
      visitors: index,
      visits: 0,
      pageviews: 0,
      events: 0,
      bounce_rate: null,
      visit_duration_mean: null,
      views_per_visit: null,
      partial: false,
    }));
  const period_ = {
    name: period,
    from: iso(main.range.from),
    to: iso(main.range.to),
    timezone,
    interval: main.interval satisfies Interval,
  };
  const before = points(former.buckets);
  const found = alignSeries(
    {
      series: points(main.buckets),
      period: period_,
      compared: { from: iso(range.from), to: iso(range.to), totals: noTotals },
    },
    before,
    compare,
  );
  return main.buckets.map(
    (ms, index) => [iso(ms).slice(0, 16), found[index]?.start.slice(0, 16)] as const,
  );
}

const noTotals = {
  visitors: 0,
  visits: 0,
  pageviews: 0,
  events: 0,
  bounce_rate: null,
  visit_duration_mean: null,
  visit_duration_median: null,
  views_per_visit: null,
};
/** The pairs of a day in Berlin and the day before. */
const hoursOf = (day: string) =>
  pairs({
    at: `${day}T12:00`,
    timezone: 'Europe/Berlin',
    compare: 'previous',
    period: 'custom',
    from: day,
    to: day,
  });
const daysBetween = ([start, before]: readonly [string, string | undefined]) =>
  (Date.parse(`${start}Z`) - Date.parse(`${before ?? ''}Z`)) / dayMs;
const clocks = (found: readonly (readonly [string, string | undefined])[]) =>
  found.map(([start, before]) => [start.slice(11), before?.slice(11)]);

describe('a compared series', () => {
  it('pairs hours by the wall clock on the day that has 25 hours, and on the next', () => {
    for (const day of ['2026-10-25', '2026-10-26']) {
      const found = hoursOf(day);
      expect(found).toHaveLength(day === '2026-10-25' ? 25 : 24);
      for (const [start, before] of clocks(found)) expect(before).toBe(start);
    }
  });

  it('has no pair for an hour that only one of the two days has', () => {
    const spring = hoursOf('2026-03-29');
    expect(spring).toHaveLength(23);
    for (const [start, before] of clocks(spring)) expect(before).toBe(start);
    const after = hoursOf('2026-03-30');
    expect(after.filter(([, before]) => before === undefined)).toEqual([
      ['2026-03-30T02:00', undefined],
    ]);
  });

  it('pairs the last 24 hours by the wall clock across a clock change', () => {
    for (const at of ['2026-10-25T20:30', '2026-03-29T20:30', '2026-06-01T20:30']) {
      const found = clocks(
        pairs({ at, timezone: 'Europe/Berlin', compare: 'previous', period: '24h' }),
      ).filter(([, before]) => before !== undefined);
      expect(found.length).toBeGreaterThan(21);
      for (const [start, before] of found) expect(before).toBe(start);
    }
  });

  it('pairs days by the calendar, also across 29 February', () => {
    const year = pairs({ at: '2028-03-05T12:00', timezone: 'UTC', compare: 'year', period: '30d' });
    expect(year.find(([start]) => start.startsWith('2028-02-29'))).toEqual([
      '2028-02-29T00:00',
      undefined,
    ]);
    for (const [start, before] of year.filter(([each]) => !each.startsWith('2028-02-29')))
      expect(before).toBe(start.replace('2028', '2027'));
    const newYork = { at: '2026-04-04T12:00', timezone: 'America/New_York' };
    const previous = pairs({ ...newYork, compare: 'previous', period: '30d' });
    for (const pair of previous) expect(daysBetween(pair)).toBe(30);
  });

  it('pairs months with months and weeks with weeks', () => {
    const berlin = { at: '2026-11-22T12:00', timezone: 'Europe/Berlin' };
    const months = pairs({ ...berlin, compare: 'previous', period: '12mo' });
    expect(months.map(([start, before]) => [start.slice(0, 7), before?.slice(0, 7)])).toEqual(
      Array.from({ length: 12 }, (_, index) => [
        DateTime.utc(2025, 12).plus({ months: index }).toFormat('yyyy-MM'),
        DateTime.utc(2024, 12).plus({ months: index }).toFormat('yyyy-MM'),
      ]),
    );
    // 52 weeks, so that weeks begin on the same day.
    const weeks = pairs({
      at: '2026-02-20T12:00',
      timezone: 'UTC',
      compare: 'year',
      period: 'custom',
      from: '2025-12-01',
      to: '2026-02-15',
      interval: 'week',
    });
    for (const pair of weeks) expect(daysBetween(pair), pair[0]).toBe(364);
  });

  it('is empty if nothing is compared', () => {
    expect(
      alignSeries(
        {
          series: [],
          period: { name: '7d', from: '', to: '', timezone: 'UTC', interval: 'day' },
          compared: null,
        },
        [],
        'year',
      ),
    ).toEqual([]);
  });
});
