import { describe, expect, it } from 'vitest';
import {
  formatDate,
  formatDateRange,
  formatDateTime,
  formatDateTimeRange,
  formatDay,
  formatMonth,
} from '../../../src/platform/i18n/dates.ts';
import { plainSpaces } from '../../../src/platform/i18n/plain-spaces.ts';

const at = Date.parse('2026-11-28T14:05:09Z');

describe('dates', () => {
  it('are written in one way, in UTC', () => {
    expect(formatDate(at)).toBe('Nov 28, 2026');
    expect(formatDateTime(at)).toBe('Nov 28, 2026, 14:05 UTC');
    expect(formatDay(at)).toBe('Nov 28');
    expect(formatMonth(at)).toBe('November 2026');
  });

  it('have the hour 0 at midnight', () => {
    expect(formatDateTime('2026-11-28T00:00:00Z')).toBe('Nov 28, 2026, 00:00 UTC');
  });

  it('can be dates, ISO 8601 or Unix ms, before 1970 too', () => {
    expect(formatDate(new Date(at))).toBe('Nov 28, 2026');
    expect(formatDate('2026-11-28')).toBe('Nov 28, 2026');
    expect(formatDateTime(0)).toBe('Jan 1, 1970, 00:00 UTC');
    expect(formatDate(-1)).toBe('Dec 31, 1969');
  });

  it('are those of another time zone on request', () => {
    expect(formatDateTime(at, { timeZone: 'Asia/Tokyo' })).toBe('Nov 28, 2026, 23:05 GMT+9');
    expect(formatDay('2026-11-28T23:30:00Z', { timeZone: 'Europe/Berlin' })).toBe('Nov 29');
    expect(() => formatDate(at, { timeZone: 'Nowhere/City' })).toThrow(RangeError);
  });

  it('share what two have in common', () => {
    const text = (...[from, to]: [string, string]) => plainSpaces(formatDateRange(from, to));
    expect(text('2026-11-22', '2026-11-28')).toBe('Nov 22 – 28, 2026');
    expect(text('2026-11-28', '2026-12-03')).toBe('Nov 28 – Dec 3, 2026');
    expect(text('2026-11-28', '2026-11-28')).toBe('Nov 28, 2026');
    expect(plainSpaces(formatDateTimeRange(at, at + 600_000))).toBe(
      'Nov 28, 2026, 14:05 – 14:15 UTC',
    );
  });

  it('are refused when they are none', () => {
    for (const none of [NaN, 'tomorrow', new Date(NaN), 9e15]) {
      expect(() => formatDate(none)).toThrow(RangeError);
      expect(() => formatDateTime(none)).toThrow(RangeError);
      expect(() => formatDay(none)).toThrow(RangeError);
      expect(() => formatMonth(none)).toThrow(RangeError);
      expect(() => formatDateRange(0, none)).toThrow(RangeError);
    }
  });
});
