import { describe, expect, it } from 'vitest';
import { formatList } from '../../../src/platform/i18n/lists.ts';
import {
  formatChange,
  formatCompact,
  formatMoney,
  formatNumber,
  formatOrDash,
  formatPercent,
} from '../../../src/platform/i18n/numbers.ts';
import { plainSpaces } from '../../../src/platform/i18n/plain-spaces.ts';
import { plural, pluralCategories } from '../../../src/platform/i18n/plural.ts';

describe('numbers', () => {
  it('are grouped, and have decimals only if asked for', () => {
    expect(formatNumber(1284)).toBe('1,284');
    expect(formatNumber(-1284.6)).toBe('-1,285');
    expect(formatNumber(2.84, { decimals: 1 })).toBe('2.8');
    expect(formatNumber(3, { decimals: 1 })).toBe('3');
    expect([-2, 0, 2].map((value) => formatNumber(value, { signed: true }))).toEqual([
      '-2',
      '0',
      '+2',
    ]);
  });

  it('have no sign when they are shown as zero', () => {
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(-0)).toBe('0');
    expect(formatNumber(-0.04, { decimals: 1 })).toBe('0');
    expect(formatPercent(-0.0001)).toBe('0%');
    expect(formatChange(-0.0001)).toBe('0%');
  });

  it('are short where space is', () => {
    expect(formatCompact(12_345)).toBe('12.3K');
    expect(formatCompact(-2_000_000)).toBe('-2M');
    expect(formatCompact(0)).toBe('0');
  });

  it('show amounts with their currency', () => {
    expect(formatMoney(1284.5, 'EUR')).toBe('€1,284.50');
    expect(formatMoney(1284.5, 'JPY')).toBe('¥1,285');
    expect(plainSpaces(formatMoney(4.9, 'CHF'))).toBe('CHF 4.90');
    expect(() => formatMoney(Number.NaN, 'EUR')).toThrow(RangeError);
  });

  it('show ratios as percentages, and changes with a sign', () => {
    expect(formatPercent(0.3661)).toBe('36.6%');
    expect(formatPercent(0)).toBe('0%');
    expect(formatChange(0.0312)).toBe('+3.1%');
    expect(formatChange(9.99)).toBe('+999%');
    expect(formatChange(732.062)).toBe('> 999%');
    expect(formatChange(-0.0312)).toBe('-3.1%');
    expect(formatChange(0)).toBe('0%');
  });

  it('round a percentage down on request, whatever computed it', () => {
    const options = { decimals: 2, roundDown: true };
    expect(formatPercent(0.999_999, options)).toBe('99.99%');
    expect(formatPercent(1, options)).toBe('100%');
    for (let hundredths = 0; hundredths <= 10_000; hundredths += 1)
      expect(formatPercent(hundredths / 100 / 100, options)).toBe(`${hundredths / 100}%`);
  });

  it('are refused when they are none', () => {
    for (const value of [NaN, Infinity, -Infinity]) {
      expect(() => formatNumber(value)).toThrow(RangeError);
      expect(() => formatCompact(value)).toThrow(RangeError);
      expect(() => formatPercent(value)).toThrow(RangeError);
      expect(() => formatChange(value)).toThrow(RangeError);
      expect(() => plural(value, { one: 'one', other: 'other' })).toThrow(RangeError);
    }
  });

  it('are a dash when nothing was measured', () => {
    expect(formatOrDash(null, formatNumber)).toBe('–');
    expect(formatOrDash(undefined, formatNumber)).toBe('–');
    expect(formatOrDash(0, formatNumber)).toBe('0');
  });
});

describe('plurals', () => {
  it('have a text for each category of the language', () => {
    const days = (count: number) => plural(count, { one: '1 day', other: `${count} days` });
    expect([0, 1, 2, 1.5].map(days)).toEqual(['0 days', '1 day', '2 days', '1.5 days']);
    // @ts-expect-error -- `other` is missing.
    expect(plural(1, { one: '1 day' })).toBe('1 day');
  });

  it('know the categories that Intl has', () => {
    for (const [locale, categories] of Object.entries(pluralCategories))
      expect([...new Intl.PluralRules(locale).resolvedOptions().pluralCategories].sort()).toEqual(
        [...categories].sort(),
      );
  });
});

describe('lists', () => {
  it('are joined as the language does it', () => {
    expect(formatList([])).toBe('');
    expect(formatList(['one'])).toBe('one');
    expect(formatList(['one', 'two'])).toBe('one and two');
    expect(formatList(['one', 'two', 'three'])).toBe('one, two, and three');
    expect(formatList(['one', 'two', 'three'], { or: true })).toBe('one, two, or three');
  });
});

describe('spaces of Intl', () => {
  it('become ordinary ones for SMS and CSV', () => {
    const french = new Intl.NumberFormat('fr', { style: 'percent' }).format(12.34);
    expect(french).toMatch(/\u202f.*\u00a0/);
    expect(plainSpaces(french)).toBe('1 234 %');
    expect(plainSpaces('a\u2009–\u2009b')).toBe('a – b');
  });
});
