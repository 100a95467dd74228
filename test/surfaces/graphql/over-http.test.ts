import { serverAudits } from 'graphql-http';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { adminKey, asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { errorsIn } from '../../support/log.ts';
import { saying } from '../../support/responses.ts';
import { listen } from '../../support/sockets.ts';
import { ask, codesOf, graphClient, path, type Result } from './graphql-client.ts';

const app = await sharedApp();
const client = new TestClient(app);
const origin = `http://127.0.0.1:${await listen(app)}`;

const strict = 'application/graphql-response+json';
const post = (payload: object | string, headers: Record<string, string> = {}) =>
  client.post<Result>(path, payload, {
    headers: { 'content-type': 'application/json', ...headers },
  });
const get = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  client.get<Result>(path, { query, headers });
const json = 'application/json; charset=utf-8';

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
    [undefined, json],
    ['*/*', json],
    [strict, `${strict}; charset=utf-8`],
    [`${strict}, application/json;q=0.9`, `${strict}; charset=utf-8`],
    [`application/json;q=0.5, ${strict};q=0.4`, json],
    [`${strict};q=0, */*`, json],
    ['application/*', json],
  ])('for Accept %s has the type %s', async (accept, type) => {
    const answer = await post({ query: '{ hello }' }, accept === undefined ? {} : { accept });
    expect(answer).toMatchObject({ status: 200, body: { data: { hello: 'Hello, world!' } } });
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-store',
      vary: 'accept, cookie, authorization',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each(['text/html', 'image/png', `${strict};q=0`, 'application/json;q=0, text/plain'])(
    'for Accept %s is 406',
    async (accept) => {
      const answer = await post({ query: '{ hello }' }, { accept });
      expect(answer).toMatchObject({
        status: 406,
        headers: { 'content-type': json },
        body: { errors: [{ extensions: { code: 'graphql.not_acceptable', status: 406 } }] },
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
      for (const [headers, status] of [
        [{ accept: strict }, 400],
        [{}, 200],
      ] as [Record<string, string>, number][]) {
        const answer = await ask(app, query, { headers });
        expect(answer).toMatchObject({ status, data: undefined });
        expect(codesOf(answer)).toEqual([code]);
      }
    },
  );

  it('locates the error in the document, even for a cached document', async () => {
    const message = 'Cannot query field "nothing" on type "Query".';
    for (let time = 0; time < 3; time += 1)
      expect((await ask(app, '{ hello nothing }')).errors).toMatchObject([
        { message, locations: [{ line: 1, column: 9 }] },
      ]);
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
    ['with odd variables', '{"query":"{ hello }","variables":[]}', 'graphql.parameter_invalid'],
  ])('whose body is %s is 400', async (_name, payload, code) => {
    for (const accept of ['application/json', strict]) {
      const { status, body } = await post(payload, { accept });
      expect(status).toBe(400);
      expect(codesOf({ errors: body.errors ?? [] })).toEqual([code]);
    }
  });

  it('with only the hash of a document is answered so that clients send the document', async () => {
    const persistedQuery = { version: 1, sha256Hash: 'ab'.repeat(32) };
    const request = { operationName: 'A', variables: {}, extensions: { persistedQuery } };
    const told = {
      status: 200,
      body: {
        errors: [
          {
            message: 'PersistedQueryNotSupported',
            extensions: { code: 'graphql.persisted_query_not_supported' },
          },
        ],
      },
    };
    for (const accept of ['application/json', strict]) {
      const asked = await post(request, { accept });
      expect(asked).toMatchObject(told);
      expect(asked.body).not.toHaveProperty('data');
      const query = new URLSearchParams({ extensions: JSON.stringify({ persistedQuery }) });
      expect(
        await client.get(`${path}?${query.toString()}`, { headers: { accept } }),
      ).toMatchObject(told);
      expect(await post({ query: 'query A { hello }', ...request }, { accept })).toMatchObject({
        status: 200,
        body: { data: { hello: expect.any(String) as string } },
      });
    }
    for (const extensions of [{}, { persistedQuery: true }, null])
      expect(await post({ extensions }, {})).toMatchObject({ status: 400 });
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
        const headers = { ...(type === '' ? {} : { 'content-type': type }), ...more };
        expect(await client.post(path, '{"query":"{ hello }"}', { headers })).toMatchObject(
          saying(415, 'graphql.content_type'),
        );
      }
    },
  );

  it('with another method is 405 with Allow, and OPTIONS lists the methods', async () => {
    const headers = { allow: 'GET, HEAD, POST, OPTIONS' };
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
      expect(await client.send(method, path)).toMatchObject({ status: 405, headers });
    expect(await client.send('OPTIONS', path)).toMatchObject({ headers });
  });

  it('by GET takes its parameters from the URL, and refuses mutations', async () => {
    const node = { query: 'query ($id: ID!) { node(id: $id) { id } }', variables: '{"id":"x"}' };
    expect((await get(node)).body).toEqual({ data: { node: null } });
    const two = { query: 'query A { hello } query B { version }', operationName: 'B' };
    expect((await get(two)).body).toEqual({ data: { version: '0.1.0' } });
    expect((await get({ query: '{ hello }', variables: '{' })).status).toBe(400);
    expect((await get({})).status).toBe(400);
    const key = 'mutation { createApiKey(input: { name: "by GET", scopes: [ADMIN] }) { key } }';
    const named = `query A { hello } ${key.replace('mutation', 'mutation B')}`;
    for (const mutation of [{ query: key }, { query: named, operationName: 'B' }])
      for (const accept of ['application/json', strict])
        expect(await get(mutation, { ...asAdmin, accept })).toMatchObject({
          status: 405,
          headers: { allow: 'POST' },
        });
    expect(await graphClient(app, asAdmin).data('{ apiKeys { totalCount } }')).toEqual({
      apiKeys: { totalCount: 0 },
    });
  });

  it('with several operations runs the named one, even when repeated in any order', async () => {
    const query =
      'query A { a: hello } query B { b: version } mutation C { endSessions { ended } }';
    const run = (operationName: string) => ask(app, query, { operationName });
    for (let time = 0; time < 12; time += 1) {
      expect((await run('A')).data).toEqual({ a: 'Hello, world!' });
      expect((await run('B')).data).toEqual({ b: '0.1.0' });
      expect(codesOf(await run('C'))).toEqual(['request.unauthenticated']);
    }
    expect(codesOf(await run('D'))).toEqual(['graphql.operation_unclear']);
  });

  it('with an invalid token is refused as a whole, without echoing the token', async () => {
    const answer = await post({ query: '{ hello }' }, { authorization: 'Bearer svc_nonsense' });
    const extensions = { code: 'request.unauthenticated', status: 401 };
    expect(answer).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="svc", error="invalid_token"' },
      body: { errors: [{ message: 'Not authenticated', extensions }] },
    });
    expect(answer.text).not.toContain('nonsense');
  });

  it('with a batch is answered in order; eleven operations are refused', async () => {
    const batch = await post([{ query: '{ hello }' }, { query: '{' }, { query: '{ version }' }]);
    expect(batch).toMatchObject({
      status: 200,
      body: [
        { data: { hello: 'Hello, world!' } },
        { errors: [{ extensions: { code: 'graphql.syntax' } }] },
        { data: { version: '0.1.0' } },
      ],
    });
    const many = (count: number) =>
      post(Array.from({ length: count }, () => ({ query: '{ hello }' })));
    expect((await many(10)).status).toBe(200);
    expect((await many(11)).status).toBe(400);
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
  expect(errorsIn(app.log())).toEqual([]);
  expect(app.log()).not.toContain(adminKey);
});
