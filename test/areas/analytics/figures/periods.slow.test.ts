import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  type Interval,
  intervals,
  type Period,
  periodIssues,
  type RequestedPeriod,
  periods,
  resolvePeriod,
} from '../../../../src/areas/analytics/figures/periods/periods.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import { referencePeriod } from '../reference/periods.ts';

const now = Date.parse('2026-03-29T10:20:30Z');

const question = (given: Partial<RequestedPeriod>): RequestedPeriod => ({
  period: '7d',
  from: undefined,
  to: undefined,
  timezone: 'UTC',
  interval: undefined,
  compare: undefined,
  now,
  ...given,
});
const custom = (from: string, to: string, given: Partial<RequestedPeriod> = {}) =>
  question({ period: 'custom', from, to, ...given });

/** Resolves a period to local times: its range, the range it is compared with, and its buckets. */
function resolve(asked: RequestedPeriod) {
  const iso = (ms: number | undefined) =>
    DateTime.fromMillis(ms ?? NaN, { zone: asked.timezone }).toISO();
  const { range, compare, buckets, interval } = resolvePeriod(asked);
  return {
    range: [iso(range.from), iso(range.to)],
    compare: [iso(compare?.from), iso(compare?.to)],
    buckets: buckets.map(iso),
    /** In minutes. */
    lengths: buckets.map((start, at) => ((buckets[at + 1] ?? range.to) - start) / minuteMs),
    interval,
  };
}

describe('a period', () => {
  it('of days spans whole local days up to and including today', () => {
    expect(resolve(question({ period: '7d', timezone: 'Europe/Berlin' })).range).toEqual([
      '2026-03-23T00:00:00.000+01:00',
      '2026-03-30T00:00:00.000+02:00',
    ]);
  });

  it('of 24 hours ends with the current hour', () => {
    const { range, buckets } = resolve(question({ period: '24h', timezone: 'Asia/Kolkata' }));
    expect(range).toEqual(['2026-03-28T16:00:00.000+05:30', '2026-03-29T16:00:00.000+05:30']);
    expect(buckets).toHaveLength(24);
  });

  it('of twelve months begins with the first day of a month', () => {
    const { range, buckets, interval } = resolve(
      question({ period: '12mo', timezone: 'America/New_York' }),
    );
    expect({ from: range[0], interval, length: buckets.length }).toEqual({
      from: '2025-04-01T00:00:00.000-04:00',
      interval: 'month',
      length: 12,
    });
  });

  it('includes the last of two days, but excludes the last of two instants', () => {
    expect(resolve(custom('2026-03-01', '2026-03-01')).range).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ]);
    expect(resolve(custom('2026-03-01T10:00:00Z', '2026-03-01T12:00:00+01:00')).range).toEqual([
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T11:00:00.000Z',
    ]);
  });
});

describe('intervals', () => {
  const berlin = (from: string, to: string, interval: Interval) =>
    resolve(custom(from, to, { timezone: 'Europe/Berlin', interval }));
  const days = (from: string, to: string, timezone: string) =>
    resolve(custom(from, to, { timezone, interval: 'day' })).buckets;

  it('of days have 23 or 25 hours when clocks change', () => {
    expect(berlin('2026-03-28', '2026-03-30', 'day').lengths).toEqual([1440, 1380, 1440]);
    expect(berlin('2025-10-25', '2025-10-27', 'day').lengths).toEqual([1440, 1500, 1440]);
  });

  it('of hours are 23 or 25 a day when clocks change; a repeated hour counts as two', () => {
    expect(berlin('2026-03-29', '2026-03-29', 'hour').buckets).toHaveLength(23);
    const autumn = berlin('2025-10-26', '2025-10-26', 'hour').buckets;
    expect(autumn).toHaveLength(25);
    expect(autumn.slice(2, 4)).toEqual([
      '2025-10-26T02:00:00.000+02:00',
      '2025-10-26T02:00:00.000+01:00',
    ]);
  });

  it('of hours return to full local hours after a half-hour clock change', () => {
    const { buckets } = resolve(
      custom('2026-04-05', '2026-04-05', { timezone: 'Australia/Lord_Howe', interval: 'hour' }),
    );
    const minutes = buckets.map((start) => start?.slice(14, 16));
    expect(minutes.filter((minute) => minute !== '00')).toEqual(['30']);
    expect(buckets).toHaveLength(25);
  });

  it('begin at 01:00 when midnight is skipped, and at the first of two midnights', () => {
    expect(days('2026-04-23', '2026-04-25', 'Africa/Cairo')).toEqual([
      '2026-04-23T00:00:00.000+02:00',
      '2026-04-24T01:00:00.000+03:00',
      '2026-04-25T00:00:00.000+03:00',
    ]);
    expect(days('2025-10-25', '2025-10-27', 'Atlantic/Azores')).toEqual([
      '2025-10-25T00:00:00.000+00:00',
      '2025-10-26T00:00:00.000+00:00',
      '2025-10-27T00:00:00.000-01:00',
    ]);
  });

  it('of weeks begin on Monday, of months on the first, even before the period', () => {
    const starts = (from: string, to: string, interval: Interval) =>
      resolve(custom(from, to, { interval })).buckets.map((start) => start?.slice(0, 10));
    expect(starts('2026-03-04', '2026-03-17', 'week')).toEqual([
      '2026-03-02',
      '2026-03-09',
      '2026-03-16',
    ]);
    expect(starts('2024-01-31', '2024-03-01', 'month')).toEqual([
      '2024-01-01',
      '2024-02-01',
      '2024-03-01',
    ]);
  });

  it.each([
    ['2026-03-01', '2026-03-02', 'hour'],
    ['2026-03-01', '2026-03-10', 'day'],
    ['2026-01-01', '2026-06-01', 'week'],
    ['2025-01-01', '2026-01-01', 'month'],
  ])('default to one that fits the length of the period (%s to %s: %s)', (from, to, interval) => {
    expect(resolve(custom(from, to)).interval).toBe(interval);
  });
});

describe('the compared period', () => {
  it('previous: has as many whole days, even across a clock change', () => {
    const asked = question({ period: '7d', timezone: 'Europe/Berlin', compare: 'previous' });
    expect(resolve(asked).compare).toEqual([
      '2026-03-16T00:00:00.000+01:00',
      '2026-03-23T00:00:00.000+01:00',
    ]);
  });

  it.each([1, 6, 11, 36, 100])('previous: is as long as the %i hours, to the ms', (hours) => {
    const from = '2026-03-28T18:30:15.250Z';
    const to = new Date(Date.parse(from) + hours * hourMs).toISOString();
    const { range, compare } = resolvePeriod(
      custom(from, to, { timezone: 'Europe/Berlin', compare: 'previous' }),
    );
    expect(compare).toEqual({ from: range.from - hours * hourMs, to: range.from });
  });

  it.each([
    ['2026-03-01', '2026-03-10', '2025-03-01', '2025-03-11'],
    ['2024-02-01', '2024-02-29', '2023-02-01', '2023-03-01'],
    ['2024-02-01', '2024-02-28', '2023-02-01', '2023-03-01'],
  ])('year: has the same days, and all of February: %s to %s', (from, to, first, end) => {
    const { compare } = resolve(custom(from, to, { compare: 'year' }));
    expect(compare.map((time) => time?.slice(0, 10))).toEqual([first, end]);
  });
});

describe('in every zone, throughout the year', () => {
  const zones = [
    ...['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'],
    ...['Africa/Cairo', 'Atlantic/Azores', 'America/Santiago', 'Pacific/Chatham'],
    ...['Asia/Beirut', 'America/St_Johns'],
  ];

  it.each(zones)(
    'ranges and intervals equal a reference that steps by quarter hours (%s)',
    (timezone) => {
      const end = Date.parse('2026-09-30T00:00Z');
      for (let at = Date.parse('2025-08-30T03:07:00Z'); at < end; at += 17.3 * dayMs) {
        const period: Period = periods[Math.floor(at / dayMs) % 5]!;
        const interval: Interval =
          period === '12mo' ? 'week' : intervals[Math.floor(at / 1000) % 4]!;
        const times = { compare: 'previous', now: Math.floor(at) } as const;
        const asked = question({ period, timezone, interval, ...times });
        expect({ asked, resolved: resolvePeriod(asked) }).toEqual({
          asked,
          resolved: referencePeriod({ ...asked, interval }),
        });
      }
    },
  );

  it.each(zones)('buckets ascend from the beginning of the range to its end (%s)', (timezone) => {
    for (const interval of intervals) {
      const { range, buckets } = resolvePeriod(
        question({ period: '90d', timezone, interval, now: Date.parse('2025-11-20T00:00Z') }),
      );
      expect(buckets[0]).toBeLessThanOrEqual(range.from);
      expect(buckets[1]).toBeGreaterThan(range.from);
      expect(buckets.at(-1)).toBeLessThan(range.to);
      expect(buckets).toEqual([...new Set(buckets)].sort((a, b) => a - b));
    }
  });
});

describe('invalid periods', () => {
  it.each([
    [question({}), []],
    [question({ timezone: 'Mars/Olympus' }), ['timezone']],
    [question({ period: 'custom' }), ['from']],
    [question({ period: 'custom', from: '2026-01-01' }), ['to']],
    [custom('yesterday', '2026-01-01'), ['from']],
    [custom('2026-02-30', '2026-03-01'), ['from']],
    [custom('0001-01-01', '0001-02-01'), ['from']],
    [custom('+012026-01-01', '+012026-01-02'), ['from']],
    [question({ from: '2026-01-01', to: '2026-01-02' }), ['from']],
    [question({ period: '24h', to: 'x' }), ['to']],
    [question({ from: '', to: '' }), []],
    [custom('2026-01-02', '2026-01-01'), ['to']],
    [custom('2026-01-01', '2026-01-01'), []],
    [custom('2026-01-01T00:00Z', '2026-01-01T00:00Z'), ['to']],
    [custom('2016-01-01', '2025-12-31'), []],
    [custom('2016-01-01', '2026-01-01'), ['from']],
    [custom('2026-01-01', '2026-04-02', { interval: 'hour' }), []],
    [custom('2026-01-01', '2026-04-03', { interval: 'hour' }), ['interval']],
  ])('are reported by field (%#)', (asked, fields) => {
    expect(periodIssues(asked).map(({ field }) => field)).toEqual(fields);
  });
});
