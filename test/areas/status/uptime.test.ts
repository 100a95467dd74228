import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComponentStatus } from '../../../src/areas/status/model.ts';
import {
  daysOf,
  type StatusInterval,
  uptimeOf,
} from '../../../src/areas/status/recording/uptime.ts';

const hour = 3_600_000;
const day = 24 * hour;
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
    expect(days.map(({ worst }) => worst)).toEqual([
      'no_data',
      'no_data',
      'major_outage',
      'operational',
    ]);
    expect(days[2]?.ms).toEqual({ major_outage: hour });
    expect(
      daysOf({ intervals: [], createdAt: at(0), now: at(0, 1), count: 2 }).map(
        ({ worst }) => worst,
      ),
    ).toEqual(['no_data', 'operational']);
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
    const statuses = fc.constantFrom<ComponentStatus[]>(
      'operational',
      'degraded_performance',
      'partial_outage',
      'major_outage',
      'under_maintenance',
    );
    const one = fc.record({
      status: statuses,
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
        const order: ComponentStatus[] = [
          'operational',
          'under_maintenance',
          'degraded_performance',
          'partial_outage',
          'major_outage',
        ];
        const expected = new Map<string, number>();
        for (let each = 0; each < 84; each += 1) {
          const worst = Math.max(
            0,
            ...given
              .filter(({ from, hours }) => from <= each && each < from + hours)
              .map(({ status }) => order.indexOf(status)),
          );
          if (worst > 0)
            expected.set(
              `${Math.floor(each / 24)} ${order[worst]!}`,
              (expected.get(`${Math.floor(each / 24)} ${order[worst]!}`) ?? 0) + hour,
            );
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

  it('counts major outages fully, partial ones 30 %, and no other status', () => {
    const now = at(1);
    expect(uptime([interval('major_outage', at(0), at(0, 6))], at(0), now)).toBe(75);
    expect(uptime([interval('partial_outage', at(0), at(0, 12))], at(0), now)).toBe(85);
    expect(
      uptime(
        [interval('degraded_performance', at(0), now), interval('under_maintenance', at(0), now)],
        at(0),
        now,
      ),
    ).toBe(100);
    expect(uptime([interval('major_outage', at(-5), null)], at(0), now)).toBe(0);
  });

  it('covers only the period with data', () => {
    expect(uptime([], at(0), at(0))).toBeNull();
    expect(uptime([interval('major_outage', at(-1), at(0))], at(-400), at(1), 2)).toBeCloseTo(
      100 * (1 - 0),
      10,
    );
    expect(uptime([interval('major_outage', at(-1), at(0))], at(-400), at(0, 12), 2)).toBeCloseTo(
      100 * (12 / 36),
      10,
    );
  });
});
