import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createEchoApp } from '../../support/http.ts';

const json = { 'content-type': 'application/json' };

async function check(member: z.ZodType, value: unknown): Promise<unknown> {
  const app = await createEchoApp({ body: z.object({ field: member }) });
  const answer = await app.inject({
    method: 'POST',
    url: '/check',
    headers: json,
    payload: JSON.stringify({ field: value }),
  });
  expect(answer.statusCode).toBe(422);
  return answer.json<{ detail: unknown[] }>().detail;
}

function entry(type: string, msg: string, input: unknown, ctx?: object): object[] {
  return [{ type, loc: ['body', 'field'], msg, input, ...(ctx === undefined ? {} : { ctx }) }];
}

const error = {};
const text = z.string();
const cases: [name: string, schema: z.ZodType, value: unknown, expected: object[]][] = [
  ['a number for a string', text, 5, entry('string_type', 'Input should be a valid string', 5)],
  ['null for a string', text, null, entry('string_type', 'Input should be a valid string', null)],
  [
    'an empty string',
    text.min(1),
    '',
    entry('string_too_short', 'String should have at least 1 character', '', { min_length: 1 }),
  ],
  [
    'a short string',
    text.min(3),
    'ab',
    entry('string_too_short', 'String should have at least 3 characters', 'ab', { min_length: 3 }),
  ],
  [
    'a long string',
    text.max(1),
    'ab',
    entry('string_too_long', 'String should have at most 1 character', 'ab', { max_length: 1 }),
  ],
  [
    'a pattern',
    text.regex(/^\+\d+$/),
    'x',
    entry('string_pattern_mismatch', "String should match pattern '^\\+\\d+$'", 'x', {
      pattern: '^\\+\\d+$',
    }),
  ],
  [
    'a string for an integer',
    z.int(),
    '5',
    entry('int_type', 'Input should be a valid integer', '5'),
  ],
  [
    'a fraction for an integer',
    z.int(),
    1.5,
    entry(
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
      1.5,
    ),
  ],
  [
    'a string for a number',
    z.number(),
    'x',
    entry('float_type', 'Input should be a valid number', 'x'),
  ],
  [
    'a string for a boolean',
    z.boolean(),
    'x',
    entry('bool_type', 'Input should be a valid boolean', 'x'),
  ],
  [
    'too small a number',
    z.number().min(2),
    1,
    entry('greater_than_equal', 'Input should be greater than or equal to 2', 1, { ge: 2 }),
  ],
  [
    'a number at an open lower bound',
    z.number().gt(2),
    2,
    entry('greater_than', 'Input should be greater than 2', 2, { gt: 2 }),
  ],
  [
    'too large a number',
    z.number().max(2),
    3,
    entry('less_than_equal', 'Input should be less than or equal to 2', 3, { le: 2 }),
  ],
  [
    'a number at an open upper bound',
    z.number().lt(2),
    2,
    entry('less_than', 'Input should be less than 2', 2, { lt: 2 }),
  ],
  [
    'a number that is no multiple',
    z.number().multipleOf(5),
    7,
    entry('multiple_of', 'Input should be a multiple of 5', 7, { multiple_of: 5 }),
  ],
  [
    'a word outside an enum',
    z.enum(['a', 'b', 'c']),
    'd',
    entry('enum', "Input should be 'a', 'b' or 'c'", 'd', { expected: "'a', 'b' or 'c'" }),
  ],
  [
    'a word that is not the literal',
    z.literal('S256'),
    'plain',
    entry('literal_error', "Input should be 'S256'", 'plain', { expected: "'S256'" }),
  ],
  [
    'a string for a list',
    z.array(text),
    'x',
    entry('list_type', 'Input should be a valid list', 'x'),
  ],
  [
    'a short list',
    z.array(text).min(1),
    [],
    entry('too_short', 'List should have at least 1 item after validation, not 0', [], {
      field_type: 'List',
      min_length: 1,
      actual_length: 0,
    }),
  ],
  [
    'a long list',
    z.array(text).max(2),
    ['a', 'b', 'c'],
    entry('too_long', 'List should have at most 2 items after validation, not 3', ['a', 'b', 'c'], {
      field_type: 'List',
      max_length: 2,
      actual_length: 3,
    }),
  ],
  [
    'a string for an object',
    z.object({}),
    'x',
    entry(
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
      'x',
    ),
  ],
  [
    'a list for a map',
    z.record(text, text),
    ['x'],
    entry('dict_type', 'Input should be a valid dictionary', ['x']),
  ],
  ['something for null', z.null(), 1, entry('none_required', 'Input should be None', 1)],
  [
    'a check of our own',
    text.refine((value) => value === 'yes', 'say yes'),
    'no',
    entry('value_error', 'Value error, say yes', 'no', { error }),
  ],
  [
    'what is no UUID',
    z.uuid(),
    'abc',
    entry(
      'uuid_parsing',
      'Input should be a valid UUID, invalid length: expected length 32 for simple format, found 3',
      'abc',
      { error: 'invalid length: expected length 32 for simple format, found 3' },
    ),
  ],
  [
    'what is no URL',
    z.url(),
    'abc',
    entry('url_parsing', 'Input should be a valid URL, relative URL without a base', 'abc', {
      error: 'relative URL without a base',
    }),
  ],
  [
    'what is no time',
    z.iso.datetime(),
    'soon',
    entry(
      'datetime_from_date_parsing',
      'Input should be a valid datetime or date, input is too short',
      'soon',
      { error: 'input is too short' },
    ),
  ],
  [
    'a time without a zone',
    z.iso.datetime({ offset: true }),
    '2026-01-01T10:00:00',
    entry('timezone_aware', 'Input should have timezone info', '2026-01-01T10:00:00'),
  ],
  [
    'what is no email address',
    z.email(),
    'abc',
    entry(
      'value_error',
      'value is not a valid email address: An email address must have an @-sign.',
      'abc',
      { reason: 'An email address must have an @-sign.' },
    ),
  ],
  [
    'the branch of a union that was meant',
    z.union([text, z.object({ n: z.int() })]),
    { n: 'x' },
    [
      {
        type: 'int_type',
        loc: ['body', 'field', 'n'],
        msg: 'Input should be a valid integer',
        input: 'x',
      },
    ],
  ],
  [
    'an unknown tag',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b') }),
    ]),
    { kind: 'z' },
    entry(
      'union_tag_invalid',
      "Input tag 'z' found using 'kind' does not match any of the expected tags: 'a', 'b'",
      { kind: 'z' },
      { discriminator: "'kind'", tag: 'z', expected_tags: "'a', 'b'" },
    ),
  ],
  [
    'a missing tag',
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
    {},
    entry(
      'union_tag_not_found',
      "Unable to extract tag using discriminator 'kind'",
      {},
      { discriminator: "'kind'" },
    ),
  ],
  [
    'an item of a list',
    z.array(z.int()),
    [1, 'x'],
    [
      {
        type: 'int_type',
        loc: ['body', 'field', 1],
        msg: 'Input should be a valid integer',
        input: 'x',
      },
    ],
  ],
];

describe('the 422 of a body member matches pydantic', () => {
  test.each(cases)('for %s', async (_name, schema, value, expected) => {
    expect(await check(schema, value)).toEqual(expected);
  });

  test("with the fields of an entry in FastAPI's order", async () => {
    const app = await createEchoApp({ body: z.object({ field: z.string().min(3) }) });
    const answer = await app.inject({
      method: 'POST',
      url: '/check',
      headers: json,
      payload: '{"field":"a"}',
    });
    expect(answer.body).toBe(
      '{"detail":[{"type":"string_too_short","loc":["body","field"],"msg":"String should have ' +
        'at least 3 characters","input":"a","ctx":{"min_length":3}}]}',
    );
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  test('for infinite numbers, such as 1e999 in JSON', async () => {
    const app = await createEchoApp({ body: z.object({ field: z.number() }) });
    const answer = await app.inject({
      method: 'POST',
      url: '/check',
      headers: json,
      payload: '{"field":1e999}',
    });
    expect(answer.json<{ detail: { type: string }[] }>().detail[0]?.type).toBe('finite_number');
  });
});

describe('the 422 of missing and unknown members', () => {
  const body = z.strictObject({
    phone: z.string(),
    address: z.object({ city: z.string() }).optional(),
    note: z.string().optional(),
  });
  const send = async (payload: string, headers: Record<string, string> = json) => {
    const app = await createEchoApp({ body });
    const answer = await app.inject({ method: 'POST', url: '/check', headers, payload });
    expect(answer.statusCode).toBe(422);
    return answer.json<{ detail: unknown[] }>().detail;
  };

  test('echoes the whole body for a missing member', async () => {
    expect(await send('{"note":"x"}')).toEqual([
      { type: 'missing', loc: ['body', 'phone'], msg: 'Field required', input: { note: 'x' } },
    ]);
  });

  test('echoes an empty object as such', async () => {
    expect(await send('{}')).toEqual([
      { type: 'missing', loc: ['body', 'phone'], msg: 'Field required', input: {} },
    ]);
  });

  test('echoes the parent object of a missing nested member', async () => {
    expect(await send('{"phone":"1","address":{"zip":"9"}}')).toEqual([
      {
        type: 'missing',
        loc: ['body', 'address', 'city'],
        msg: 'Field required',
        input: { zip: '9' },
      },
    ]);
  });

  test.each([
    ['no body', '', {}],
    ['an empty JSON body', '', json],
    ['null', 'null', json],
  ])('%s', async (_name, payload, headers) => {
    expect(await send(payload, headers)).toEqual([
      { type: 'missing', loc: ['body'], msg: 'Field required', input: null },
    ]);
  });

  test('names every unknown member of a strict body', async () => {
    expect(await send('{"phone":"1","a":1,"b":"x"}')).toEqual([
      {
        type: 'extra_forbidden',
        loc: ['body', 'a'],
        msg: 'Extra inputs are not permitted',
        input: 1,
      },
      {
        type: 'extra_forbidden',
        loc: ['body', 'b'],
        msg: 'Extra inputs are not permitted',
        input: 'x',
      },
    ]);
  });

  test('a list for a body', async () => {
    expect(await send('[]')).toEqual([
      {
        type: 'model_attributes_type',
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
        input: [],
      },
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
    const app = await createEchoApp(schema);
    const url = '/check/7?limit=5&ratio=1.5&deep=yes&tag=a&page=2&name=y&unknown=1&unknown=2';
    const answer = await app.inject({ method: 'POST', url, payload: { phone: '1', extra: true } });
    expect(answer.json()).toEqual({
      params: { id: 7 },
      query: { limit: 5, ratio: 1.5, deep: true, tag: ['a'], page: 2, name: 'y' },
      body: { phone: '1' },
    });
  });

  test('are refused when a single value is repeated, unlike lists and unknown ones', async () => {
    const app = await createEchoApp(schema);
    const url = '/check/7?limit=5&limit=0&name=x&name=y&tag=a&tag=b&other=1&other=2';
    const answer = await app.inject({ method: 'POST', url, payload: { phone: '1' } });
    const once = {
      type: 'value_error',
      msg: 'Value error, may be given only once',
      ctx: { error },
    };
    expect({
      status: answer.statusCode,
      detail: answer.json<{ detail: object[] }>().detail.slice(0, 2),
    }).toEqual({
      status: 422,
      detail: [
        { ...once, loc: ['query', 'limit'], input: ['5', '0'] },
        { ...once, loc: ['query', 'name'], input: ['x', 'y'] },
      ],
    });
    const good = await app.inject({
      method: 'POST',
      url: '/check/7?tag=a&tag=b&other=1&other=2',
      payload: { phone: '1' },
    });
    expect({ status: good.statusCode, body: good.json<unknown>() }).toMatchObject({
      status: 200,
      body: { query: { tag: ['a', 'b'] } },
    });
  });

  test('are not echoed when they are repeated and secret', async () => {
    const app = await createEchoApp({ querystring: z.object({ code: z.string() }) });
    const answer = await app.inject({
      method: 'POST',
      url: '/check?code=123456&code=654321',
      payload: {},
    });
    expect({
      status: answer.statusCode,
      includes123456: answer.body.includes('123456'),
      includes654321: answer.body.includes('654321'),
    }).toEqual({ status: 422, includes123456: false, includes654321: false });
  });

  test('are all validated before the answer, in the order path, query, header, body', async () => {
    const app = await createEchoApp(schema);
    const url = '/check/x?limit=0&ratio=r&deep=maybe&page=';
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { 'x-version': '1.5' },
      payload: {},
    });
    const integer = 'Input should be a valid integer, unable to parse string as an integer';
    expect(answer.json()).toEqual({
      detail: [
        { type: 'int_parsing', loc: ['path', 'id'], msg: integer, input: 'x' },
        {
          type: 'greater_than_equal',
          loc: ['query', 'limit'],
          msg: 'Input should be greater than or equal to 1',
          input: 0,
          ctx: { ge: 1 },
        },
        {
          type: 'float_parsing',
          loc: ['query', 'ratio'],
          msg: 'Input should be a valid number, unable to parse string as a number',
          input: 'r',
        },
        {
          type: 'bool_parsing',
          loc: ['query', 'deep'],
          msg: 'Input should be a valid boolean, unable to interpret input',
          input: 'maybe',
        },
        { type: 'int_parsing', loc: ['query', 'page'], msg: integer, input: '' },
        { type: 'int_parsing', loc: ['header', 'x-version'], msg: integer, input: '1.5' },
        { type: 'missing', loc: ['body', 'phone'], msg: 'Field required', input: {} },
      ],
    });
  });

  test('have no input for a missing query parameter', async () => {
    const app = await createEchoApp({
      querystring: z.object({ identifier: z.string(), count: z.int() }),
    });
    const answer = await app.inject({ method: 'POST', url: '/check?other=1' });
    expect(answer.json()).toEqual({
      detail: [
        { type: 'missing', loc: ['query', 'identifier'], msg: 'Field required', input: null },
        { type: 'missing', loc: ['query', 'count'], msg: 'Field required', input: null },
      ],
    });
  });
});
