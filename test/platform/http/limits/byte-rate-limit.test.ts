import { describe, expect, it } from 'vitest';
import { createByteBuckets } from '../../../../src/platform/http/limits/byte-rate-limit.ts';

const perMinute = 60_000;

describe('the byte limit of a client', () => {
  it('allows the bytes of a minute at once, then refills over time', () => {
    let now = 0;
    const take = createByteBuckets({ clock: { now: () => now } });
    expect(take('a', 40_000, perMinute)).toBe(0);
    expect(take('a', 20_000, perMinute)).toBe(0);
    expect(take('a', 10_000, perMinute)).toBe(10);
    expect(take('b', 10_000, perMinute)).toBe(0);
    now = 9999;
    expect(take('a', 10_000, perMinute)).toBe(1);
    now = 10_000;
    expect(take('a', 10_000, perMinute)).toBe(0);
    now = 10_000_000;
    expect(take('a', 60_000, perMinute)).toBe(0);
    expect(take('a', 1, perMinute)).toBe(1);
  });

  it('allows a single body that is larger than the limit', () => {
    const take = createByteBuckets({ clock: { now: () => 0 } });
    expect(take('a', 90_000, perMinute)).toBe(0);
    expect(take('a', 1, perMinute)).toBeGreaterThan(0);
  });

  it('is counted in bounded memory', () => {
    const take = createByteBuckets({ clock: { now: () => 0 }, max: 10 });
    for (let n = 0; n < 100; n++) expect(take(`client ${n}`, perMinute, perMinute)).toBe(0);
    expect(take('client 99', 1, perMinute)).toBe(1);
    expect(take('client 0', 1, perMinute)).toBe(0);
  });
});
