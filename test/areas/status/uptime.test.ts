import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComponentStatus } from '../../../src/areas/status/model.ts';
import { dayMs as day, hourMs as hour } from '../../../src/lib/durations.ts';
import { daysOf, type StatusInterval, uptimeOf } from '../../../src/areas/status/history/uptime.ts';

const midnight = Date.UTC(2026, 2, 29);
const at = (days: number, hours = 0): number => midnight + days * day + hours * hour;
const interval = (status: ComponentStatus, from: number, to: number | null): StatusInterval => ({
  status,
  beganAt: from,
  endedAt: to,
});

describe('the days of a component', () => {
  it('are 90, oldest first, and end with the current day', () => {
    const days = daysOf({ intervals: [], createdAt: at(-200), now: at(0, 5) });
    expect(days).toHaveLength(90);
    expect(days[0]).toEqual({ day: '2025-12-30', worst: 'operational', ms: {} });
    expect(days.at(-1)).toEqual({ day: '2026-03-29', worst: 'operational', ms: {} });
    expect(new Set(days.map((each) => each.day)).size).toBe(90);
  });

  it('have no data before the component existed', () => {
    const days = daysOf({
      intervals: [interval('major_outage', at(-3), at(-1, 13))],
      createdAt: at(-1, 12),
      now: at(0, 1),
      count: 4,
    });
    expect(days.map(({ worst }) => worst).join(' ')).toBe(
      'no_data no_data major_outage operational',
    );
    expect(days[2]?.ms).toEqual({ major_outage: hour });
    expect(daysOf({ intervals: [], createdAt: at(0), now: at(0, 1), count: 2 })).toMatchObject([
      { worst: 'no_data' },
      { worst: 'operational' },
    ]);
  });

  it('take the worst status of overlapping intervals, and count each moment once', () => {
    const days = daysOf({
      intervals: [
        interval('degraded_performance', at(0, 1), at(0, 9)),
        interval('partial_outage', at(0, 2), at(0, 6)),
        interval('major_outage', at(0, 3), at(0, 4)),
        interval('partial_outage', at(0, 5), at(0, 7)),
        interval('under_maintenance', at(0, 8), at(0, 10)),
      ],
      createdAt: at(-1),
      now: at(0, 12),
      count: 1,
    });
    expect(days).toEqual([
      {
        day: '2026-03-29',
        worst: 'major_outage',
        ms: {
          major_outage: hour,
          partial_outage: 4 * hour,
          degraded_performance: 3 * hour,
          under_maintenance: hour,
        },
      },
    ]);
  });

  it('split an interval at midnight UTC, with 24 hours a day across clock changes', () => {
    const days = daysOf({
      intervals: [interval('major_outage', at(-2, 18), null)],
      createdAt: at(-90),
      now: at(0, 6),
      count: 4,
    });
    expect(days.map(({ ms }) => ms)).toEqual([
      {},
      { major_outage: 6 * hour },
      { major_outage: day },
      { major_outage: 6 * hour },
    ]);
  });

  it('ignore the future, and intervals before the first day', () => {
    const days = daysOf({
      intervals: [
        interval('partial_outage', at(-9), at(-1, 1)),
        interval('major_outage', at(0, 5), at(0, 8)),
        interval('degraded_performance', at(1), at(2)),
      ],
      createdAt: at(-90),
      now: at(0, 6),
      count: 2,
    });
    expect(days.map(({ ms }) => ms)).toEqual([{ partial_outage: hour }, { major_outage: hour }]);
  });

  it('add up to the union of any overlapping intervals', () => {
    const order: ComponentStatus[] = [
      'operational',
      'under_maintenance',
      'degraded_performance',
      'partial_outage',
      'major_outage',
    ];
    const one = fc.record({
      status: fc.constantFrom(...order),
      from: fc.integer({ min: -100, max: 96 }),
      hours: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (given) => {
        const now = at(3, 12);
        const days = daysOf({
          intervals: given.map(({ status, from, hours }) =>
            interval(status, at(0, from), at(0, from + hours)),
          ),
          createdAt: at(0),
          now,
          count: 4,
        });
        const expected = new Map<string, number>();
        for (let each = 0; each < 84; each += 1) {
          const worst = Math.max(
            0,
            ...given
              .filter(({ from, hours }) => from <= each && each < from + hours)
              .map(({ status }) => order.indexOf(status)),
          );
          const key = `${Math.floor(each / 24)} ${order[worst]!}`;
          if (worst > 0) expected.set(key, (expected.get(key) ?? 0) + hour);
        }
        const found = new Map(
          days.flatMap(({ ms }, index) =>
            Object.entries(ms).map(([status, time]) => [`${index} ${status}`, time] as const),
          ),
        );
        expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()));
      }),
    );
  });
});

describe('uptime', () => {
  const uptime = (intervals: StatusInterval[], createdAt: number, now: number, count = 90) =>
    uptimeOf(daysOf({ intervals, createdAt, now, count }), createdAt, now);

  it.each<[StatusInterval[], number]>([
    [[interval('major_outage', at(0), at(0, 6))], 75],
    [[interval('partial_outage', at(0), at(0, 12))], 85],
    [
      [interval('degraded_performance', at(0), null), interval('under_maintenance', at(0), null)],
      100,
    ],
    [[interval('major_outage', at(-5), null)], 0],
  ])('counts major outages fully, partial ones 30 %%, and no others: %#', (intervals, percent) => {
    expect(uptime(intervals, at(0), at(1))).toBe(percent);
  });

  it('covers only the period with data', () => {
    expect(uptime([], at(0), at(0))).toBeNull();
    const outage = [interval('major_outage', at(-1), at(0))];
    expect(uptime(outage, at(-400), at(1), 2)).toBeCloseTo(100, 10);
    expect(uptime(outage, at(-400), at(0, 12), 2)).toBeCloseTo(100 * (12 / 36), 10);
  });
});
