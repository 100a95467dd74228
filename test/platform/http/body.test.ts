import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findJsonSyntaxError } from '../../../src/lib/json/syntax.ts';
import {
  acceptBytes,
  acceptForms,
  acceptJsonAs,
  refuseRepeatedMembers,
} from '../../../src/platform/http/body-parsers.ts';
import { createEchoApp, createTestHttp, withPublicRoutes } from '../../support/http.ts';

const json = { 'content-type': 'application/json' };
const schema = { body: z.object({ phone: z.string() }) };

async function post(payload: string | Buffer, headers: Record<string, string> = json) {
  const app = await createEchoApp(schema);
  return app.inject({ method: 'POST', url: '/check', headers, payload });
}

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
      expect(answer.body).toBe(
        JSON.stringify({
          detail: [
            {
              type: 'json_invalid',
              loc: ['body', offset],
              msg: 'JSON decode error',
              input: {},
              ctx: { error },
            },
          ],
        }),
      );
    },
  );

  test('is refused exactly when JSON.parse refuses it', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'a',
      '1',
      '-',
      '.',
      'e5',
      'null',
      'true',
      ' ',
      '\\',
      'u0041',
      '\n',
      '0',
    );
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
      { numRuns: 3000 },
    );
  });

  test('that is nested thousands deep is refused without a failure', async () => {
    const answer = await post(`{"__proto__":${'['.repeat(30_000)}`);
    expect(answer.statusCode).toBe(422);
    expect(
      (await post(`{"phone":${'['.repeat(30_000)}${']'.repeat(30_000)},"__proto__":1}`)).statusCode,
    ).toBe(422);
  });

  test('may have a +json type and may start with a byte order mark', async () => {
    expect(
      (await post('{"phone":"1"}', { 'content-type': 'application/vnd.x+json; charset=utf-8' }))
        .statusCode,
    ).toBe(200);
    expect((await post('\uFEFF{"phone":"1"}')).statusCode).toBe(200);
  });

  test('cannot change any prototype', async () => {
    const app = await createEchoApp({ body: z.looseObject({}) });
    for (const name of ['__proto__', '\\u005f_proto__']) {
      const payload = `{"a":{"${name}":{"polluted":true}},"${name}":{"polluted":true},"b":1}`;
      const answer = await app.inject({ method: 'POST', url: '/check', headers: json, payload });
      expect(answer.json()).toEqual({ body: { a: {}, b: 1 }, query: {}, params: {} });
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    }
  });
});

describe('a non-JSON body on a JSON route', () => {
  const unread = [
    'application/x-www-form-urlencoded',
    'text/plain;charset=UTF-8',
    'application/xml',
    'multipart/form-data; boundary=x',
    'image/png',
    'nonsense',
    '',
    ';',
    'json; a=b',
  ];
  test.each([...unread, undefined])(
    'of type %j is 415, even if its content is JSON',
    async (type) => {
      const answer = await post(
        '{"phone":"1"}',
        type === undefined ? {} : { 'content-type': type },
      );
      expect(answer.statusCode).toBe(415);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.json()).toMatchObject({
        status: 415,
        code: 'request.unsupported_media_type',
        title: 'Unsupported Media Type',
      });
    },
  );

  test('larger than the limit is 413', async () => {
    const answer = await post(JSON.stringify({ phone: 'x'.repeat(65_536) }));
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ status: 413, code: 'request.too_large' });
  });

  test('that is empty is no body, whatever its type', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/xml',
      'nonsense',
    ]) {
      const answer = await post('', { 'content-type': type });
      expect({ type, status: answer.statusCode, body: answer.json<unknown>() }).toMatchObject({
        type,
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['body'] }] },
      });
    }
  });

  test('is ignored by a route without a body', async () => {
    const http = createTestHttp();
    const app = await withPublicRoutes(http, (routes) => {
      routes.post('/logout', (request) => ({ body: request.body ?? null }));
    });
    for (const type of ['application/json', 'application/xml', 'text/plain', 'nonsense', '', ';']) {
      const answer = await app.inject({
        method: 'POST',
        url: '/logout',
        headers: { 'content-type': type },
        payload: '{broken',
      });
      expect(answer.statusCode).toBe(200);
    }
  });
});

describe('scopes for other body types', () => {
  test('get forms as objects, without affecting other scopes', async () => {
    const http = createTestHttp();
    const app = await withPublicRoutes(http, (routes) => {
      routes.post('/json', { schema }, () => ({}));
      routes.register((forms, _options, done) => {
        acceptForms(forms);
        forms.post('/form', { schema }, (request) => ({ body: request.body }));
        done();
      });
    });
    const form = {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'phone=%2B1&x=1',
    };
    expect((await app.inject({ method: 'POST', url: '/form', ...form })).json()).toEqual({
      body: { phone: '+1' },
    });
    expect((await app.inject({ method: 'POST', url: '/json', ...form })).statusCode).toBe(415);
  });

  test('get beacons as JSON', async () => {
    const http = createTestHttp();
    const app = await withPublicRoutes(http, (routes) => {
      acceptJsonAs(routes, ['text/plain']);
      routes.post('/beacon', { schema }, (request) => ({ body: request.body }));
    });
    const answer = await app.inject({
      method: 'POST',
      url: '/beacon',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      payload: '{"phone":"1"}',
    });
    expect(answer.json()).toEqual({ body: { phone: '1' } });
  });
});

describe('a scope that refuses repeated members', () => {
  const loose = { body: z.looseObject({}) };
  const echo = (request: { body: unknown }) => ({ body: request.body });

  /**
   * `/strict` refuses them, as does its nested scope, which also accepts forms. The others are
   * separate scopes.
   */
  async function createApp() {
    return withPublicRoutes(createTestHttp(), (routes) => {
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
        acceptJsonAs(beacons, ['text/plain']);
        beacons.post('/beacon', { schema: loose }, echo);
      });
    });
  }

  const twice = '{"user":[{"a":"x"},{"a":"x","\\u0061":"{\\"a\\":0}"}]}';

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.x+json',
  ])('answers 422 with the location for %s', async (type) => {
    const app = await createApp();
    for (const url of ['/strict', '/strict/inner']) {
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': type },
        payload: twice,
      });
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toBe(
        JSON.stringify({
          detail: [
            {
              type: 'value_error',
              loc: ['body', 'user', 1, 'a'],
              msg: 'Value error, given more than once',
              input: null,
              ctx: { error: {} },
            },
          ],
        }),
      );
    }
  });

  test('parses all other bodies like other scopes', async () => {
    const app = await createApp();
    const texts = [
      '{"a":{"b":1},"c":{"b":1}}',
      '\uFEFF{"a":1}',
      '{"a":',
      '',
      '[]',
      '"a"',
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"toString":1}',
      '{"a":{"\\u005f_proto__":1}}',
    ];
    for (const payload of texts) {
      const [strict, other] = await Promise.all(
        ['/strict', '/before'].map((url) =>
          app.inject({ method: 'POST', url, headers: json, payload }),
        ),
      );
      expect({
        payload: payload.slice(0, 20),
        status: strict?.statusCode,
        body: strict?.body,
      }).toEqual({ payload: payload.slice(0, 20), status: other?.statusCode, body: other?.body });
    }
    expect(
      (
        await app.inject({ method: 'POST', url: '/strict', headers: json, payload: texts[6] ?? '' })
      ).json(),
    ).toEqual({ body: { constructor: { prototype: {} }, toString: 1 } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const [strict, other] = await Promise.all(
        ['/strict', '/before'].map((url) =>
          app.inject({
            method: 'POST',
            url,
            headers: { 'content-type': type },
            payload: 'a=1&a=1',
          }),
        ),
      );
      expect({
        status: strict?.statusCode,
        detail: strict?.json<{ detail: unknown }>().detail,
      }).toEqual({ status: other?.statusCode, detail: other?.json<{ detail: unknown }>().detail });
    }
  });

  test('does not affect other scopes, unread bodies and raw bodies', async () => {
    const app = await createApp();
    for (const [url, type] of [
      ['/before', 'application/json'],
      ['/beacon', 'application/json'],
      ['/beacon', 'text/plain'],
    ] as const) {
      expect(
        (
          await app.inject({
            method: 'POST',
            url,
            headers: { 'content-type': type },
            payload: '{"a":1,"a":2}',
          })
        ).json(),
      ).toEqual({ body: { a: 2 } });
    }
    expect(
      (
        await app.inject({
          method: 'POST',
          url: '/strict/unread',
          headers: json,
          payload: '{"a":1,"a":2}',
        })
      ).statusCode,
    ).toBe(200);
    expect(
      (
        await app.inject({
          method: 'POST',
          url: '/strict/bytes',
          headers: json,
          payload: '{"a":1,"a":2}',
        })
      ).json(),
    ).toEqual({ body: '{"a":1,"a":2}' });
  });

  test('echoes no long or endless names', async () => {
    const app = await createApp();
    const long = 'x'.repeat(1000);
    const answers = await Promise.all(
      [
        `{"a":{"${long}":1,"${long}":2}}`,
        `${'{"a":'.repeat(40)}{"b":1,"b":1}${'}'.repeat(40)}`,
      ].map((payload) => app.inject({ method: 'POST', url: '/strict', headers: json, payload })),
    );
    expect(
      answers.map((answer) => answer.json<{ detail: { loc: string[] }[] }>().detail[0]?.loc),
    ).toEqual([
      ['body', 'a'],
      ['body', ...Array<string>(16).fill('a')],
    ]);
  });
});

describe('a body sent in pieces', () => {
  const open: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()));
  });

  test('in the middle of a character arrives whole', async () => {
    const app = await createEchoApp(schema);
    open.push(app);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const bytes = Buffer.from('{"phone":"é"}');
    const text = await new Promise<string>((resolve, reject) => {
      const outgoing = httpRequest(
        { port, method: 'POST', path: '/check', headers: json },
        (incoming) => {
          incoming.setEncoding('utf8').on('data', resolve);
        },
      );
      outgoing.on('error', reject);
      outgoing.write(bytes.subarray(0, 11));
      setImmediate(() => outgoing.end(bytes.subarray(11)));
    });
    expect(JSON.parse(text)).toMatchObject({ body: { phone: 'é' } });
  });
});
