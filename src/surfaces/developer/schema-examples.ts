import type { ApiDocument, JsonSchema, Media } from './openapi-document.ts';

type Resolve = ApiDocument['resolve'];

const byFormat: Readonly<Partial<Record<string, string>>> = {
  uuid: '01930c5e-8f3a-7c21-9b1e-3f6a52d8c047',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  email: 'ana@example.com',
  uri: 'https://www.example.com/',
  url: 'https://www.example.com/',
  ipv4: '203.0.113.7',
  ip: '203.0.113.7',
};
const byName: Readonly<Partial<Record<string, string>>> = {
  phone: '+14155550132',
  identifier: '+14155550132',
  code: '123456',
  email: 'ana@example.com',
  site_id: 'my-site',
  event: 'pageview',
  url: '/pricing',
  name: 'Example',
  token: '…',
  state: '…',
  timezone: 'Europe/Berlin',
  slug: 'sign-in',
  country: 'US',
};
const deepest = 5;

/** The members that matter: of a request those it can't do without, of an answer all. */
export type Wanted = 'required' | 'all';

function numberOf({ minimum, maximum, exclusiveMinimum }: JsonSchema): number {
  const least =
    typeof minimum === 'number'
      ? minimum
      : typeof exclusiveMinimum === 'number'
        ? exclusiveMinimum + 1
        : 1;
  const most = typeof maximum === 'number' ? maximum : Infinity;
  return Math.min(most, Math.max(1, Math.abs(least) > 1e9 ? 1 : least));
}

function scalar(schema: JsonSchema, type: string | undefined, name: string): unknown {
  switch (type) {
    case 'string':
      return byFormat[schema.format ?? ''] ?? byName[name] ?? '…';
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function given({
  example,
  examples,
  default: fallback,
  const: constant,
  enum: choices,
}: JsonSchema): { value: unknown } | undefined {
  const found = [example, examples?.[0], constant, choices?.[0], fallback].find(
    (value) => value !== undefined,
  );
  return found === undefined ? undefined : { value: found };
}

/** A value that the schema describes, made from its own examples where it has some. */
export function exampleOf(
  whole: JsonSchema,
  resolve: Resolve,
  wanted: Wanted,
  name = '',
  depth = 0,
): unknown {
  const schema = resolve(whole);
  const own = given(whole) ?? given(schema);
  if (own !== undefined) return own.value;
  if (depth > deepest) return null;
  const inner = (part: JsonSchema, key = name) => exampleOf(part, resolve, wanted, key, depth + 1);
  const variants = schema.anyOf ?? schema.oneOf;
  const variant = variants?.find((each) => resolve(each).type !== 'null');
  if (variant !== undefined) return inner(variant);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => inner(part))) as unknown;
  const type = [schema.type ?? (schema.properties === undefined ? [] : 'object')]
    .flat()
    .find((each) => each !== 'null');
  if (type === 'array') return schema.items === undefined ? [] : [inner(schema.items)];
  if (type !== 'object') return scalar(schema, type, name);
  const { properties = {}, required = [] } = schema;
  const names =
    wanted === 'required' && required.length > 0
      ? required
      : Object.keys(properties).slice(0, wanted === 'required' ? 3 : undefined);
  return Object.fromEntries(
    names.flatMap((key) =>
      properties[key] === undefined ? [] : [[key, inner(properties[key], key)]],
    ),
  );
}

/**
 * The example that the document has for a body or an answer, or else one that is made from its
 * schema.
 */
export function mediaExample(
  { schema, example, examples }: Media,
  resolve: Resolve,
  wanted: Wanted,
): unknown {
  const first = example ?? Object.values(examples ?? {})[0]?.value;
  return first ?? (schema === undefined ? undefined : exampleOf(schema, resolve, wanted));
}
