import { describe, expect, it } from 'vitest';
import { canonicalInstant, timeMs, unixMs } from '../../src/lib/timestamps.ts';
import { instant } from '../../src/platform/validation/instants.ts';

const [day, time] = ['2026-05-01', '10:00:00'];

describe('an instant', () => {
  it.each([
    ['T', 'Z', 'Z'],
    ['t', 'z', 'Z'],
    [' ', 'Z', 'Z'],
    [' ', ' Z', 'Z'],
    ['T', '.5Z', '.5Z'],
    ['T', ',123456789Z', '.123456789Z'],
    ['T', '+02:00', '+02:00'],
    ['t', '+0200', '+02:00'],
    [' ', '.123456+00', '.123456+00:00'],
    ['T', '-08', '-08:00'],
    ['T', '\u221208:00', '-08:00'],
    [' ', ' +0530', '+05:30'],
    ['T', ' 02:00', '+02:00'],
    ['T', '-00:00', '-00:00'],
  ])('may have %j after the day and %j after the seconds', (between, end, canonical) => {
    const text = `${day}${between}${time}${end}`;
    expect(canonicalInstant(text)).toBe(`${day}T${time}${canonical}`);
    expect(instant().parse(text)).toBe(`${day}T${time}${canonical}`);
    expect(canonicalInstant(canonicalInstant(text))).toBe(`${day}T${time}${canonical}`);
  });

  it.each([
    '2026-02-30T10:00:00Z',
    '2026-02-29t10:00:00z',
    '2026-05-01T24:00:00Z',
    '2026-05-01T10:60:00Z',
    '2026-05-01T10:00:00',
    '2026-05-01 10:00:00',
    '2026-05-01T10:00:00+24:00',
    '2026-05-01T10:00:00+2',
    '2026-05-01_10:00:00Z',
    '2026-05-01',
    '26-05-01T10:00:00Z',
    '1777887000',
    'x2026-05-01T10:00:00Z',
    '2026-05-01T10:00:00Zx',
    '',
  ])('is not %j', (text) => {
    expect(instant().safeParse(text).success).toBe(false);
  });
});

describe('a Unix time', () => {
  const ms = Date.UTC(2026, 4, 1, 10, 0, 0, 123);

  it('is read in the unit that its size tells', () => {
    expect(unixMs(Math.floor(ms / 1000))).toBe(ms - 123);
    expect(unixMs(ms / 1000)).toBe(ms);
    expect(unixMs(ms)).toBe(ms);
    expect(unixMs(ms + 0.4)).toBe(ms);
    expect(unixMs(ms * 1000)).toBe(ms);
    expect(unixMs(ms * 1e6)).toBe(ms);
    expect(unixMs(0)).toBe(0);
  });

  it('may be text, and is then told from an instant', () => {
    expect(timeMs(String(ms))).toBe(ms);
    expect(timeMs(`${ms / 1000}`)).toBe(ms);
    expect(timeMs(new Date(ms).toISOString())).toBe(ms);
    expect(timeMs('2026-05-01T12:00:00.123+02:00')).toBe(ms);
  });
});
