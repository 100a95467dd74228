import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { findJsonSyntaxError } from '../../../src/lib/json/syntax.ts';
import {
  acceptBeacons,
  acceptBytes,
  acceptForms,
  refuseRepeatedMembers,
} from '../../../src/platform/http/body-parsers.ts';
import { createEchoApp, createTestHttp, withPublicRoutes } from '../../support/http.ts';
import { rounds } from '../../support/rounds.ts';
import { detailTextOf } from '../../support/invalid.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const schema = { body: z.object({ phone: z.string() }) };
const loose = { body: z.looseObject({}) };
const echo = ({ body }: { body: unknown }) => ({ body });

/** Posts a body. A type of null is none. */
const send = (app: FastifyInstance, url: string, payload: string, type: string | null = json) =>
  app.inject({
    method: 'POST',
    url,
    headers: type === null ? {} : { 'content-type': type },
    payload,
  });

const app = await createEchoApp(schema);
const post = (payload: string, type?: string | null) => send(app, '/check', payload, type);

// Offsets and messages as in `python3 -c "import json; json.loads(…)"` (3.13).
const broken: [text: string, offset: number, error: string][] = [
  ['{', 1, 'Expecting property name enclosed in double quotes'],
  ['[', 1, 'Expecting value'],
  ['{"a":1', 6, "Expecting ',' delimiter"],
  ['{"a" 1}', 5, "Expecting ':' delimiter"],
  ['{"a":}', 5, 'Expecting value'],
  ['{a:1}', 1, 'Expecting property name enclosed in double quotes'],
  ["{'a':1}", 1, 'Expecting property name enclosed in double quotes'],
  ['{"a":1,}', 6, 'Illegal trailing comma before end of object'],
  ['[1,]', 2, 'Illegal trailing comma before end of array'],
  ['[1 2]', 3, "Expecting ',' delimiter"],
  ['{"a":1} x', 8, 'Extra data'],
  ['"abc', 0, 'Unterminated string starting at'],
  ['{"a":"x\ny"}', 7, 'Invalid control character at'],
  ['"\\q"', 1, 'Invalid \\escape'],
  ['"\\u12"', 2, 'Invalid \\uXXXX escape'],
  ['nul', 0, 'Expecting value'],
  ['01', 1, 'Extra data'],
  ['  ', 2, 'Expecting value'],
  ['{"😀":x}', 5, 'Expecting value'],
];

describe('a JSON body', () => {
  test.each(broken)(
    'that is malformed as %j is refused at character %i: %s',
    async (text, offset, error) => {
      const answer = await post(text);
      expect(answer.statusCode).toBe(422);
      expect(detailTextOf(answer)).toBe(
        `{"detail":[{"type":"json_invalid","loc":["body",${offset}],"msg":"JSON decode error",` +
          `"input":{},"ctx":{"error":${JSON.stringify(error)}}}]`,
      );
    },
  );

  test('is refused exactly when JSON.parse refuses it', () => {
    const pieces = fc.constantFrom(...'{}[],:"a1-. \\\n0', 'e5', 'null', 'true', 'u0041');
    const texts = fc.oneof(
      fc.json(),
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        const found = findJsonSyntaxError(text);
        expect(found === undefined).toBe(parses);
        if (found !== undefined) expect(found.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: rounds(1000, 3000) },
    );
  });

  test.each([
    ['broken', `{"__proto__":${'['.repeat(30_000)}`],
    ['whole', `{"phone":${'['.repeat(30_000)}${']'.repeat(30_000)},"__proto__":1}`],
  ])('that is nested thousands deep and %s is refused without a failure', async (_how, text) => {
    expect((await post(text)).statusCode).toBe(422);
  });

  test('may have a +json type and may start with a byte order mark', async () => {
    const typed = await post('{"phone":"1"}', 'application/vnd.x+json; charset=utf-8');
    expect(typed.statusCode).toBe(200);
    expect((await post('\uFEFF{"phone":"1"}')).statusCode).toBe(200);
  });

  test.each(['__proto__', '\\u005f_proto__'])('cannot change a prototype by %s', async (name) => {
    const payload = `{"a":{"${name}":{"polluted":true}},"${name}":{"polluted":true},"b":1}`;
    const answer = await send(await createEchoApp(loose), '/check', payload);
    expect(answer.json()).toEqual({ body: { a: {}, b: 1 }, query: {}, params: {} });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('a non-JSON body on a JSON route', () => {
  test.each([
    form,
    'text/plain;charset=UTF-8',
    'application/xml',
    'multipart/form-data; boundary=x',
    'image/png',
    'nonsense',
    '',
    ';',
    'json; a=b',
    null,
  ])('of type %j is 415, even if its content is JSON', async (type) => {
    const answer = await post('{"phone":"1"}', type);
    expect(answer).toBeProblem(415, 'request.unsupported_media_type');
    expect(answer.json()).toMatchObject({ title: 'Unsupported Media Type' });
  });

  test('larger than the limit is 413', async () => {
    expect(await post(JSON.stringify({ phone: 'x'.repeat(65_536) }))).toBeProblem(
      413,
      'request.too_large',
    );
  });

  test.each([form, 'text/plain', 'application/xml', 'nonsense'])(
    'that is empty is no body, even of type %s',
    async (type) => {
      const answer = await post('', type);
      expect(answer).toBeInvalid('body');
      expect(answer.json()).toMatchObject({ detail: [{ type: 'missing' }] });
    },
  );

  test('is ignored by a route without a body', async () => {
    const bodiless = await withPublicRoutes(createTestHttp(), (routes) => {
      routes.post('/logout', ({ body }) => ({ body: body ?? null }));
    });
    for (const type of [json, 'application/xml', 'text/plain', 'nonsense', '', ';'])
      expect((await send(bodiless, '/logout', '{broken', type)).statusCode).toBe(200);
  });
});

describe('a scope for other body types', () => {
  test('gets forms as objects, without affecting other scopes', async () => {
    const forms = await withPublicRoutes(createTestHttp(), (routes) => {
      routes.post('/json', { schema }, () => ({}));
      routes.register(async (inner) => {
        acceptForms(inner);
        inner.post('/form', { schema }, echo);
      });
    });
    const sent = await send(forms, '/form', 'phone=%2B1&x=1', form);
    expect(sent.json()).toEqual({ body: { phone: '+1' } });
    expect((await send(forms, '/json', 'phone=%2B1&x=1', form)).statusCode).toBe(415);
  });

  test('gets beacons as JSON', async () => {
    const beacons = await withPublicRoutes(createTestHttp(), (routes) => {
      acceptBeacons(routes);
      routes.post('/beacon', { schema }, echo);
    });
    const sent = await send(beacons, '/beacon', '{"phone":"1"}', 'text/plain;charset=UTF-8');
    expect(sent.json()).toEqual({ body: { phone: '1' } });
  });
});

describe('a scope that refuses repeated members', () => {
  let scopes: FastifyInstance;

  /** `/strict` refuses them, as does its nested scope for forms; the others are separate scopes. */
  beforeAll(async () => {
    scopes = await withPublicRoutes(createTestHttp(), (routes) => {
      routes.post('/before', { schema: loose }, echo);
      routes.register(async (strict) => {
        refuseRepeatedMembers(strict);
        strict.post('/strict', { schema: loose }, echo);
        strict.post('/strict/unread', echo);
        strict.register(async (inner) => {
          acceptForms(inner);
          inner.post('/strict/inner', { schema: loose }, echo);
        });
        strict.register(async (bytes) => {
          acceptBytes(bytes);
          bytes.post('/strict/bytes', (request) => ({ body: String(request.body) }));
        });
      });
      routes.register(async (beacons) => {
        acceptBeacons(beacons);
        beacons.post('/beacon', { schema: loose }, echo);
      });
    });
  });

  const twice = '{"user":[{"a":"x"},{"a":"x","\\u0061":"{\\"a\\":0}"}]}';

  test.each([
    json,
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.x+json',
  ])('answers 422 with the location for %s', async (type) => {
    for (const url of ['/strict', '/strict/inner']) {
      const answer = await send(scopes, url, twice, type);
      expect(answer.statusCode).toBe(422);
      expect(detailTextOf(answer)).toBe(
        '{"detail":[{"type":"value_error","loc":["body","user",1,"a"],' +
          '"msg":"Value error, given more than once","input":null,"ctx":{"error":{}}}]',
      );
    }
  });

  test.each([
    '{"a":{"b":1},"c":{"b":1}}',
    '\uFEFF{"a":1}',
    '{"a":',
    '',
    '[]',
    '"a"',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"toString":1}',
    '{"a":{"\\u005f_proto__":1}}',
  ])('parses %j like other scopes', async (payload) => {
    const [strict, other] = [
      await send(scopes, '/strict', payload),
      await send(scopes, '/before', payload),
    ];
    expect(strict.statusCode).toBe(other.statusCode);
    expect(detailTextOf(strict)).toBe(detailTextOf(other));
  });

  test('takes names of prototypes as members', async () => {
    const payload = '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"toString":1}';
    expect((await send(scopes, '/strict', payload)).json()).toEqual({
      body: { constructor: { prototype: {} }, toString: 1 },
    });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each(['text/plain', form, 'application/xml'])(
    'answers a body of type %s like other scopes',
    async (type) => {
      const [strict, other] = await Promise.all(
        ['/strict', '/before'].map((url) => send(scopes, url, 'a=1&a=1', type)),
      );
      expect(strict?.statusCode).toBe(other?.statusCode);
      expect(strict?.json<{ detail: unknown }>().detail).toEqual(
        other?.json<{ detail: unknown }>().detail,
      );
    },
  );

  test.each([
    ['/before', json, { a: 2 }],
    ['/beacon', json, { a: 2 }],
    ['/beacon', 'text/plain', { a: 2 }],
    ['/strict/bytes', json, '{"a":1,"a":2}'],
  ])('does not affect %s with a body of type %s', async (url, type, body) => {
    expect((await send(scopes, url, '{"a":1,"a":2}', type)).json()).toEqual({ body });
  });

  test('does not affect a route that reads no body', async () => {
    expect((await send(scopes, '/strict/unread', '{"a":1,"a":2}')).statusCode).toBe(200);
  });

  test('echoes no long or endless names', async () => {
    const long = 'x'.repeat(1000);
    const locationOf = async (payload: string) =>
      (await send(scopes, '/strict', payload)).json<{ detail: { loc: string[] }[] }>().detail[0]
        ?.loc;
    expect(await locationOf(`{"a":{"${long}":1,"${long}":2}}`)).toEqual(['body', 'a']);
    const deep = `${'{"a":'.repeat(40)}{"b":1,"b":1}${'}'.repeat(40)}`;
    expect(await locationOf(deep)).toEqual(['body', ...Array<string>(16).fill('a')]);
  });
});

test('a body sent in pieces arrives whole, even if a character is split', async () => {
  const served = await createEchoApp(schema);
  onTestFinished(() => served.close());
  await served.listen({ port: 0, host: '127.0.0.1' });
  const { port } = served.server.address() as AddressInfo;
  const bytes = Buffer.from('{"phone":"é"}');
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': json };
    const outgoing = httpRequest({ port, method: 'POST', path: '/check', headers }, (incoming) => {
      incoming.setEncoding('utf8').on('data', resolve);
    });
    outgoing.on('error', reject);
    outgoing.write(bytes.subarray(0, 11));
    setImmediate(() => outgoing.end(bytes.subarray(11)));
  });
  expect(JSON.parse(text)).toMatchObject({ body: { phone: 'é' } });
});
