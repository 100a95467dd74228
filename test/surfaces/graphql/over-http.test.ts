import { serverAudits } from 'graphql-http';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { adminKey, asAdmin, type TestApp } from '../../support/app.ts';
import { listen } from '../../support/sockets.ts';
import { ask, codesOf, path } from './graphql-client.ts';

let app: TestApp;
let origin = '';
beforeAll(async () => {
  app = await sharedApp();
  origin = `http://127.0.0.1:${await listen(app)}`;
});

const strict = 'application/graphql-response+json';
const post = (payload: unknown, headers: Record<string, string> = {}, url = path) =>
  app.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
const get = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url: path, query, headers });

it('all audits of graphql-http pass, with and without a trailing slash', async () => {
  for (const url of [`${origin}/api/graphql/`, `${origin}/api/graphql`]) {
    const results = await Promise.all(serverAudits({ url }).map(({ fn }) => fn()));
    const failed = results
      .filter(({ status }) => status !== 'ok')
      .map(
        ({ id, name, status, ...other }) =>
          `${id} ${name}: ${status} ${'reason' in other ? other.reason : ''}`,
      );
    process.stdout.write(
      `graphql-http audits of ${url}: ${results.length - failed.length}/${results.length}\n`,
    );
    expect(failed).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(61);
  }
});

describe('a response', () => {
  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    [strict, `${strict}; charset=utf-8`],
    [`${strict}, application/json;q=0.9`, `${strict}; charset=utf-8`],
    [`application/json;q=0.5, ${strict};q=0.4`, 'application/json; charset=utf-8'],
    [`${strict};q=0, */*`, 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
  ])('for Accept %s has the type %s', async (accept, type) => {
    const answer = await post({ query: '{ hello }' }, accept === undefined ? {} : { accept });
    expect({
      status: answer.statusCode,
      'content-type': answer.headers['content-type'],
      body: answer.json<unknown>(),
    }).toEqual({ status: 200, 'content-type': type, body: { data: { hello: 'Hello, world!' } } });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      vary: 'accept, cookie, authorization',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each(['text/html', 'image/png', `${strict};q=0`, 'application/json;q=0, text/plain'])(
    'for Accept %s is 406',
    async (accept) => {
      const answer = await post({ query: '{ hello }' }, { accept });
      expect({ status: answer.statusCode, 'content-type': answer.headers['content-type'] }).toEqual(
        { status: 406, 'content-type': 'application/json; charset=utf-8' },
      );
      expect(answer.json()).toMatchObject({
        errors: [{ extensions: { code: 'graphql.not_acceptable', status: 406 } }],
      });
    },
  );

  it.each([
    ['{', 'graphql.syntax'],
    ['{ nothing }', 'graphql.validation'],
    ['query ($id: ID!) { node(id: $id) { id } }', 'graphql.variables'],
    ['query A { hello } query B { hello }', 'graphql.operation_unclear'],
    ['subscription { statusChanged { type } }', 'graphql.needs_socket'],
  ])(
    'to %s is 400 without data as graphql-response+json, 200 as plain JSON: %s',
    async (query, code) => {
      const [exact, plain] = [
        await ask(app, query, { headers: { accept: strict } }),
        await ask(app, query),
      ];
      expect({ exactStatus: exact.status, plainStatus: plain.status }).toEqual({
        exactStatus: 400,
        plainStatus: 200,
      });
      for (const answer of [exact, plain])
        expect({ codes: codesOf(answer), data: answer.data }).toEqual({
          codes: [code],
          data: undefined,
        });
    },
  );

  it('locates the error in the document, even for a cached document', async () => {
    for (let time = 0; time < 3; time += 1) {
      expect((await ask(app, '{ hello nothing }')).errors).toMatchObject([
        {
          message: 'Cannot query field "nothing" on type "Query".',
          locations: [{ line: 1, column: 9 }],
        },
      ]);
    }
  });
});

describe('a request', () => {
  it.each([
    ['not JSON', '{"query":', 'graphql.body_invalid'],
    ['empty', '', 'graphql.body_invalid'],
    ['a text', '"{ hello }"', 'graphql.body_invalid'],
    ['null', 'null', 'graphql.body_invalid'],
    ['without a query', '{}', 'graphql.query_missing'],
    ['with an empty query', '{"query":""}', 'graphql.query_missing'],
    ['a list of texts', '["{ hello }"]', 'graphql.body_invalid'],
    ['an empty list', '[]', 'graphql.batch_too_long'],
    [
      'with variables that are none',
      '{"query":"{ hello }","variables":[]}',
      'graphql.parameter_invalid',
    ],
  ])('whose body is %s is 400', async (_name, payload, code) => {
    for (const accept of ['application/json', strict]) {
      const answer = await post(payload, { accept });
      expect({
        status: answer.statusCode,
        errors: answer
          .json<{ errors: { extensions: { code: string } }[] }>()
          .errors.map(({ extensions }) => extensions.code),
      }).toEqual({ status: 400, errors: [code] });
    }
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/graphql',
    '',
  ])(
    'with the content type "%s" is 415, so other sites cannot send it without a preflight',
    async (type) => {
      for (const more of [{}, { 'graphql-require-preflight': '1' }]) {
        const answer = await app.http.inject({
          method: 'POST',
          url: path,
          headers: { ...(type === '' ? {} : { 'content-type': type }), ...more },
          payload: '{"query":"{ hello }"}',
        });
        expect({ status: answer.statusCode, body: answer.body }).toEqual({
          status: 415,
          body: expect.stringContaining('graphql.content_type') as string,
        });
      }
    },
  );

  it('with another method is 405 with Allow, and OPTIONS lists the methods', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const answer = await app.http.inject({ method, url: path });
      expect({ status: answer.statusCode, allow: answer.headers.allow }).toEqual({
        status: 405,
        allow: 'GET, HEAD, POST, OPTIONS',
      });
    }
    expect((await app.http.inject({ method: 'OPTIONS', url: path })).headers.allow).toBe(
      'GET, HEAD, POST, OPTIONS',
    );
  });

  it('by GET takes its parameters from the URL, and refuses mutations', async () => {
    expect(
      (
        await get({
          query: 'query ($id: ID!) { node(id: $id) { id } }',
          variables: '{"id":"nothing"}',
        })
      ).json(),
    ).toEqual({ data: { node: null } });
    expect(
      (await get({ query: 'query A { hello } query B { version }', operationName: 'B' })).json(),
    ).toEqual({ data: { version: '0.1.0' } });
    expect((await get({ query: '{ hello }', variables: '{' })).statusCode).toBe(400);
    expect((await get({})).statusCode).toBe(400);
    const key = 'mutation { createApiKey(input: { name: "by GET", scopes: [ADMIN] }) { key } }';
    for (const query of [key, `query A { hello } ${key.replace('mutation', 'mutation B')}`]) {
      for (const accept of ['application/json', strict]) {
        const answer = await get(
          { query, ...(query === key ? {} : { operationName: 'B' }) },
          { ...asAdmin, accept },
        );
        expect({ status: answer.statusCode, allow: answer.headers.allow }).toEqual({
          status: 405,
          allow: 'POST',
        });
      }
    }
    expect((await ask(app, '{ apiKeys { totalCount } }', { headers: asAdmin })).data).toEqual({
      apiKeys: { totalCount: 0 },
    });
  });

  it('with several operations runs the named one, also when repeated in any order', async () => {
    const query =
      'query A { a: hello } query B { b: version } mutation C { endSessions { ended } }';
    for (let time = 0; time < 12; time += 1) {
      expect((await ask(app, query, { operationName: 'A' })).data).toEqual({ a: 'Hello, world!' });
      expect((await ask(app, query, { operationName: 'B' })).data).toEqual({ b: '0.1.0' });
      expect(codesOf(await ask(app, query, { operationName: 'C' }))).toEqual([
        'request.unauthenticated',
      ]);
    }
    expect(codesOf(await ask(app, query, { operationName: 'D' }))).toEqual([
      'graphql.operation_unclear',
    ]);
  });

  it('with an invalid token is refused as a whole, without echoing the token', async () => {
    const answer = await post({ query: '{ hello }' }, { authorization: 'Bearer svc_nonsense' });
    expect({
      status: answer.statusCode,
      'www-authenticate': answer.headers['www-authenticate'],
    }).toEqual({ status: 401, 'www-authenticate': 'Bearer realm="svc", error="invalid_token"' });
    expect(answer.json()).toMatchObject({
      errors: [
        {
          message: 'Not authenticated',
          extensions: { code: 'request.unauthenticated', status: 401 },
        },
      ],
    });
    expect(answer.body).not.toContain('nonsense');
  });

  it('with a batch is answered in order; eleven operations are refused', async () => {
    const batch = await post([{ query: '{ hello }' }, { query: '{' }, { query: '{ version }' }]);
    expect({ status: batch.statusCode, body: batch.json<unknown>() }).toMatchObject({
      status: 200,
      body: [
        { data: { hello: 'Hello, world!' } },
        { errors: [{ extensions: { code: 'graphql.syntax' } }] },
        { data: { version: '0.1.0' } },
      ],
    });
    const many = (count: number) =>
      post(Array.from({ length: count }, () => ({ query: '{ hello }' })));
    expect({ first: (await many(10)).statusCode, second: (await many(11)).statusCode }).toEqual({
      first: 200,
      second: 400,
    });
  });
});

it('introspection is allowed, and everything has a description', async () => {
  const { data, errors } = await ask(
    app,
    `{ __schema { types { name description
    fields { name description args { name description } }
    inputFields { name description } enumValues { name description } } } }`,
  );
  expect(errors).toEqual([]);
  interface Described {
    name: string;
    description: string | null;
    fields?: (Described & { args: Described[] })[];
    inputFields?: Described[];
    enumValues?: Described[];
  }
  const { types } = (data as { __schema: { types: Described[] } }).__schema;
  const bare = types
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => {
      const inside = [
        ...(type.fields ?? []),
        ...(type.inputFields ?? []),
        ...(type.enumValues ?? []),
        ...(type.fields ?? []).flatMap(({ args }) => args),
      ];
      return [type, ...inside]
        .filter(({ description }) => description === null || description.trim() === '')
        .map(({ name }) => `${type.name}.${name}`);
    });
  expect(bare).toEqual([]);
  expect(types.length).toBeGreaterThan(70);
});

it('no request above logs an error or a credential', async () => {
  await ask(app, '{ hello }');
  expect(
    app
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"error"')),
  ).toEqual([]);
  expect(app.log()).not.toContain(adminKey);
});
