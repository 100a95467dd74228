import fc from 'fast-check';
import type {
  JsonSchema,
  Media,
  Operation,
  Parameter,
} from '../../src/platform/openapi/document.ts';
import { mutated, nastyText, schemaArbitrary } from './schema-arbitrary.ts';

const requesters = ['admin', 'user', 'browser', 'nobody', 'liar'] as const;
export type Requester = (typeof requesters)[number];

/** One operation of a document. */
export interface Target {
  method: string;
  path: string;
  operation: Operation;
}

export interface FuzzRequest {
  target: Target;
  /** Differs from the operation's method when another one is tried. */
  method: string;
  url: string;
  requester: Requester;
  headers: Record<string, string>;
  payload: string | undefined;
}

/** A placeholder for an id from an earlier answer. The number selects which one. */
const idMark = (at: number): string => `known-id-${at}`;
export const idMarks = /known-id-(\d+)/g;

const knownId = fc.nat(50).map(idMark);

function isId({ name }: Parameter): boolean {
  return /(^|_)id$|^cursor$|^component$/.test(name);
}

function parameterArbitrary(
  parameter: Parameter,
  schemas: Record<string, JsonSchema>,
): fc.Arbitrary<string> {
  const { schema = {}, example } = parameter;
  const fitting = schemaArbitrary(schema, { schemas, depth: 0 }).map((value) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  );
  return fc.oneof(
    { weight: 5, arbitrary: fitting },
    { weight: 3, arbitrary: fc.constant(String(example)) },
    { weight: isId(parameter) ? 6 : 0, arbitrary: knownId },
    { weight: 2, arbitrary: nastyText },
  );
}

/** A lone surrogate has no UTF-8 form, and an empty or all-dots segment makes another path. */
const asSegment = (text: string): string => {
  const segment = encodeURIComponent(text.toWellFormed());
  return /^\.*$/.test(segment) ? 'x' : segment;
};
const asQueryValue = (text: string): string => encodeURIComponent(text.toWellFormed());

function urlArbitrary(
  { path, operation }: Target,
  schemas: Record<string, JsonSchema>,
): fc.Arbitrary<string> {
  const { parameters = [] } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const segments = fc.tuple(...inPath.map((parameter) => parameterArbitrary(parameter, schemas)));
  const query = fc.tuple(
    ...inQuery.map((parameter) =>
      fc.option(fc.array(parameterArbitrary(parameter, schemas), { minLength: 1, maxLength: 2 }), {
        freq: parameter.required === true ? 8 : 1,
        nil: [],
      }),
    ),
  );
  const strange = fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(nastyText, nastyText)
        .map(([name, value]) => `${asQueryValue(name)}=${asQueryValue(value)}`),
    },
    { weight: 1, arbitrary: fc.constantFrom('%', 'a[b][c]=1', '=', '&&', 'limit=%ff') },
  );
  return fc.tuple(segments, query, strange, fc.boolean()).map(([values, lists, more, hasSlash]) => {
    const filled = inPath.reduce(
      (text, { name }, at) => text.replace(`{${name}}`, () => asSegment(values[at] ?? '')),
      path,
    );
    const pairs = inQuery.flatMap(({ name }, at) =>
      (lists[at] ?? []).map((value) => `${name}=${asQueryValue(value)}`),
    );
    const text = [...pairs, ...(more === '' ? [] : [more])].join('&');
    const slash = hasSlash && !filled.endsWith('/') ? '/' : '';
    return `${filled}${slash}${text === '' ? '' : `?${text}`}`;
  });
}

interface Body {
  type: string | undefined;
  payload: string | undefined;
}

/** `JSON.stringify(undefined)` gives no text. */
const toJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

const toForm = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, member]) => {
          const text = typeof member === 'string' ? member : toJson(member);
          return `${asQueryValue(name)}=${asQueryValue(text)}`;
        })
        .join('&')
    : String(value);

const encodeBody = (type: string, value: unknown): Body => ({
  type,
  payload: type.includes('urlencoded') ? toForm(value) : JSON.stringify(value),
});

function strangeBody(good: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const text = good.map(toJson);
  const types = fc.constantFrom(
    'application/json',
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'application/json; charset=utf-16',
    'json',
    '',
    ';',
    'application/vnd.api+json',
    '*/*',
  );
  return fc.oneof(
    fc.record({
      type: fc.constant('application/json'),
      payload: fc.oneof(
        text.map((each) => each.slice(0, -1)),
        text.map((each) => `${each}${each}`),
        nastyText,
        fc.constantFrom(
          '{"a":1,"a":2}',
          '{"__proto__":{"admin":true}}',
          `${'['.repeat(3000)}${']'.repeat(3000)}`,
          `{"x":"${'y'.repeat(70_000)}"}`,
          '\ufeff{}',
          'NaN',
        ),
      ),
    }),
    fc.record({ type: types, payload: text }),
    fc.record({ type: fc.constant(undefined), payload: fc.oneof(text, fc.constant(undefined)) }),
  );
}

function examplesOf({ example, examples }: Media): unknown[] {
  return [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ];
}

function bodyArbitrary(
  { operation, method }: Target,
  schemas: Record<string, JsonSchema>,
): fc.Arbitrary<Body> {
  const none = fc.constant<Body>({ type: undefined, payload: undefined });
  if (method === 'GET' || method === 'OPTIONS') return none;
  const entries = Object.entries(operation.requestBody?.content ?? {});
  if (entries.length === 0)
    return fc.oneof(
      { weight: 4, arbitrary: none },
      { weight: 1, arbitrary: strangeBody(fc.jsonValue({ maxDepth: 2 })) },
    );
  return fc.oneof(
    ...entries.map(([type, media]) => {
      const good = fc.oneof(
        { weight: 2, arbitrary: schemaArbitrary(media.schema ?? {}, { schemas, depth: 0 }) },
        { weight: 1, arbitrary: fc.constantFrom(...examplesOf(media)) },
      );
      return fc.oneof(
        { weight: 5, arbitrary: good.map((value) => encodeBody(type, value)) },
        { weight: 4, arbitrary: mutated(good).map((value) => encodeBody(type, value)) },
        { weight: 2, arbitrary: strangeBody(good) },
      );
    }),
  );
}

const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '*/*',
    'text/html',
    'application/json',
    'application/health+json',
    'text/markdown',
    'image/webp',
    'nonsense',
    '',
    'application/xml;q=0.9, */*;q=0',
  ],
  'accept-language': ['de', '*', ';;;'],
  'content-encoding': ['gzip', 'br', 'identity', 'nonsense'],
  'if-none-match': ['*', '"x"', 'W/"x"', 'x'],
  'x-request-id': [
    'short',
    'a'.repeat(200),
    'abcdefgh-1234',
    '\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9',
  ],
  origin: ['https://evil.example', 'null', 'http://localhost'],
  'sec-fetch-site': ['cross-site', 'same-origin', 'none', 'nonsense'],
  'sec-fetch-mode': ['navigate', 'cors'],
  dpop: ['x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'],
  'stripe-signature': ['t=1,v1=00', 'nonsense', ''],
  'x-forwarded-for': ['10.0.0.1, 8.8.8.8', 'nonsense', "'"],
  'user-agent': [
    '',
    'curl/8.5.0',
    'x'.repeat(2000),
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, ' +
      'like Gecko) Chrome/130.0.0.0 Safari/537.36',
  ],
  referer: ['https://example.com/a', 'nonsense', ''],
  range: ['bytes=0-1'],
  expect: ['200-ok'],
  upgrade: ['h2c'],
};

const headersArbitrary = fc
  .array(
    fc
      .constantFrom(...Object.keys(oddHeaders))
      .chain((name) =>
        fc.constantFrom(...(oddHeaders[name] ?? [])).map((value) => [name, value] as const),
      ),
    { maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs));

/** Generates requests to an operation: valid, nearly valid, and strange ones. */
export function requestArbitrary(
  target: Target,
  schemas: Record<string, JsonSchema>,
): fc.Arbitrary<FuzzRequest> {
  const method = fc.oneof(
    { weight: 24, arbitrary: fc.constant(target.method) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    },
  );
  const headers = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: headersArbitrary },
  );
  return fc
    .record({
      method,
      url: urlArbitrary(target, schemas),
      requester: fc.constantFrom(
        ...requesters,
        'admin' as const,
        'admin' as const,
        'user' as const,
      ),
      headers,
      body: bodyArbitrary(target, schemas),
    })
    .map(({ body: { type, payload }, ...rest }) => ({
      ...rest,
      target,
      payload,
      headers: { ...rest.headers, ...(type === undefined ? {} : { 'content-type': type }) },
    }));
}
