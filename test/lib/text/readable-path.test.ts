import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePageUrl } from '../../../src/areas/analytics/enrichment/page-url.ts';
import { readablePath } from '../../../src/lib/text/readable-path.ts';

const stored = (text: string): string | undefined => {
  const page = parsePageUrl(text);
  return 'error' in page ? undefined : page.pathname;
};

describe('a readable path', () => {
  it.each([
    ['/danke-f%C3%BCr-kauf', '/danke-für-kauf'],
    ['/order%20complete', '/order complete'],
    ['/%E6%97%A5%E6%9C%AC/%F0%9F%8E%89', '/日本/🎉'],
    ['/app#/gr%C3%B6%C3%9Fe', '/app#/größe'],
    ['news.example/f%C3%BCr', 'news.example/für'],
    ['/plain~user', '/plain~user'],
    ['/%7B%22a%22%7D', '/{"a"}'],
  ])('of %s is %s', (path, readable) => {
    expect(readablePath(path)).toBe(readable);
  });

  it.each(['/a%2Fb', '/a%3Fb%23c', '/100%25', '/%00', '/%C3%28', '/%FF', '/%ED%A0%80', '/a%20%20'])(
    'leaves escaped what would change the path or is no text: %s',
    (path) => {
      expect(readablePath(path)).toBe(path);
    },
  );

  it('leaves escaped what nobody can see, or could take for a space', () => {
    for (const character of [
      '\u200B',
      '\u202E',
      '\u2066',
      '\u00A0',
      '\u2003',
      '\u00AD',
      '\uFEFF',
    ]) {
      const path = `/a${encodeURIComponent(character)}b`;
      expect(readablePath(path)).toBe(path);
    }
  });

  it('is the path again once it is normalised, for every path', () => {
    const character = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), (parts) => {
        const path = stored(`/${parts.join('')}`);
        if (path === undefined) return;
        expect(stored(readablePath(path))).toBe(path);
      }),
      { numRuns: 2000 },
    );
  });
});
