import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Areas, intervalsOf } from '../../../src/areas/deliverability/zones/intervals.ts';
import { keyOf, wellFormed } from '../../../src/areas/deliverability/postal-codes.ts';

const none: Areas = { codes: [], ranges: [], prefixes: [] };

/** Whether the areas contain a code, according to the service. */
function isIn(country: string, code: string, areas: Partial<Areas>): boolean {
  const { intervals, problems } = intervalsOf(country, { ...none, ...areas });
  if (problems.length > 0) throw new Error(JSON.stringify({ country, areas, problems }));
  const key = keyOf(country, code);
  if (key === undefined) throw new Error(`no code: ${code}`);
  return intervals.some(({ low, high }) => low <= key && key <= high);
}

const problemsOf = (country: string, areas: Partial<Areas>) =>
  intervalsOf(country, { ...none, ...areas }).problems.map(({ path }) => path.join('.'));
const letter = fc.constantFrom(...'ABEKSW');
const digit = fc.integer({ min: 0, max: 9 }).map(String);
const spelled = (code: string, ...parts: [number, number]) => [
  code,
  code.toLowerCase(),
  ` ${code} `,
  `${code.slice(0, parts[0])} ${code.slice(parts[0])}`,
  `${code.slice(0, parts[0])}  ${code.slice(parts[0]).toLowerCase()}`,
];

describe('codes of fixed length are compared from their beginning', () => {
  const aks = fc.constantFrom('A', 'K', 'S');
  const joined = (...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((all) => all.join(''));
  // Independent of the service: the number of characters, and the position of the space.
  const kinds = {
    US: joined(digit, digit, digit, digit, digit),
    DE: joined(digit, digit, digit, digit, digit),
    NL: joined(fc.constantFrom('1', '2'), digit, digit, digit, letter, letter),
    CA: joined(aks, digit, aks, digit, aks, digit),
  } as const;
  const space: Record<string, number> = { US: 5, DE: 5, NL: 4, CA: 3 };

  it.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    '%s › prefixes, ranges and codes, in any notation',
    (country) => {
      const code = kinds[country];
      fc.assert(
        fc.property(
          code,
          code,
          code,
          fc.integer({ min: 1, max: 6 }),
          fc.nat(4),
          fc.nat(4),
          (one, other, asked, length, a, b) => {
            const [from, to] = [one.slice(0, length), other.slice(0, length)].sort();
            const write = (text: string, at: number) =>
              spelled(text, space[country] ?? 9, 0)[
                text.length > (space[country] ?? 9) ? at : at % 3
              ] ?? text;
            const beginning = asked.slice(0, length);
            expect(
              isIn(country, write(asked, a), {
                ranges: [{ from: write(from ?? '', b), to: write(to ?? '', a) }],
              }),
            ).toBe((from ?? '') <= beginning && beginning <= (to ?? ''));
            expect(isIn(country, write(asked, a), { prefixes: [write(from ?? '', b)] })).toBe(
              asked.startsWith(from ?? ''),
            );
            expect(isIn(country, write(asked, b), { codes: [write(one, a)] })).toBe(asked === one);
            expect(isIn(country, write(asked, b), {})).toBe(true);
          },
        ),
        { numRuns: 400 },
      );
    },
  );

  it('ZIP+4 is found by its first five digits', () => {
    expect(isIn('US', '94107-1234', { codes: ['94107'] })).toBe(true);
    expect(isIn('US', '941071234', { ranges: [{ from: '94100', to: '94107' }] })).toBe(true);
    expect(isIn('US', '94108-1234', { codes: ['94107'] })).toBe(false);
    expect(problemsOf('US', { codes: ['94107-1234'] })).toEqual(['codes.0']);
  });

  it('an area with its own code can be listed like a code, but no other prefix can', () => {
    expect(isIn('CA', 'k1a0b1', { codes: ['K1A'] })).toBe(true);
    expect(isIn('CA', 'K1B 0B1', { codes: ['K1A'] })).toBe(false);
    expect(isIn('NL', '1012 ab', { codes: ['1012'] })).toBe(true);
    expect(isIn('NL', '1013AB', { codes: ['1012'] })).toBe(false);
    expect(problemsOf('CA', { codes: ['K1'] })).toEqual(['codes.0']);
    expect(problemsOf('NL', { codes: ['101', '1012A'] })).toEqual(['codes.0', 'codes.1']);
    expect(problemsOf('US', { codes: ['941'] })).toEqual(['codes.0']);
    expect(problemsOf('DE', { codes: ['1011'] })).toEqual(['codes.0']);
  });
});

interface British {
  area: string;
  district: number;
  letter: string;
  sector: string;
  unit: string;
}

describe('British codes are compared by their parts', () => {
  const codes: fc.Arbitrary<British> = fc
    .record({
      area: fc.constantFrom('S', 'SW', 'E', 'EC', 'W'),
      district: fc.integer({ min: 1, max: 22 }),
      letter: fc.constantFrom('', '', 'A', 'W'),
      sector: fc.constantFrom('0', '1', '9'),
      unit: fc.constantFrom('AA', 'AB', 'WW'),
    })
    .map((code) => (code.area.length === 2 && code.district > 9 ? { ...code, letter: '' } : code));
  const depths = ['area', 'district', 'sector', 'whole'] as const;
  type Depth = (typeof depths)[number];

  function write(
    { area, district, letter: sub, sector, unit }: British,
    depth: Depth = 'whole',
    tight = false,
  ): string {
    const outward = `${area}${district}${sub}`;
    if (depth === 'area') return area;
    if (depth === 'district') return outward;
    if (depth === 'sector') return `${outward} ${sector}`;
    return tight ? `${outward}${sector}${unit}`.toLowerCase() : `${outward} ${sector}${unit}`;
  }

  const padded = (
    { area, district, letter: sub, sector, unit }: British,
    depth: Depth,
  ): (string | number)[] => {
    const all = [area, district, sub, sector, unit];
    return all.slice(0, { area: 1, district: sub === '' ? 2 : 3, sector: 4, whole: 5 }[depth]);
  };
  const compare = (a: readonly (string | number)[], b: readonly (string | number)[]): number => {
    for (let at = 0; at < a.length; at += 1) {
      const [x = '', y = ''] = [a[at], b[at]];
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  };
  const isLegal = (code: British) => wellFormed('GB', write(code)) !== null;

  it('prefixes, ranges and codes, with and without the space', () => {
    let found = 0;
    fc.assert(
      fc.property(
        codes,
        codes,
        codes,
        fc.constantFrom(...depths),
        fc.boolean(),
        (one, other, asked, depth, tight) => {
          fc.pre([one, other, asked].every(isLegal));
          const text = write(asked, 'whole', tight);
          const inPrefix = compare(padded(one, depth), padded(asked, 'whole')) === 0;
          if (inPrefix) found += 1;
          expect(isIn('GB', text, { prefixes: [write(one, depth, tight)] })).toBe(inPrefix);
          expect(isIn('GB', text, { codes: [write(one, 'whole', !tight)] })).toBe(
            write(one) === write(asked),
          );
          expect(isIn('GB', text, { codes: [write(one, 'district')] })).toBe(
            write(one, 'district') === write(asked, 'district'),
          );
          if (padded(one, depth).length !== padded(other, depth).length) return;
          const [from, to] =
            compare(padded(one, depth), padded(other, depth)) <= 0 ? [one, other] : [other, one];
          const isBetween =
            compare(padded(from, depth), padded(asked, 'whole')) <= 0 &&
            compare(padded(to, depth), padded(asked, 'whole')) >= 0;
          expect(
            isIn('GB', text, {
              ranges: [{ from: write(from, depth, tight), to: write(to, depth, tight) }],
            }),
          ).toBe(isBetween);
        },
      ),
      { numRuns: 1500 },
    );
    expect(found).toBeGreaterThan(20);
  });

  it.each([
    ['S is not SW', { prefixes: ['S'] }, 'SW1A 1AA', false],
    ['S is S', { prefixes: ['S'] }, 'S1 2HE', true],
    ['district 1 is not 10', { prefixes: ['E1'] }, 'E10 5AA', false],
    ['district 1 has letters', { prefixes: ['E1'] }, 'E1W 1AA', true],
    ['a code of a district is it alone', { codes: ['SW1'] }, 'SW1A 1AA', false],
    ['E1 to E9 is not E10', { ranges: [{ from: 'E1', to: 'E9' }] }, 'E10 5AA', false],
    ['E2 to E12 has E10', { ranges: [{ from: 'E2', to: 'E12' }] }, 'E10 5AA', true],
    ['E2 to E12 is not E1', { ranges: [{ from: 'E2', to: 'E12' }] }, 'E1 5AA', false],
    ['sector 1 of SW1 is not district 11', { prefixes: ['SW1 1'] }, 'SW11 1AA', false],
    ['SW11AA is in district 1', { prefixes: ['SW1'] }, 'SW11AA', true],
    ['SW11AA is not in district 11', { prefixes: ['SW11'] }, 'SW11AA', false],
  ] as const)('%s', (_name, areas, code, expected) => {
    expect(isIn('GB', code, { ...areas })).toBe(expected);
  });
});

it('invalid areas are rejected, with their location', () => {
  const codes = ['SW1A 1AA', '12345', 'SW1A1A'];
  expect(problemsOf('GB', { codes })).toEqual(['codes.1', 'codes.2']);
  expect(problemsOf('GB', { prefixes: ['1', 'SW1A 1AAA'] })).toEqual(['prefixes.0', 'prefixes.1']);
  const british = [
    { from: 'E9', to: 'E1' },
    { from: 'E1', to: 'EC1A' },
  ];
  expect(problemsOf('GB', { ranges: british })).toEqual(['ranges.0', 'ranges.1']);
  const american = [
    { from: '940', to: '94999' },
    { from: '95', to: '94' },
  ];
  expect(problemsOf('US', { ranges: american })).toEqual(['ranges.0', 'ranges.1']);
});

it.each([
  ['US', '94107', '94107'],
  ['US', ' 94107 1234', '94107-1234'],
  ['US', '9410', null],
  ['US', '94107-12', null],
  ['CA', 'k1a0b1', 'K1A 0B1'],
  ['CA', 'K1A-0B1', 'K1A 0B1'],
  ['CA', 'D1A 0B1', null],
  ['GB', 'sw1a1aa', 'SW1A 1AA'],
  ['GB', 'EC1A 1BB', 'EC1A 1BB'],
  ['GB', 'SW1A', null],
  ['NL', '1012ab', '1012 AB'],
  ['NL', '1012', null],
  ['JP', '1000001', '100-0001'],
  ['PL', '00950', '00-950'],
  ['SE', 'SE-11455', '114 55'],
  ['SE', '11455', '114 55'],
  ['IE', 'd02x285', 'D02 X285'],
  ['AT', '1010', '1010'],
  ['AT', '0101', null],
  ['BB', '', null],
  ['AE', '12345', undefined],
  ['XX', '1', undefined],
  ['INTL', '1', undefined],
  ['US', '９４１０７', null],
  ['US', '94107\n', '94107'],
  ['US', '<script>', null],
])('%s %j is formatted as %j', (country, text, expected) => {
  expect(wellFormed(country, text)).toBe(expected);
});
