import fc from 'fast-check';
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type IntrospectionQuery,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputType,
  isEnumType,
} from 'graphql';
import { describe, expect } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { errorsIn } from '../../support/log.ts';
import { rounds } from '../../support/rounds.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { TestClient } from '../../support/client.ts';
import { ask, codesOf, path, type Result } from './graphql-client.ts';

const runs = rounds(500, 2000);
const seed = Number(process.env.SEED ?? '20261122');

const app = await sharedApp();
const { data } = await ask(app, getIntrospectionQuery());
const schema = buildClientSchema(data as unknown as IntrospectionQuery);

const codesOfBatch = async (batch: object[], headers: Record<string, string> = {}) => {
  const { body } = await new TestClient(app).as(headers).post<Result[]>(path, batch);
  return body.map(({ errors = [] }) => codesOf({ errors }));
};

const repeat = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ');

describe('a hostile document is refused quickly, with a specific code', () => {
  const bomb = `query { ...F0 } ${repeat(
    30,
    (at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`,
  )} fragment F30 on Query { hello }`;
  it.each([
    ['too long', `# ${'x'.repeat(17_000)}\n{ hello }`, 'graphql.document_too_long'],
    ['with too many tokens', `{ ${repeat(1200, () => 'hello')} }`, 'graphql.document_too_large'],
    [
      'with one field over and over',
      `{ ${repeat(900, () => 'hello')} }`,
      'graphql.too_many_fields',
    ],
    ['with many aliases', `{ ${repeat(31, (at) => `a${at}: hello`)} }`, 'graphql.too_many_aliases'],
    [
      'too deep',
      `${'{ node(id: "x") { ... on Incident '.repeat(1)}${'{ components '.repeat(13)}{ id ` +
        `}${' }'.repeat(13)} } }`,
      'graphql.document_too_deep',
    ],
    ['with fragments that multiply', bomb, 'graphql.too_many_fields'],
    [
      'with fragments in a circle',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      'graphql.validation',
    ],
    [
      'that asks for many dashboards',
      `{ ${repeat(5, (at) => `d${at}: dashboard(siteId: "x") { siteId }`)} }`,
      'graphql.too_costly',
    ],
    [
      'that asks for long lists in lists',
      '{ incidents(first: 100) { nodes { components { id name status uptime position ' +
        'createdAt updatedAt } updates { body status updateId createdAt displayAt } } edges { ' +
        'node { components { id name status uptime position createdAt updatedAt } } } } }',
      'graphql.too_costly',
    ],
    [
      'that hides a length in a variable',
      'query ($n: Int = 1) { incidents(first: $n) { nodes { components { id name status ' +
        'uptime position createdAt updatedAt } updates { body status } } edges { node { ' +
        'components { id name status uptime position createdAt updatedAt } } } } }',
      'graphql.too_costly',
    ],
    [
      'that goes round and round in introspection',
      `{ __schema { types { ${'fields { type { '.repeat(5)}name${' } }'.repeat(5)} } } }`,
      'graphql.too_costly',
    ],
    [
      'with deep introspection',
      `{ __type(name: "Query") { ${'ofType { '.repeat(25)}name${' }'.repeat(25)} } }`,
      'graphql.document_too_deep',
    ],
    [
      'with deep lists as a value',
      `{ node(id: ${'['.repeat(400)}${']'.repeat(400)}) { id } }`,
      'graphql.validation',
    ],
    ['with thousands of brackets', '{ a '.repeat(4000), 'graphql.document_too_large'],
    [
      'with many directives',
      `{ hello ${repeat(240, () => '@include(if: true)')} }`,
      'graphql.document_too_large',
    ],
    [
      'with many variables',
      `query (${repeat(200, (at) => `$v${at}: Int`)}) { hello }`,
      'graphql.validation',
    ],
  ])('%s', async (_name, query, code) => {
    const began = performance.now();
    const answer = await ask(app, query, { headers: asAdmin });
    expect(codesOf(answer)).toEqual([code]);
    expect(answer).toMatchObject({ data: undefined, status: 200 });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('the cost of a batch is limited as a whole', async () => {
    const one = { query: `{ ${repeat(3, (at) => `d${at}: dashboard(siteId: "x") { siteId }`)} }` };
    expect(await codesOfBatch([one, one, one], asAdmin)).toEqual([
      ['analytics.site_unknown'],
      ['graphql.too_costly'],
      ['graphql.too_costly'],
    ]);
  });

  it('the cost of repeated introspection is limited', async () => {
    const inner =
      '{ description ofType { description ofType { description ofType { description fields { ' +
      'description type { description ofType { description } } } } } } }';
    const fragment = `fragment F on __Schema { types { fields { description type ${inner} } } }`;
    const whole = `{ ${repeat(26, (at) => `a${at}: __schema { ...F }`)} } ${fragment}`;
    expect(codesOf(await ask(app, whole))).toEqual(['graphql.too_costly']);
    const one = { query: `{ ${repeat(6, (at) => `a${at}: __schema { ...F }`)} } ${fragment}` };
    expect(await codesOfBatch([one, one, one])).toEqual([
      [],
      ['graphql.too_costly'],
      ['graphql.too_costly'],
    ]);
  });

  it('a variable with 20,000 invalid entries gets at most 20 errors', async () => {
    const query = 'query ($f: [String!]) { dashboard(siteId: "x", filters: $f) { siteId } }';
    const many = Array.from({ length: 20_000 }, () => 1);
    for (const f of [[], many, many]) {
      const answer = await ask(app, query, { variables: { f }, headers: asAdmin });
      expect(answer.errors.length).toBeLessThanOrEqual(20);
    }
  });

  const named = { query: 'query Named { hello }', operationName: 'Named' };
  it.each([
    [
      { query: '  hello\n}', operationName: 'query Viewer {' },
      { query: 'query Viewer {\n  hello\n}' },
    ],
    [{ query: 'Named\nquery Named { hello }' }, named],
    [{ query: 'Named:query Named { hello }' }, named],
  ])('no request poisons the cached document of another one: %o', async (hostile, honest) => {
    const send = async (body: object) => (await new TestClient(app).post<Result>(path, body)).body;
    expect((await send(hostile)).data).toBeUndefined();
    expect(await send(honest)).toEqual({ data: { hello: 'Hello, world!' } });
  });

  it('the introspection query of common tools is within the limits', async () => {
    const query = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
    });
    expect((await ask(app, query)).errors).toEqual([]);
  });
});

/** A literal for an argument, valid or not. */
function literal(type: GraphQLInputType, pick: (count: number) => number): string {
  const texts = ['""', '"\\u0000"', '"é🏊"', '"2026-11-22T09:00:00Z"', '"bm90aGluZw"'];
  const numbers = ['1', '-1', '2147483648', '1e400'];
  const odd = ['null', ...numbers, ...texts, 'true', '[]', '{}', 'NOTHING', '$v'];
  if (pick(3) === 0) return odd[pick(odd.length)] ?? 'null';
  if (isNonNullType(type)) return literal(type.ofType, pick);
  if (isListType(type))
    return `[${Array.from({ length: pick(3) }, () => literal(type.ofType, pick)).join(' ')}]`;
  if (isEnumType(type)) return type.getValues()[pick(type.getValues().length)]?.name ?? 'null';
  if (isInputObjectType(type))
    return `{ ${Object.values(type.getFields())
      .filter(() => pick(4) > 0)
      .map(({ name, type: inner }) => `${name}: ${literal(inner, pick)}`)
      .join(' ')} }`;
  return (
    { Int: '3', Float: '1.5', Boolean: 'false', DateTime: '"2026-11-22T09:00:00Z"' }[
      getNamedType(type).name
    ] ?? `"${['shop', 'x', 'SW5jaWRlbnQ6eA', 'U2Vzc2lvbjp4', 'QXBpS2V5OmFiYw'][pick(5)]}"`
  );
}

/** Selections of a type from the schema, with occasional mistakes. */
function selections(
  type: GraphQLObjectType,
  depth: number,
  pick: (count: number) => number,
): string {
  const fields: GraphQLField<unknown, unknown>[] = Object.values(type.getFields());
  const chosen = Array.from({ length: 1 + pick(4) }, () => fields[pick(fields.length)]).flatMap(
    (field) => field ?? [],
  );
  return `{ ${chosen
    .map((field) => {
      const args = field.args
        .filter(() => pick(3) > 0)
        .map((arg) => `${arg.name}: ${literal(arg.type, pick)}`);
      const named = getNamedType(field.type);
      const inner = isObjectType(named)
        ? depth > 0
          ? selections(named, depth - 1, pick)
          : '{ __typename }'
        : isInterfaceType(named)
          ? '{ __typename ... on Node { id } }'
          : '';
      return `${pick(5) === 0 ? `a${pick(9)}: ` : ''}${field.name}${
        args.length === 0 ? '' : `(${args.join(' ')})`
      }${pick(9) === 0 ? ' @include(if: $b)' : ''} ${pick(25) === 0 ? '{ nothing }' : inner}`;
    })
    .join(' ')} }`;
}

const documents = fc.infiniteStream(fc.nat({ max: 1_000_000 })).map((numbers) => {
  const pick = (count: number) => (numbers.next().value ?? 0) % count;
  const kind = ['query', 'query', 'query', 'mutation', 'subscription'][pick(5)] ?? 'query';
  const root = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[kind];
  return root == null
    ? '{ hello }'
    : `${kind} ($v: ${['String', 'ID!', 'Int', 'DateTime'][pick(4)]}, $b: Boolean = true) ` +
        selections(root, 3, pick);
});

const tokens =
  '{ } ( ) [ ] ... @ $ ! : = | & query mutation fragment on hello node id "x" """ 1 null type ' +
  '__typename # ,';
const garbage = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .array(fc.constantFrom(...tokens.split(' '), '\n', '\u0000', '\uFEFF'))
    .map((parts) => parts.join(' ')),
);

/** Expects a GraphQL response without a 5xx, as a status or as the status of an error. */
async function expectNoServerError(
  payload: string,
  accept: string,
  headers: Record<string, string>,
): Promise<void> {
  const { status, body } = await new TestClient(app).post<Result | Result[]>(path, payload, {
    headers: { 'content-type': 'application/json', accept, ...headers },
  });
  expect([200, 400, 401, 403], payload).toContain(status);
  for (const { data, errors = [] } of [body].flat()) {
    expect(data !== undefined || errors.length > 0).toBe(true);
    for (const { extensions } of errors)
      expect(extensions.status, `${extensions.code}: ${payload}`).toBeLessThan(500);
  }
}

describe(`random documents get no 5xx (seed ${seed}, ${runs} each)`, () => {
  const variables = fc.option(
    fc.oneof(
      fc.dictionary(fc.constantFrom('v', 'b', '__proto__', 'x'), fc.jsonValue()),
      fc.jsonValue(),
    ),
    { nil: undefined },
  );
  const accept = fc.constantFrom('application/json', 'application/graphql-response+json');
  const who = fc.constantFrom<Record<string, string>>({}, asAdmin);

  it('generated from the schema', async () => {
    await fc.assert(
      fc.asyncProperty(documents, variables, accept, who, (query, values, type, headers) =>
        expectNoServerError(JSON.stringify({ query, variables: values }), type, headers),
      ),
      { numRuns: runs, seed },
    );
  }, 600_000);

  it('repeated, compiled or not', async () => {
    await fc.assert(
      fc.asyncProperty(documents, accept, async (query, type) => {
        for (let time = 0; time < 5; time += 1)
          await expectNoServerError(
            JSON.stringify({ query, variables: { v: time % 2 === 0 ? 'x' : null } }),
            type,
            {},
          );
      }),
      { numRuns: Math.ceil(runs / 5), seed },
    );
  }, 600_000);

  it('of random tokens', async () => {
    await fc.assert(
      fc.asyncProperty(garbage, variables, accept, async (query, values, type) => {
        await expectNoServerError(JSON.stringify({ query, variables: values }), type, {});
        await expectNoServerError(query, type, {});
      }),
      { numRuns: runs, seed },
    );
  }, 600_000);
});

it('no request above logs an error', () => {
  expect(errorsIn(app.log())).toEqual([]);
});
