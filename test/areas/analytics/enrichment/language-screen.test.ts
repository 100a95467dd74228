import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLanguage } from '../../../../src/areas/analytics/enrichment/language.ts';
import { parseScreen } from '../../../../src/areas/analytics/enrichment/screen.ts';

describe('parseLanguage', () => {
  it.each([
    ['en-GB,en;q=0.9', 'en-GB'],
    ['en-gb', 'en-GB'],
    ['EN', 'en'],
    [' de;q=0.9, en', 'de'],
    ['zh_hant_tw', 'zh-Hant-TW'],
    ['zh-Hans', 'zh-Hans'],
    ['es-419', 'es-419'],
    ['fil-PH', 'fil-PH'],
    ['de-DE-1996', 'de-DE'],
    ['en-US-u-ca-buddhist', 'en-US'],
    ['sr-Latn-RS,sr;q=0.8', 'sr-Latn-RS'],
    ['*', null],
    ['', null],
    ['C', null],
    ['POSIX', null],
    ['english', null],
    ['<script>', null],
    ['12', null],
  ])('%j is %s', (value, language) => {
    expect(parseLanguage(value)).toBe(language);
  });

  it('never throws and returns at most 11 characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (value) => (parseLanguage(value) ?? '').length <= 11,
      ),
    );
  });
});

describe('parseScreen', () => {
  it.each([
    ['1920x1080', { width: 1920, height: 1080 }],
    ['390X844', { width: 390, height: 844 }],
    ['1×65535', { width: 1, height: 65535 }],
    ['0x0', null],
    ['1920x65536', null],
    ['1920x', null],
    ['1920', null],
    ['1920.5x10', null],
    ['-1x10', null],
    ['', null],
    ['9'.repeat(5000), null],
  ])('%j is %j', (value, size) => {
    expect(parseScreen(value)).toEqual(size);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (value) => parseScreen(value) === null || /^\d/.test(value),
      ),
    );
  });
});
