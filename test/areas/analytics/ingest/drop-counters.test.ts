import { describe, expect, it } from 'vitest';
import { createDropCounters } from '../../../../src/areas/analytics/ingest/limits/drop-counters.ts';
import { hourMs } from '../../../../src/lib/durations.ts';

function counters() {
  let time = 10 * hourMs + 5;
  return {
    drops: createDropCounters({ clock: { now: () => time } }),
    advance: (ms: number) => (time += ms),
  };
}

describe('drop counters', () => {
  it('add up by site, hour and reason', () => {
    const { drops, advance } = counters();
    drops.count(1, 'duplicate');
    drops.count(1, 'duplicate', 4);
    drops.count(1, 'invalid');
    drops.count(2, 'duplicate');
    advance(hourMs);
    drops.count(1, 'duplicate');
    const [ten, eleven] = [10 * hourMs, 11 * hourMs];
    expect(drops.take()).toEqual({
      kind: 'drops',
      d: [
        { s: 1, hour: ten, reason: 'duplicate', n: 5 },
        { s: 1, hour: ten, reason: 'invalid', n: 1 },
        { s: 2, hour: ten, reason: 'duplicate', n: 1 },
        { s: 1, hour: eleven, reason: 'duplicate', n: 1 },
      ],
    });
  });

  it('are taken once', () => {
    const { drops } = counters();
    expect(drops.take()).toBeUndefined();
    drops.count(0, 'unknown_site');
    expect(drops.take()?.d).toHaveLength(1);
    expect(drops.take()).toBeUndefined();
  });

  it('are restored to their own hour when they could not be written', () => {
    const { drops, advance } = counters();
    drops.count(1, 'duplicate', 2);
    const taken = drops.take();
    drops.count(1, 'duplicate', 3);
    advance(hourMs);
    drops.count(1, 'duplicate', 7);
    drops.restore(taken!);
    expect(drops.take()?.d.map(({ hour, n }) => [hour / hourMs, n])).toEqual([
      [10, 5],
      [11, 7],
    ]);
    expect(taken?.d[0]?.n).toBe(2);
  });

  it('restored to empty counters leave the record taken before unchanged', () => {
    const { drops } = counters();
    drops.count(1, 'duplicate');
    const taken = drops.take()!;
    drops.restore(taken);
    drops.count(1, 'duplicate');
    expect(taken.d[0]?.n).toBe(1);
    expect(drops.take()?.d[0]?.n).toBe(2);
  });
});
