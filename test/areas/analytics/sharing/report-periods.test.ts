import { describe, expect, it } from 'vitest';
import { formatDays, duePeriod } from '../../../../src/areas/analytics/sharing/reports/periods.ts';
import { dayMs } from '../../../../src/lib/durations.ts';

const [berlin, tokyo, newYork] = ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York'];
const dayBefore = (day: string) =>
  new Date(Date.parse(day) - dayMs).toISOString().slice(0, '2026-01-01'.length);

describe('the latest period that is due, the day the one before it began, and its end', () => {
  it.each([
    // Reports are due on Monday at 08:00 in the zone.
    ['UTC', '2026-11-16T07:59:59.999Z', '2026-11-02…2026-11-08', '2026-10-26', '2026-11-09T00Z'],
    ['UTC', '2026-11-16T08:00:00Z', '2026-11-09…2026-11-15', '2026-11-02', '2026-11-16T00Z'],
    ['UTC', '2026-11-22T23:59:59Z', '2026-11-09…2026-11-15', '2026-11-02', '2026-11-16T00Z'],
    [tokyo, '2026-11-15T22:59:59Z', '2026-11-02…2026-11-08', '2026-10-26', '2026-11-08T15Z'],
    [tokyo, '2026-11-15T23:00:00Z', '2026-11-09…2026-11-15', '2026-11-02', '2026-11-15T15Z'],
    // Clocks went back on Sunday, 25 October 2026, and forward on Sunday, 29 March.
    [berlin, '2026-10-26T06:59:59Z', '2026-10-12…2026-10-18', '2026-10-05', '2026-10-18T22Z'],
    [berlin, '2026-10-26T07:00:00Z', '2026-10-19…2026-10-25', '2026-10-12', '2026-10-25T23Z'],
    [berlin, '2026-03-30T05:59:59Z', '2026-03-16…2026-03-22', '2026-03-09', '2026-03-22T23Z'],
    [berlin, '2026-03-30T06:00:00Z', '2026-03-23…2026-03-29', '2026-03-16', '2026-03-29T22Z'],
    // A week that spans the end of the year.
    ['UTC', '2027-01-04T08:00:00Z', '2026-12-28…2027-01-03', '2026-12-21', '2027-01-04T00Z'],
  ])('weekly in %s at %s: %s, %s, %s', (zone, now, days, before, ended) => {
    expectPeriod('weekly', zone, now, { days, before, ended });
  });

  it.each([
    ['UTC', '2026-03-01T07:59:59Z', '2026-01-01…2026-01-31', '2025-12-01', '2026-02-01T00Z'],
    ['UTC', '2026-03-01T08:00:00Z', '2026-02-01…2026-02-28', '2026-01-01', '2026-03-01T00Z'],
    [newYork, '2026-04-01T12:00:00Z', '2026-03-01…2026-03-31', '2026-02-01', '2026-04-01T04Z'],
    [newYork, '2026-04-01T11:59:59Z', '2026-02-01…2026-02-28', '2026-01-01', '2026-03-01T05Z'],
  ])('monthly in %s at %s: %s, %s, %s', (zone, now, days, before, ended) => {
    expectPeriod('monthly', zone, now, { days, before, ended });
  });

  function expectPeriod(
    frequency: 'weekly' | 'monthly',
    zone: string,
    now: string,
    expected: { days: string; before: string; ended: string },
  ): void {
    const { first, last, before, endedAt } = duePeriod(frequency, zone, Date.parse(now));
    expect({
      days: `${first}…${last}`,
      before: before.first,
      ended: new Date(endedAt).toISOString().replace(':00:00.000Z', 'Z'),
    }).toEqual(expected);
    expect(before.last).toBe(dayBefore(first));
  }
});

it.each([
  ['2026-05-04', '2026-05-10', 'May 4 – 10, 2026'],
  ['2026-04-27', '2026-05-03', 'Apr 27 – May 3, 2026'],
  ['2026-12-28', '2027-01-03', 'Dec 28, 2026 – Jan 3, 2027'],
])('%s to %s is written as %s, without repeating month or year', (first, last, text) => {
  expect(formatDays({ first, last })).toBe(text);
});
