import { expect, test } from 'vitest';
import { acceptsType, namesType, preferredType } from '../../../src/lib/net/accept.ts';

const json = 'application/json';

test.each([
  undefined,
  '',
  ' ',
  '*/*',
  'application/*',
  'APPLICATION/JSON',
  'text/html , application/json ; q=0.1',
  'application/json;charset=utf-8; Q = 0.5',
  '*/*;q=0, application/json',
  'application/*;q=0, application/json;q=1.000',
])('Accept: %s admits JSON', (accept) => {
  expect(acceptsType(accept, json)).toBe(true);
});

test.each([
  'text/html',
  'text/*',
  'application/jsonp',
  'application/json;q=0',
  'application/json;q=0.0, */*',
  'application/*;q=0, */*',
  'application/json;q=none',
  'text/html;profile="application/json"',
])('Accept: %s does not admit JSON', (accept) => {
  expect(acceptsType(accept, json)).toBe(false);
});

test('a range with a star names no type', () => {
  expect(
    ['text/html', 'TEXT/HTML;q=0.2', 'a/b, text/html'].map((a) => namesType(a, 'text/html')),
  ).toEqual([true, true, true]);
  expect(
    [undefined, '', '*/*', 'text/*', 'text/html;q=0'].map((a) => namesType(a, 'text/html')),
  ).toEqual([false, false, false, false, false]);
});

test('the preferred type has the highest weight, then the first range and place', () => {
  const types = ['a/one', 'a/two'] as const;
  expect(
    [
      undefined,
      '*/*',
      'a/two, a/one',
      'a/two;q=0.9, a/one',
      'a/*;q=0.5, a/two',
      'a/one;q=0, */*;q=0.1',
      'b/*',
    ].map((accept) => preferredType(accept, types)),
  ).toEqual(['a/one', 'a/one', 'a/two', 'a/one', 'a/two', 'a/two', undefined]);
});
