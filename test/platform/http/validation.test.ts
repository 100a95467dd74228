import type { FastifySchema } from 'fastify';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createEchoApp } from '../../support/http.ts';
import { detailTextOf, invalidBody } from '../../support/invalid.ts';

const json = { 'content-type': 'application/json' };

/** Posts a text to a route with this schema. */
async function send(
  schema: FastifySchema,
  payload: string,
  { url = '/check', headers = json }: { url?: string; headers?: Record<string, string> } = {},
) {
  return (await createEchoApp(schema)).inject({ method: 'POST', url, headers, payload });
}

/** Posts a body that is refused. Returns the errors. */
async function refuse(body: z.ZodType, payload: string, headers: Record<string, string> = json) {
  const answer = await send({ body }, payload, { headers });
  expect(answer.statusCode).toBe(422);
  return answer.json<{ detail: unknown[] }>().detail;
}

const error = {};
const text = z.string();
const number = z.number();
const tagged = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b') }),
]);
const input = (what: string) => `Input should be ${what}`;
const string = (what: string) => `String should have ${what}`;
const list = (what: string) => `List should have ${what}`;
const notAnObject = input('a valid dictionary or object to extract fields from');
const noUuid = 'invalid length: expected length 32 for simple format, found 3';
const noAt = 'An email address must have an @-sign.';
const noBase = 'relative URL without a base';
const tooShort = 'input is too short';
const letters = "'a', 'b' or 'c'";

const cases: [value: unknown, type: string, msg: string, schema: z.ZodType, ctx?: object][] = [
  [5, 'string_type', input('a valid string'), text],
  [null, 'string_type', input('a valid string'), text],
  ['', 'string_too_short', string('at least 1 character'), text.min(1), { min_length: 1 }],
  ['ab', 'string_too_short', string('at least 3 characters'), text.min(3), { min_length: 3 }],
  ['ab', 'string_too_long', string('at most 1 character'), text.max(1), { max_length: 1 }],
  [
    'x',
    'string_pattern_mismatch',
    "String should match pattern '^\\+$'",
    text.regex(/^\+$/),
    { pattern: '^\\+$' },
  ],
  ['5', 'int_type', input('a valid integer'), z.int()],
  [1.5, 'int_from_float', input('a valid integer, got a number with a fractional part'), z.int()],
  ['x', 'float_type', input('a valid number'), number],
  ['x', 'bool_type', input('a valid boolean'), z.boolean()],
  [1, 'greater_than_equal', input('greater than or equal to 2'), number.min(2), { ge: 2 }],
  [2, 'greater_than', input('greater than 2'), number.gt(2), { gt: 2 }],
  [3, 'less_than_equal', input('less than or equal to 2'), number.max(2), { le: 2 }],
  [2, 'less_than', input('less than 2'), number.lt(2), { lt: 2 }],
  [7, 'multiple_of', input('a multiple of 5'), number.multipleOf(5), { multiple_of: 5 }],
  ['d', 'enum', input(letters), z.enum(['a', 'b', 'c']), { expected: letters }],
  ['plain', 'literal_error', input("'S256'"), z.literal('S256'), { expected: "'S256'" }],
  ['x', 'list_type', input('a valid list'), z.array(text)],
  [
    [],
    'too_short',
    list('at least 1 item after validation, not 0'),
    z.array(text).min(1),
    { field_type: 'List', min_length: 1, actual_length: 0 },
  ],
  [
    ['a', 'b'],
    'too_long',
    list('at most 1 item after validation, not 2'),
    z.array(text).max(1),
    { field_type: 'List', max_length: 1, actual_length: 2 },
  ],
  ['x', 'model_attributes_type', notAnObject, z.object({})],
  [['x'], 'dict_type', input('a valid dictionary'), z.record(text, text)],
  [1, 'none_required', input('None'), z.null()],
  ['no', 'value_error', 'Value error, say yes', text.refine(() => false, 'say yes'), { error }],
  ['no', 'value_error', 'Send yes.', text.refine(() => false, 'Send yes.'), { error }],
  ['abc', 'uuid_parsing', input(`a valid UUID, ${noUuid}`), z.uuid(), { error: noUuid }],
  ['abc', 'url_parsing', input(`a valid URL, ${noBase}`), z.url(), { error: noBase }],
  [
    'soon',
    'datetime_from_date_parsing',
    input(`a valid datetime or date, ${tooShort}`),
    z.iso.datetime(),
    { error: tooShort },
  ],
  [
    '2026-01-01T10:00:00',
    'timezone_aware',
    'Input should have timezone info',
    z.iso.datetime({ offset: true }),
  ],
  [
    'abc',
    'value_error',
    `value is not a valid email address: ${noAt}`,
    z.email(),
    { reason: noAt },
  ],
  [
    { kind: 'z' },
    'union_tag_invalid',
    "Input tag 'z' found using 'kind' does not match any of the expected tags: 'a', 'b'",
    tagged,
    { discriminator: "'kind'", tag: 'z', expected_tags: "'a', 'b'" },
  ],
  [
    {},
    'union_tag_not_found',
    "Unable to extract tag using discriminator 'kind'",
    tagged,
    { discriminator: "'kind'" },
  ],
];

describe('the 422 of a body member matches pydantic', () => {
  test.each(cases)('for %j: %s, %s', async (value, type, msg, schema, ctx) => {
    const payload = JSON.stringify({ field: value });
    const fault = { type, loc: ['body', 'field'], msg, input: value };
    expect(await refuse(z.object({ field: schema }), payload)).toEqual([
      ctx === undefined ? fault : { ...fault, ctx },
    ]);
  });

  test.each([
    ['of an object in a union', z.union([text, z.object({ n: z.int() })]), { n: 'x' }, 'n'],
    ['of a list', z.array(z.int()), [1, 'x'], 1],
  ])('with the place of a member %s', async (_what, schema, value, place) => {
    const payload = JSON.stringify({ field: value });
    const fault = { type: 'int_type', msg: input('a valid integer'), input: 'x' };
    expect(await refuse(z.object({ field: schema }), payload)).toEqual([
      { ...fault, loc: ['body', 'field', place] },
    ]);
  });

  test("with the fields of an entry in FastAPI's order", async () => {
    const answer = await send({ body: z.object({ field: text.min(3) }) }, '{"field":"a"}');
    expect(detailTextOf(answer)).toBe(
      '{"detail":[{"type":"string_too_short","loc":["body","field"],"msg":"String should have ' +
        'at least 3 characters","input":"a","ctx":{"min_length":3}}]',
    );
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  test('for infinite numbers, such as 1e999 in JSON', async () => {
    expect(await refuse(z.object({ field: z.number() }), '{"field":1e999}')).toMatchObject([
      { type: 'finite_number' },
    ]);
  });
});

describe('the 422 of missing and unknown members', () => {
  const body = z.strictObject({
    phone: z.string(),
    address: z.object({ city: z.string() }).optional(),
    note: z.string().optional(),
  });
  const missing = { type: 'missing', msg: 'Field required' };

  test.each([
    ['the whole body of a missing member', '{"note":"x"}', ['phone'], { note: 'x' }],
    ['an empty object as such', '{}', ['phone'], {}],
    [
      'the parent of a missing nested member',
      '{"phone":"1","address":{"zip":"9"}}',
      ['address', 'city'],
      { zip: '9' },
    ],
  ])('echoes %s', async (_what, payload, path, echoed) => {
    const fault = { ...missing, loc: ['body', ...path], input: echoed };
    expect(await refuse(body, payload)).toEqual([fault]);
  });

  test.each([
    ['no body', '', {}],
    ['an empty JSON body', '', json],
    ['null', 'null', json],
  ])('names the body for %s', async (_name, payload, headers) => {
    expect(await refuse(body, payload, headers)).toEqual([
      { ...missing, loc: ['body'], input: null },
    ]);
  });

  test('names every unknown member of a strict body', async () => {
    const extra = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };
    expect(await refuse(body, '{"phone":"1","a":1,"b":"x"}')).toEqual([
      { ...extra, loc: ['body', 'a'], input: 1 },
      { ...extra, loc: ['body', 'b'], input: 'x' },
    ]);
  });

  test('names unknown members and broken rules about several members at once', async () => {
    const dates = z
      .strictObject({ from: z.string(), to: z.string() })
      .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after from' });
    const found = await refuse(dates, '{"from":"b","to":"a","x":1}');
    expect(found).toMatchObject([
      { type: 'extra_forbidden', loc: ['body', 'x'] },
      { type: 'value_error', loc: ['body', 'to'], msg: 'Value error, must be after from' },
    ]);
    expect(found).toHaveLength(2);
    const inOrder = await refuse(dates, '{"from":"a","to":"b","x":1}');
    expect(inOrder).toMatchObject([{ type: 'extra_forbidden' }]);
    expect(inOrder).toHaveLength(1);
  });

  test('names the body for a list', async () => {
    expect(await refuse(body, '[]')).toEqual([
      { type: 'model_attributes_type', loc: ['body'], msg: notAnObject, input: [] },
    ]);
  });
});

describe('path, query and header', () => {
  const schema = {
    params: z.object({ id: z.int() }),
    querystring: z.object({
      limit: z.int().min(1).default(20),
      ratio: z.number().optional(),
      deep: z.boolean().optional(),
      tag: z.array(z.string()).optional(),
      page: z.coerce.number().int().optional(),
      name: z.string().optional(),
    }),
    headers: z.object({ 'x-version': z.int().optional() }),
    body: z.object({ phone: z.string() }),
  };

  test('are parsed as their declared types', async () => {
    const url = '/check/7?limit=5&ratio=1.5&deep=yes&tag=a&page=2&name=y&unknown=1&unknown=2';
    expect((await send(schema, '{"phone":"1","extra":true}', { url })).json()).toEqual({
      params: { id: 7 },
      query: { limit: 5, ratio: 1.5, deep: true, tag: ['a'], page: 2, name: 'y' },
      body: { phone: '1' },
    });
  });

  test('are refused when a single value is repeated, unlike lists and unknown ones', async () => {
    const url = '/check/7?limit=5&limit=0&name=x&name=y&tag=a&tag=b&other=1&other=2';
    const answer = await send(schema, '{"phone":"1"}', { url });
    const msg = 'Value error, may be given only once';
    const once = { type: 'value_error', msg, ctx: { error } };
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ detail: object[] }>().detail.slice(0, 2)).toEqual([
      { ...once, loc: ['query', 'limit'], input: ['5', '0'] },
      { ...once, loc: ['query', 'name'], input: ['x', 'y'] },
    ]);
    const lists = { url: '/check/7?tag=a&tag=b&other=1&other=2' };
    const good = await send(schema, '{"phone":"1"}', lists);
    expect(good.json()).toMatchObject({ query: { tag: ['a', 'b'] } });
  });

  test('are not echoed when they are repeated and secret', async () => {
    const url = '/check?code=123456&code=654321';
    const answer = await send({ querystring: z.object({ code: z.string() }) }, '{}', { url });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).not.toMatch(/123456|654321/);
  });

  test('are all validated before the answer, in the order path, query, header, body', async () => {
    const answer = await send(schema, '{}', {
      url: '/check/x?limit=0&ratio=r&deep=maybe&page=',
      headers: { ...json, 'x-version': '1.5' },
    });
    const integer = input('a valid integer, unable to parse string as an integer');
    const float = input('a valid number, unable to parse string as a number');
    const boolean = input('a valid boolean, unable to interpret input');
    expect(answer.json()).toEqual(
      invalidBody([
        { type: 'int_parsing', loc: ['path', 'id'], msg: integer, input: 'x' },
        {
          type: 'greater_than_equal',
          loc: ['query', 'limit'],
          msg: input('greater than or equal to 1'),
          input: 0,
          ctx: { ge: 1 },
        },
        { type: 'float_parsing', loc: ['query', 'ratio'], msg: float, input: 'r' },
        { type: 'bool_parsing', loc: ['query', 'deep'], msg: boolean, input: 'maybe' },
        { type: 'int_parsing', loc: ['query', 'page'], msg: integer, input: '' },
        { type: 'int_parsing', loc: ['header', 'x-version'], msg: integer, input: '1.5' },
        { type: 'missing', loc: ['body', 'phone'], msg: 'Field required', input: {} },
      ]),
    );
  });

  test('have no input for a missing query parameter', async () => {
    const querystring = z.object({ identifier: z.string(), count: z.int() });
    const missing = { type: 'missing', msg: 'Field required', input: null };
    const detail = ['identifier', 'count'].map((name) => ({ ...missing, loc: ['query', name] }));
    const answer = await send({ querystring }, '', { url: '/check?other=1' });
    expect(answer.json()).toEqual(invalidBody(detail));
  });
});
