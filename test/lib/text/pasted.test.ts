import { describe, expect, it } from 'vitest';
import {
  normalizePasted,
  withoutDirections,
  withoutSeparators,
} from '../../../src/lib/text/pasted.ts';

describe('a pasted text', () => {
  it.each([
    ['marks of direction', '\u202a+1 (415) 555-0161\u202c', '+1 (415) 555-0161'],
    ['isolates', '\u2066+14155550168\u2069\u200e\u200f\u061c', '+14155550168'],
    ['zero-width characters', '\ufeff4\u200b1\u200c5\u200d5\u20605\u00ad5', '415555'],
    ['full-width forms', '\uff0b１\u3000（４１５）\uff0d５５', '+1 (415)-55'],
    ['Arabic and Persian digits', '٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹', '0123456789 0123456789'],
    ['digits of other scripts', '०१९ ๐๙ 𝟘𝟡 𝟎𝟗 \u{1e950}\u{1e959}', '019 09 09 09 09'],
    [
      'dashes',
      '1\u20102\u20113\u20124\u20135\u20146\u20157\u22128\ufe639\u2043',
      '1-2-3-4-5-6-7-8-9-',
    ],
    ['Japanese dashes', '090ー1234ｰ5678', '090-1234-5678'],
    ['spaces', '1\u00a02\u20093\u202f4\u30005\t6\u20287\n8', '1 2 3 4 5 6 7 8'],
    ['keycaps', '1\ufe0f2\ufe0f', '12'],
  ])('is read as it was meant: %s', (_kind, pasted, typed) => {
    expect(normalizePasted(pasted)).toBe(typed);
  });

  it('stays as it is when it was typed', () => {
    const typed = '+49 (0) 151/234-567.8 Straße スーパー q?r=x';
    expect(normalizePasted(typed)).toBe(typed);
  });

  it('has no separators where they only group its digits', () => {
    for (const code of [
      '123 456',
      '123-456',
      '１２３\u2009４５６',
      '١٢٣–٤٥٦',
      '123.456',
      '12·34·56',
    ])
      expect(withoutSeparators(code)).toMatch(/^\d{6}$/);
    expect(withoutSeparators('12a456')).toBe('12a456');
    expect(withoutSeparators('+12 345')).toBe('+12345');
  });
});

describe('a pasted name', () => {
  it.each([
    ['\u200eAnn\u200f Lee\u061c', 'Ann Lee'],
    ['\u202aAnn Lee\u202c', 'Ann Lee'],
    ['Dr. \u2068Ann\u2069 Lee', 'Dr. Ann Lee'],
    ['\u200f\u2067נועה\u2069', 'נועה'],
    ['\u202bנועה\u202c', 'נועה'],
  ])('loses its marks of direction: %j', (pasted, name) => {
    expect(withoutDirections(pasted)).toBe(name);
  });

  it('keeps everything else, and what turns a part of it around for a check to refuse', () => {
    for (const text of [
      'می\u200cخواهم',
      '👩\u200d👩\u200d👧\ufe0f',
      'ﬁ Ｊ',
      'exe.\u2067fdp',
      '\u202eAnn',
    ])
      expect(withoutDirections(text)).toBe(text);
  });
});
