import { describe, expect, it } from 'vitest';
import { plainExtract, withoutLinks } from '../../../src/lib/text/without-links.ts';

describe('a text without links', () => {
  it.each([
    ['see https://evil.example/a?b=c now', 'see [x] now'],
    ['see WWW.EVIL.EXAMPLE now', 'see [x] now'],
    ['see evil.co.uk/path now', 'see [x] now'],
    ['javascript://x and ftp://a.b', '[x] and [x]'],
    ['mailto:a@b.example', '[x]'],
    ['bücher.example', '[x]'],
    ['Fine. This stays at 3.50.', 'Fine. This stays at 3.50.'],
  ])('%s', (text, plain) => {
    expect(withoutLinks(text, '[x]')).toBe(plain);
  });

  it('is cut to its beginning, on one line', () => {
    expect(plainExtract('a\r\nb\u202e\tc', 10, '[x]')).toBe('a b c');
    expect(plainExtract('word '.repeat(1000), 20, '[x]')).toBe('word word word word…');
  });

  it('is found in time that does not explode', () => {
    const begun = performance.now();
    for (const part of ['a.', 'a-', 'aaaa:', '1.']) withoutLinks(part.repeat(2500), '[x]');
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
