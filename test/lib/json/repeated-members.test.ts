import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findRepeatedMember, type JsonPath } from '../../../src/lib/json/repeated-members.ts';
import { rounds } from '../../support/rounds.ts';

/** A JSON value before serialization, in which members can be repeated. */
type Draft = { scalar: unknown } | { items: Draft[] } | { members: [name: string, value: Draft][] };

/** The expected result, by a simple recursive search of the value. */
function repeatedIn(draft: Draft, way: JsonPath = []): JsonPath | undefined {
  const parts: [string | number, Draft][] =
    'members' in draft
      ? draft.members
      : 'items' in draft
        ? draft.items.map((item, at) => [at, item])
        : [];
  for (const [index, [step, value]] of parts.entries()) {
    if (parts.slice(0, index).some(([earlier]) => earlier === step)) return [...way, step];
    const found = repeatedIn(value, [...way, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Writes a string as JSON, with some of its characters escaped. */
function spell(text: string, escaped: (at: number) => boolean): string {
  const unit = (at: number) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  const plain = (at: number) => JSON.stringify(text[at]).slice(1, -1);
  const units = Array.from({ length: text.length }, (_, at) => at);
  return `"${units.map((at) => (escaped(at) ? unit(at) : plain(at))).join('')}"`;
}

function write(draft: Draft, pick: () => number): string {
  const gap = () => ['', '', ' ', '\n\t', '\r  '][pick() % 5] ?? '';
  const list = (parts: string[]) => parts.map((part) => `${gap()}${part}${gap()}`).join(',');
  if ('items' in draft) return `[${gap()}${list(draft.items.map((item) => write(item, pick)))}]`;
  const member = (name: string, value: Draft) =>
    `${spell(name, () => pick() % 3 === 0)}${gap()}:${gap()}${write(value, pick)}`;
  if ('members' in draft)
    return `{${gap()}${list(draft.members.map(([name, value]) => member(name, value)))}}`;
  return typeof draft.scalar === 'string'
    ? spell(draft.scalar, () => pick() % 4 === 0)
    : JSON.stringify(draft.scalar);
}

// Few names, so that many are repeated, including ones that could mislead a scanner.
const names = fc.oneof(
  fc.constantFrom(
    'a',
    'code',
    '',
    '"',
    '\\',
    '{',
    '}',
    '[1,',
    ':',
    ',"a":',
    '\\"',
    '\\u0061',
    '__proto__',
    'constructor',
    '\ud83d\ude00',
    '\ud800',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const { draft } = fc.letrec<{ draft: Draft }>((tie) => ({
  draft: fc.oneof(
    { maxDepth: 5 },
    fc.record({
      scalar: fc.oneof(
        names,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
    }),
    fc.record({ items: fc.array(tie('draft'), { maxLength: 4 }) }),
    fc.record({ members: fc.array(fc.tuple(names, tie('draft')), { maxLength: 5 }) }),
  ),
}));

describe('a repeated member', () => {
  test.each<[text: string, path: JsonPath | undefined]>([
    ['{"code":1,"code":2}', ['code']],
    ['{"a":{"code":1},"b":{"code":2}}', undefined],
    ['{"\\u0063ode":1,"code":2}', ['code']],
    ['{"c\\u006fde":1,"\\u0063\\u006F\\u0064\\u0065":2}', ['code']],
    ['{"/":1,"\\/":2}', ['/']],
    ['{"code":1,"Code":2,"code ":3}', undefined],
    ['{"a":[{"b":1},{"b":1,"c":[[],[{"d":0,"d":0}]]}]}', ['a', 1, 'c', 1, 0, 'd']],
    ['[{"a":1},{"a":1,"a":1}]', [1, 'a']],
    ['{"a":"\\"a\\":","b":"{\\"a\\":1,\\"a\\":2}"}', undefined],
    ['{"a":"a","b":"a","c":["a","a",{"a":"a"}]}', undefined],
    ['{"a\\\\":1,"a\\\\":2}', ['a\\']],
    ['{"a\\\\":1,"a":2}', undefined],
    ['{"a":[1,2],"b":{},"a":3}', ['a']],
    ['{"":0,"":0}', ['']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"constructor":1,"toString":2,"hasOwnProperty":3,"__proto__":4}', undefined],
    ['"a"', undefined],
    ['\ufeff{"a":1,"a":1}', ['a']],
    [' [ ] ', undefined],
    ['', undefined],
  ])('%j: %j', (text, path) => {
    expect(findRepeatedMember(text)).toEqual(path);
  });

  it('is found exactly where a simple search finds it, however it is escaped', () => {
    const runs = rounds(1000, 3000);
    const found = { yes: 0, no: 0 };
    fc.assert(
      fc.property(draft, fc.infiniteStream(fc.nat(60)), (value, numbers) => {
        const text = write(value, () => Number(numbers.next().value));
        JSON.parse(text);
        const expected = repeatedIn(value);
        found[expected === undefined ? 'no' : 'yes'] += 1;
        expect(findRepeatedMember(text)).toEqual(expected);
      }),
      { numRuns: runs },
    );
    expect(Math.min(found.yes, found.no)).toBeGreaterThan(runs / 10);
  });

  it('never occurs in the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(findRepeatedMember(JSON.stringify(value, null, 1))).toBeUndefined();
      }),
      { numRuns: rounds(300, 1000) },
    );
  });
});

describe('a text crafted to be slow', () => {
  // A quadratic search would take minutes.
  const size = 2_000_000;
  test.each([
    ['brackets', `${'['.repeat(size)}${']'.repeat(size)}`, undefined],
    ['objects in one another', `${'{"a":'.repeat(size / 5)}0${'}'.repeat(size / 5)}`, undefined],
    ['backslashes', `{"a":"${'\\\\'.repeat(size)}"}`, undefined],
    ['quotes', `{"a":"${'\\"'.repeat(size)}","a":0}`, ['a']],
    ['escapes in one name', `{"${'\\u0061'.repeat(size / 6)}":0,"b":0,"b":0}`, ['b']],
    [
      'members',
      `{${Array.from({ length: size / 10 }, (_, at) => `"${at}":0`).join(',')},"7":0}`,
      ['7'],
    ],
  ])(
    'of %s is scanned only once',
    (_name, text, path) => {
      expect(findRepeatedMember(text)).toEqual(path);
    },
    10_000,
  );
});
