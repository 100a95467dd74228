import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeRedirect } from '../../../src/lib/net/safe-redirect.ts';
import { rounds } from '../../support/rounds.ts';

const origin = 'https://svc.company.test';

describe('safeRedirect', () => {
  test.each([
    '/',
    '/console',
    '/console/',
    '/a/b?c=d&e=//f#g',
    '/a?next=https://x.test',
    '/%C3%A4',
    '/a:b',
    '/a?mail=x@y.test',
  ])('keeps %j', (next) => {
    expect(safeRedirect(next, origin)).toBe(next);
  });

  test.each([
    '//evil',
    '/\\evil',
    'https://evil',
    '/%09/evil',
    '/..//evil',
    'javascript:alert(1)',
    '/x@evil',
    '/a\r\nb',
    '/%0d%0ab',
    `/${'a'.repeat(5000)}`,
    undefined,
    '',
    'a',
    '\\\\evil',
    '/\t/evil',
    '///evil',
    '/.//evil',
    '/%2e%2e//evil',
    ' /a',
    '/ a',
    '/%5cevil',
    '/\u0000',
    '/\u2028',
    'http:/x',
    '/./..//evil',
  ])('turns %j into /', (next) => {
    expect(safeRedirect(next, origin)).toBe('/');
  });

  const parts = ['..', '%2f', '%5c', '%09', '%2e', 'evil.test', 'https:', 'a', '\u0000'];
  const tricky = fc.string({
    unit: fc.constantFrom(...'/\\.\t\n\r@:?# ;[]|', ...parts),
    maxLength: 24,
  });

  test('never leads to another origin, from any base URL or after decoding', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          tricky,
          tricky.map((rest) => `/${rest}`),
          fc.string(),
          fc.webUrl(),
          fc.string({ unit: 'binary' }),
        ),
        (next) => {
          const safe = safeRedirect(next, origin);
          expect(safe).toMatch(/^\/(?![/\\])[^\s\p{Cc}\\]*$/u);
          expect(new URL(safe, origin).origin).toBe(origin);
          expect(new URL(safe, `${origin}/deep/er?x=y`).origin).toBe(origin);
          expect(new URL(decodeURI(safe.replaceAll('%25', '')), origin).origin).toBe(origin);
        },
      ),
      { numRuns: rounds(1000, 3000) },
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(
        tricky.map((rest) => `/${rest}`),
        (next) => {
          const safe = safeRedirect(next, origin);
          expect(safeRedirect(safe, origin)).toBe(safe);
        },
      ),
      { numRuns: rounds(300, 1000) },
    );
  });
});
