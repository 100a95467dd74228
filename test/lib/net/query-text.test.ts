import { describe, expect, it } from 'vitest';
import {
  parameterOf,
  forwardableParameters,
  withParameters,
} from '../../../src/lib/net/query-text.ts';

describe('a parameter that is added to a URL', () => {
  it.each([
    ['https://a.example/', 'https://a.example/?p=1'],
    ['https://a.example/?', 'https://a.example/?p=1'],
    ['https://a.example/?a', 'https://a.example/?a&p=1'],
    ['https://a.example/?a&', 'https://a.example/?a&p=1'],
    ['https://a.example/#x?y', 'https://a.example/?p=1#x?y'],
    ['https://a.example/?a=1#x', 'https://a.example/?a=1&p=1#x'],
    ['https://a.example/?q=M%FCller~;b=%20', 'https://a.example/?q=M%FCller~;b=%20&p=1'],
    ['https://a.example/?a=b?c', 'https://a.example/?a=b?c&p=1'],
  ])('leaves the text of %s as it is', (url, expected) => {
    expect(withParameters(url, ['p=1'])).toBe(expected);
  });

  it.each(['?p=2', '?p', '?%70=2', '?a;p=2', '?a=1&p=#x'])(
    'never stands beside one of the same name: %s',
    (query) => {
      const url = `https://a.example/${query}`;
      expect(withParameters(url, ['p=1'])).toBe(url);
    },
  );

  it.each(['x;p=2', 'p=2;x', ';%70'])(
    'never overrides one of the same name behind a semicolon: %s',
    (parameter) => {
      expect(withParameters('https://a.example/?p=1', [parameter])).toBe('https://a.example/?p=1');
      expect(forwardableParameters(`${parameter}&a=1`, new Set(['p']))).toEqual(['a=1']);
    },
  );

  it('is encoded as forms are', () => {
    expect(parameterOf('utm_term', 'a b&ü#')).toBe('utm_term=a+b%26%C3%BC%23');
  });
});
