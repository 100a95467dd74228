import { describe, expect, it } from 'vitest';
import { formatDuration, formatWait } from '../../../src/platform/i18n/durations.ts';

describe('durations', () => {
  it('are the largest unit and the one below it', () => {
    expect(formatDuration(8)).toBe('8s');
    expect(formatDuration(68)).toBe('1m 8s');
    expect(formatDuration(3725)).toBe('1h 2m');
    expect(formatDuration(90_061)).toBe('1d 1h');
    expect(formatDuration(4_000_000)).toBe('46d 7h');
    expect(formatDuration(90_000_000)).toBe('1,041d 16h');
  });

  it('leave zeros out, but for zero', () => {
    expect(formatDuration(60)).toBe('1m');
    expect(formatDuration(3605)).toBe('1h');
    expect(formatDuration(0)).toBe('0s');
    expect(formatDuration(0.4)).toBe('0s');
    expect(formatDuration(-0.4)).toBe('0s');
  });

  it('are rounded to seconds before they are split', () => {
    expect(formatDuration(59.6)).toBe('1m');
    expect(formatDuration(3599.7)).toBe('1h');
  });

  it('can be written out', () => {
    expect(formatDuration(68, { long: true })).toBe('1 minute 8 seconds');
    expect(formatDuration(7201, { long: true })).toBe('2 hours');
    expect(formatDuration(0, { long: true })).toBe('0 seconds');
  });

  it('can be negative', () => {
    expect(formatDuration(-68)).toBe('-1m 8s');
  });

  it('are refused when they are none', () => {
    for (const none of [NaN, Infinity]) {
      expect(() => formatDuration(none)).toThrow(RangeError);
      expect(() => formatWait(none)).toThrow(RangeError);
    }
  });
});

describe('waits', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [39.2, '40 seconds'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [121, '3 minutes'],
    [7199, '120 minutes'],
    [7200, '2 hours'],
    [7201, '3 hours'],
    [86_400, '24 hours'],
    [172_799, '48 hours'],
    [172_800, '2 days'],
    [604_800, '7 days'],
  ])('of %d seconds are rounded up, in one unit: %s', (seconds, text) => {
    expect(formatWait(seconds)).toBe(text);
  });

  it('are over when they are negative', () => {
    expect(formatWait(-5)).toBe('0 seconds');
  });
});
