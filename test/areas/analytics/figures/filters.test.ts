import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FilterParameter,
  parseFilters,
  parseFilter,
} from '../../../../src/areas/analytics/figures/filters.ts';
import {
  eventDimensions,
  operators,
  visitDimensions,
} from '../../../../src/areas/analytics/store/queries.ts';

const accepts = (value: unknown) => FilterParameter.safeParse(value).success;
const escaped = (text: string) => text.replace(/[\\|]/g, '\\$&');

describe('a filter', () => {
  it('parses into dimension, operator and values, for every dimension and operator', () => {
    for (const dimension of [...eventDimensions, ...visitDimensions]) {
      for (const operator of operators)
        expect(parseFilter(`${dimension}:${operator}:x`)).toEqual({
          dimension,
          operator,
          values: ['x'],
        });
    }
  });

  it.each([
    ['source:is:Google|Bing', ['Google', 'Bing']],
    ['source:is:a\\|b', ['a|b']],
    ['source:is:a\\\\|b', ['a\\', 'b']],
    ['source:is:a\\\\\\|b', ['a\\|b']],
    ['source:is:', ['']],
    ['source:is:|', ['', '']],
    ['source:is:a|', ['a', '']],
    ['page:is:/a:b::c', ['/a:b::c']],
    ['page:is:a\\', ['a\\']],
    ['page:is:\\🎉|x', ['🎉', 'x']],
    ['page:is:a\nb|\\\nc', ['a\nb', '\nc']],
    ['page:contains:100%|_', ['100%', '_']],
  ])('may have several values, with escapes: %j', (text, values) => {
    expect(parseFilter(text).values).toEqual(values);
    expect(accepts(text)).toBe(true);
  });

  it('keeps a regular expression verbatim, with its bars and backslashes', () => {
    expect(parseFilter('page:matches:^/(a|b)\\d+:\\|$')).toEqual({
      dimension: 'page',
      operator: 'matches',
      values: ['^/(a|b)\\d+:\\|$'],
    });
    expect(parseFilter('page:matches_not:').values).toEqual(['']);
  });

  it('may name any property, even one with a colon in its name', () => {
    expect(parseFilter('props.plan:is:pro')).toEqual({
      dimension: 'props.plan',
      operator: 'is',
      values: ['pro'],
    });
    expect(parseFilter('props.a\\:b\\\\c:is_not:x:y')).toEqual({
      dimension: 'props.a:b\\c',
      operator: 'is_not',
      values: ['x:y'],
    });
    expect(parseFilter('props.ünï "🎉":contains:ü').dimension).toBe('props.ünï "🎉"');
  });

  it('round-trips every escaped value', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 }),
        (values) => {
          expect(parseFilter(`title:is:${values.map(escaped).join('|')}`).values).toEqual(values);
        },
      ),
    );
  });

  it.each([
    ...['', ':', '::', 'source', 'source:is', 'source:is_', 'browsers:is:x', 'props.:is:x'],
    ...[`props.${'k'.repeat(301)}:is:x`, 'source:like:x', 'source :is:x', 'Source:is:x'],
    ...['__proto__:is:x', 'source\\:is:x:y'],
  ])('is refused with a reason: %j', (text) => {
    const { success, error } = FilterParameter.safeParse(text);
    expect(success).toBe(false);
    expect(JSON.stringify(error?.issues)).toMatch(/dimension|operator/);
    expect(() => parseFilter(text)).toThrow(TypeError);
  });

  it('lists the valid operators when it has an unknown one', () => {
    expect(JSON.stringify(FilterParameter.safeParse('source:like:x').error?.issues)).toContain(
      'is_not, contains',
    );
  });
});

describe('the filter parameter', () => {
  it('may be absent, one filter or up to twenty', () => {
    expect(parseFilters(undefined)).toEqual([]);
    expect(parseFilters('source:is:a')).toHaveLength(1);
    const many = Array.from({ length: 20 }, () => 'source:is:a');
    expect(accepts(many)).toBe(true);
    expect(parseFilters(many)).toHaveLength(20);
    expect(accepts([...many, 'source:is:a'])).toBe(false);
    expect(accepts(['source:is:a', 'nonsense'])).toBe(false);
    expect(accepts(`source:is:${'x'.repeat(4000)}`)).toBe(false);
  });

  const times = (count: number, text: string) => Array.from({ length: count }, () => text);
  const issuesOf = (text: string) => JSON.stringify(FilterParameter.safeParse(text).error?.issues);

  it.each([
    ['is', 200],
    ['is_not', 200],
    ['contains', 20],
    ['contains_not', 20],
  ])('may have, with %s, %i values', (operator, most) => {
    const values = (count: number) => `page:${operator}:${times(count, '/a').join('|')}`;
    expect(accepts(values(most))).toBe(true);
    expect(accepts(values(most + 1))).toBe(false);
  });

  it('may have many escaped bars, which separate no values', () => {
    expect(accepts(`page:contains:${'\\|'.repeat(300)}`)).toBe(true);
  });

  it('may have four regular expressions of 200 characters', () => {
    const patterns = (count: number) => times(count, 'page:matches_not:x');
    expect(accepts(patterns(4))).toBe(true);
    expect(accepts(patterns(5))).toBe(false);
    expect(accepts([...patterns(4), 'page:is:x'])).toBe(true);
    expect(accepts(`page:matches:${'x'.repeat(200)}`)).toBe(true);
    expect(accepts(`page:matches:${'x'.repeat(201)}`)).toBe(false);
  });

  it.each(['a{100}', 'a{2,100}', 'a{3,}', '{', 'a{x}', String.raw`\d{1,3}`])(
    'may have the regular expression %s',
    (pattern) => {
      expect(accepts(`page:matches:${pattern}`)).toBe(true);
    },
  );

  it.each(['a{101}', 'a{0,101}', 'a{101,}', '(a{2}){1000}', 'a{99999999999}'])(
    'may not have a regular expression that repeats as often as %s',
    (pattern) => {
      expect(accepts(`page:matches:${pattern}`)).toBe(false);
      expect(issuesOf(`page:matches:${pattern}`)).toContain('100 times');
    },
  );
});
