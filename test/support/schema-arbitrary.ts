import fc from 'fast-check';
import type { JsonSchema } from '../../src/platform/openapi/document.ts';

type Schemas = Record<string, JsonSchema>;
interface Context {
  schemas: Schemas;
  depth: number;
}

const depthLimit = 6;
const itemLimit = 4;
const lengthLimit = 60;

const formats: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  uuid: () => fc.uuid(),
  'date-time': () =>
    fc
      .date({
        min: new Date('1990-01-01T00:00:00Z'),
        max: new Date('2110-01-01T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
  date: () =>
    fc
      .date({
        min: new Date('1990-01-01T00:00:00Z'),
        max: new Date('2110-01-01T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString().slice(0, 10)),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
};

/** Texts that often break programs. */
export const nastyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\r\nX-Injected: 1',
    '..',
    '../../etc/passwd',
    '%00',
    '%',
    '%zz',
    '%2e%2e%2f',
    "' or 1=1--",
    '"; drop table users;--',
    '<script>alert(1)</script>',
    '${7*7}',
    '{{7*7}}',
    '__proto__',
    'constructor',
    'NaN',
    'null',
    'undefined',
    '1e999',
    '-0',
    '0x10',
    'true',
    '[]',
    '{}',
    '\u{1f600}'.repeat(3),
    '\u202egnp.exe',
    '\ud800',
    'é'.normalize('NFD'),
    'ﷺ',
    'İ',
    '\uffff',
    '00000000-0000-0000-0000-000000000000',
    '9'.repeat(40),
    'x'.repeat(300),
    '+14155550132',
    'ada@example.com',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '1970-01-01T00:00:00+99:99',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

function textOf({
  format = '',
  pattern,
  minLength = 0,
  maxLength = Infinity,
}: JsonSchema): fc.Arbitrary<unknown> {
  const byFormat = formats[format];
  if (byFormat !== undefined) return byFormat();
  const longest = Math.max(minLength, Math.min(maxLength, lengthLimit));
  const free = fc.oneof(
    fc.string({ minLength, maxLength: longest }),
    fc.string({ unit: 'grapheme', minLength, maxLength: longest }),
  );
  if (pattern === undefined) return free;
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: longest });
  } catch {
    // fast-check can't generate from this pattern. The service may refuse the free text: that is
    // worth a request too.
    return free;
  }
}

const phone = fc
  .integer({ min: 0, max: 9999 })
  .map((last) => `+1415555${String(last).padStart(4, '0')}`);
const orOneOf =
  (...good: fc.Arbitrary<unknown>[]) =>
  (any: fc.Arbitrary<unknown>) =>
    fc.oneof(any, ...good);

/** Members for which random text is rarely valid. */
const addresses: Readonly<
  Partial<Record<string, (any: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>>>
> = {
  email: orOneOf(fc.emailAddress()),
  phone: orOneOf(phone),
  identifier: orOneOf(fc.emailAddress(), phone),
};

function objectOf(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  context: Context,
): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      addresses[name]?.(schemaArbitrary(member, context)) ?? schemaArbitrary(member, context),
    ]),
  );
  const named = fc.record(model, {
    requiredKeys: required.filter((name) => Object.hasOwn(model, name)),
  });
  if (typeof additionalProperties !== 'object') return named;
  const more = fc.dictionary(
    fc.string({ maxLength: 12 }),
    schemaArbitrary(additionalProperties, context),
    { maxKeys: 3 },
  );
  return fc.tuple(more, named).map(([rest, own]) => ({ ...rest, ...own }));
}

function ofType(
  type: string | undefined,
  schema: JsonSchema,
  context: Context,
): fc.Arbitrary<unknown> {
  const { minimum = -1e9, maximum = 1e9, minItems = 0, items = {} } = schema;
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.oneof(
        fc.integer({
          min: Math.max(minimum, Number.MIN_SAFE_INTEGER),
          max: Math.min(Math.max(maximum, minimum), Number.MAX_SAFE_INTEGER),
        }),
        fc.constantFrom(minimum, maximum),
      );
    case 'number':
      return fc.double({ min: minimum, max: Math.max(maximum, minimum), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(schemaArbitrary(items, context), {
        minLength: Math.min(minItems, itemLimit),
        maxLength: itemLimit,
      });
    case 'object':
      return objectOf(schema, context);
    default:
      return schema.properties === undefined
        ? fc.jsonValue({ maxDepth: 2 })
        : objectOf(schema, context);
  }
}

/**
 * Generates values that a JSON Schema (2020-12), as zod writes it, allows. A few may be invalid,
 * none on purpose.
 */
export function schemaArbitrary(
  schema: JsonSchema,
  { schemas, depth }: Context,
): fc.Arbitrary<unknown> {
  const context = { schemas, depth: depth + 1 };
  if (depth > depthLimit) return fc.constant(null);
  if (schema.$ref !== undefined)
    return schemaArbitrary(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, context);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined)
    return fc.oneof(...branches.map((branch) => schemaArbitrary(branch, context)));
  if (schema.allOf !== undefined)
    return fc
      .tuple(...schema.allOf.map((part) => schemaArbitrary(part, context)))
      .map((parts) => Object.assign({}, ...parts) as unknown);
  const types = [schema.type ?? []].flat();
  return types.length > 1
    ? fc.oneof(...types.map((type) => ofType(type, schema, context)))
    : ofType(types[0], schema, context);
}

const wrong: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e308,
    2 ** 53,
    [],
    {},
    [[[]]],
    { $ne: null },
    'x'.repeat(6000),
  ),
  fc.jsonValue({ maxDepth: 1 }),
);

function changedAt(
  value: unknown,
  picks: readonly number[],
  change: (members: [string, unknown][], at: number) => [string, unknown][],
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const at = members.length === 0 ? 0 : (picks[0] ?? 0) % members.length;
  const [name, inner] = members[at] ?? [];
  const isDeeper =
    picks.length > 1 && typeof inner === 'object' && inner !== null && name !== undefined;
  const next = isDeeper
    ? members.map(([key, member]): [string, unknown] => [
        key,
        key === name ? changedAt(member, picks.slice(1), change) : member,
      ])
    : change(members, at);
  return Array.isArray(value) ? next.map(([, member]) => member) : Object.fromEntries(next);
}

/**
 * Generates values with one member replaced, removed or added, at any depth, and entirely wrong
 * values.
 */
export function mutated(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const picks = fc.array(fc.nat(20), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(value, picks, wrong)
        .map(([base, path, other]) =>
          changedAt(base, path, (members, at) =>
            members.map(([name, member], index) => [name, index === at ? other : member]),
          ),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(value, picks)
        .map(([base, path]) =>
          changedAt(base, path, (members, at) => members.filter((_member, index) => index !== at)),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(value, picks, nastyText, wrong)
        .map(([base, path, name, other]) =>
          changedAt(base, path, (members) => [...members, [name, other]]),
        ),
    },
    { weight: 1, arbitrary: wrong },
  );
}
