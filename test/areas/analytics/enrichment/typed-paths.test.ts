import { describe, expect, it } from 'vitest';
import {
  isPagePattern,
  storedExpressions,
  toStoredPath,
  toStoredPattern,
} from '../../../../src/areas/analytics/enrichment/typed-paths.ts';

describe('a path as somebody typed it', () => {
  it.each([
    ['/danke-für-kauf', '/danke-f%C3%BCr-kauf'],
    ['/order complete', '/order%20complete'],
    ['/x%c3%bc', '/x%C3%BC'],
    ['/%7euser', '/~user'],
    ['/a|b', '/a|b'],
    ['/a%7cb', '/a%7Cb'],
    ['/日本', '/%E6%97%A5%E6%9C%AC'],
    ['pricing', '/pricing'],
    ['//a', '/a'],
    ['/a/../b', '/b'],
    ['/a?utm_source=x#top', '/a'],
    ['/app#/größe', '/app#/gr%C3%B6%C3%9Fe'],
    ['https://münchen.example/grüße?x=1', '/gr%C3%BC%C3%9Fe'],
    ['  /a ', '/a'],
  ])('%s is stored as %s', (text, path) => {
    expect(toStoredPath(text)).toBe(path);
    expect(toStoredPath(path)).toBe(path);
  });

  it.each(['', 'mailto:a@example.com', `/${'ü'.repeat(2000)}`])(
    'stays if it is invalid: %j',
    (text) => {
      expect(toStoredPath(text)).toBe(text);
    },
  );

  it.each([
    ['/prüfung/*', '/pr%C3%BCfung/*'],
    ['/danke-f%c3%bcr-*', '/danke-f%C3%BCr-*'],
    ['*/größe', '*/gr%C3%B6%C3%9Fe'],
    ['*', '*'],
    ['**ü*', '**%C3%BC*'],
    ['*//b', '*//b'],
    ['https://shop.example/für/*/x y', '/f%C3%BCr/*/x%20y'],
  ])('may be a pattern: %s is %s', (text, pattern) => {
    expect(toStoredPattern(text)).toBe(pattern);
    expect(isPagePattern(text)).toBe(true);
  });

  it.each(['pricing', 'javascript:x', 'https://', ''])('is no pattern if it is %j', (text) => {
    expect(isPagePattern(text)).toBe(false);
  });

  it.each([
    ['^/f%c3%bcr$', '^/f%C3%BCr$', '^/für$'],
    ['/%7euser', '/~user', '/~user'],
    ['/a%2eb', String.raw`/a\.b`, String.raw`/a\.b`],
    ['/a%20[%c3%bc]', '/a%20[%C3%BC]', '/a [ü]'],
    ['/100%25|%FF', '/100%25|%FF', '/100%25|%FF'],
  ])('may be a regular expression: %s', (text, stored, readable) => {
    expect(storedExpressions(text)).toEqual([stored, readable]);
  });
});
