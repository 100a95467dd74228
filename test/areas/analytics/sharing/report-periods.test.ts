import { describe, expect, it } from 'vitest';
import {
  formatDays,
  duePeriod,
} from '../../../../src/areas/analytics/sharing/reports/report-periods.ts';

const at = (iso: string) => Date.parse(iso);
const periodOf = (frequency: 'weekly' | 'monthly', zone: string, iso: string) => {
  const { first, last, before, endedAt } = duePeriod(frequency, zone, at(iso));
  return [`${first}…${last}`, `${before.first}…${before.last}`, new Date(endedAt).toISOString()];
};

describe('the latest period that is due', () => {
  it.each([
    // Reports are due on Monday at 08:00 in the zone.
    [
      'weekly',
      'UTC',
      '2026-11-16T07:59:59.999Z',
      '2026-11-02…2026-11-08',
      '2026-10-26…2026-11-01',
      '2026-11-09T00:00:00.000Z',
    ],
    [
      'weekly',
      'UTC',
      '2026-11-16T08:00:00Z',
      '2026-11-09…2026-11-15',
      '2026-11-02…2026-11-08',
      '2026-11-16T00:00:00.000Z',
    ],
    [
      'weekly',
      'UTC',
      '2026-11-22T23:59:59Z',
      '2026-11-09…2026-11-15',
      '2026-11-02…2026-11-08',
      '2026-11-16T00:00:00.000Z',
    ],
    [
      'weekly',
      'Asia/Tokyo',
      '2026-11-15T22:59:59Z',
      '2026-11-02…2026-11-08',
      '2026-10-26…2026-11-01',
      '2026-11-08T15:00:00.000Z',
    ],
    [
      'weekly',
      'Asia/Tokyo',
      '2026-11-15T23:00:00Z',
      '2026-11-09…2026-11-15',
      '2026-11-02…2026-11-08',
      '2026-11-15T15:00:00.000Z',
    ],
    // Clocks went back on Sunday, 25 October 2026, and forward on Sunday, 29 March.
    [
      'weekly',
      'Europe/Berlin',
      '2026-10-26T06:59:59Z',
      '2026-10-12…2026-10-18',
      '2026-10-05…2026-10-11',
      '2026-10-18T22:00:00.000Z',
    ],
    [
      'weekly',
      'Europe/Berlin',
      '2026-10-26T07:00:00Z',
      '2026-10-19…2026-10-25',
      '2026-10-12…2026-10-18',
      '2026-10-25T23:00:00.000Z',
    ],
    [
      'weekly',
      'Europe/Berlin',
      '2026-03-30T05:59:59Z',
      '2026-03-16…2026-03-22',
      '2026-03-09…2026-03-15',
      '2026-03-22T23:00:00.000Z',
    ],
    [
      'weekly',
      'Europe/Berlin',
      '2026-03-30T06:00:00Z',
      '2026-03-23…2026-03-29',
      '2026-03-16…2026-03-22',
      '2026-03-29T22:00:00.000Z',
    ],
    // A week that spans the end of the year.
    [
      'weekly',
      'UTC',
      '2027-01-04T08:00:00Z',
      '2026-12-28…2027-01-03',
      '2026-12-21…2026-12-27',
      '2027-01-04T00:00:00.000Z',
    ],
    [
      'monthly',
      'UTC',
      '2026-03-01T07:59:59Z',
      '2026-01-01…2026-01-31',
      '2025-12-01…2025-12-31',
      '2026-02-01T00:00:00.000Z',
    ],
    [
      'monthly',
      'UTC',
      '2026-03-01T08:00:00Z',
      '2026-02-01…2026-02-28',
      '2026-01-01…2026-01-31',
      '2026-03-01T00:00:00.000Z',
    ],
    [
      'monthly',
      'America/New_York',
      '2026-04-01T12:00:00Z',
      '2026-03-01…2026-03-31',
      '2026-02-01…2026-02-28',
      '2026-04-01T04:00:00.000Z',
    ],
    [
      'monthly',
      'America/New_York',
      '2026-04-01T11:59:59Z',
      '2026-02-01…2026-02-28',
      '2026-01-01…2026-01-31',
      '2026-03-01T05:00:00.000Z',
    ],
  ] as const)('%s in %s at %s: %s', (frequency, zone, now, period, before, ended) => {
    expect(periodOf(frequency, zone, now)).toEqual([period, before, ended]);
  });
});

it('date ranges do not repeat the month or year that both days share', () => {
  expect(
    [
      ['2026-05-04', '2026-05-10'],
      ['2026-04-27', '2026-05-03'],
      ['2026-12-28', '2027-01-03'],
    ].map(([first = '', last = '']) => formatDays({ first, last })),
  ).toEqual(['May 4 – 10, 2026', 'Apr 27 – May 3, 2026', 'Dec 28, 2026 – Jan 3, 2027']);
});
