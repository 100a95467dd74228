import { describe, expect, it } from 'vitest';
import { findExcess, parseJson } from '../../../src/lib/json/bounds.ts';

const bounds = { depth: 4, values: 20, names: 5 };
const excess = (value: unknown) =>
  findExcess(typeof value === 'string' ? value : JSON.stringify(value), bounds);

describe('the bounds of a JSON text', () => {
  it('count nesting levels, whether they are closed or not', () => {
    expect(excess([[[[1]]]])).toBeUndefined();
    expect(excess([[[[[1]]]]])).toBe('depth');
    expect(excess(`{"events":${'['.repeat(1_000_000)}`)).toBe('depth');
    expect(excess([[[[]]], [[[]]]])).toBeUndefined();
  });

  it('count values and members across all levels', () => {
    expect(excess(Array.from({ length: 20 }, () => 1))).toBeUndefined();
    expect(excess(Array.from({ length: 21 }, () => 1))).toBe('values');
    expect(excess(Array.from({ length: 12 }, () => []))).toBe('values');
  });

  it('count distinct member names, but not string values', () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`name-${n}`, 1]));
    expect(excess(named(5))).toBeUndefined();
    expect(excess(named(6))).toBe('names');
    expect(excess([named(3), named(3), named(3)])).toBeUndefined();
    expect(excess(Array.from({ length: 12 }, (_, n) => `value-${n}`))).toBeUndefined();
  });

  it('ignore brackets, commas and escaped quotes inside strings', () => {
    for (const text of [
      '[[[[[[[',
      ',,,,,,,,,,,,,,,,,,,,,,,,',
      '"',
      '\\',
      '\\"',
      '\\\\"[[[[[[',
      '":"',
    ]) {
      expect(excess([text, text, { [text]: text }])).toBeUndefined();
    }
    expect(excess('["never closed [[[[[[[[')).toBeUndefined();
  });

  it('agree with the parsed value for random JSON', () => {
    const shape = (value: unknown): [depth: number, values: number] => {
      if (typeof value !== 'object' || value === null) return [0, 0];
      const inner = Object.values(value).map(shape);
      return [
        1 + Math.max(0, ...inner.map(([depth]) => depth)),
        1 + Math.max(0, inner.length - 1) + inner.reduce((sum, [, values]) => sum + values, 0),
      ];
    };
    for (const value of [{}, [], [1, 2, [3]], { a: [{ b: 1, c: [] }, 2], d: '}]' }, [[], [], {}]]) {
      const text = `${JSON.stringify(value)}${' '.repeat(100)}`;
      const [depth, values] = shape(value);
      expect(findExcess(text, { depth, values, names: 10 })).toBeUndefined();
      expect(findExcess(text, { depth: depth - 1, values, names: 10 })).toBe('depth');
      expect(findExcess(text, { depth, values: values - 1, names: 10 })).toBe('values');
    }
  });
});

describe('parsed JSON', () => {
  it('has no member called __proto__ at any level, even if the name is escaped', () => {
    const value = parseJson(
      '{"a":[{"__proto__":{"admin":true},"b":1}],"\\u005f_proto__":{"x":1},"c":{"d":null}}',
    );
    expect(JSON.stringify(value)).toBe('{"a":[{"b":1}],"c":{"d":null}}');
    expect(parseJson('"__proto__"')).toBe('__proto__');
    expect(parseJson('[null,"\\u0041",false]')).toEqual([null, 'A', false]);
  });
});
