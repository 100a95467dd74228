import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { acceptBeacons, acceptForms, acceptText } from '../../../src/platform/http/body-parsers.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const formType = 'application/x-www-form-urlencoded';
const loose = { body: z.looseObject({}) };
const echo = ({ body }: { body: unknown }) => ({ body });

const app = await withPublicRoutes(createTestHttp(), (routes) => {
  acceptForms(routes);
  acceptText(routes, ['text/csv']);
  routes.post('/kept', { schema: loose }, echo);
  routes.post('/kept/file', { schema: { body: z.string() } }, echo);
  routes.post('/ignored', ({ body }) => ({ body: body ?? null }));
  const params = z.object({ name: z.string() });
  const querystring = z.object({ q: z.string().optional() });
  routes.get('/kept/:name', { schema: { params, querystring } }, ({ params: values, query }) => ({
    values,
    query,
  }));
  routes.register(async (beacons) => {
    acceptBeacons(beacons);
    beacons.post('/beacon', { schema: loose }, echo);
  });
});

const send = (url: string, payload: Buffer | string, type?: string) =>
  app.inject({
    method: 'POST',
    url,
    payload: Buffer.from(payload),
    headers: type === undefined ? {} : { 'content-type': type },
  });

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const json = 'application/json';
const jörg = { body: { name: 'Jörg' } };

describe('a body in another encoding', () => {
  it.each([
    ['JSON', '/kept', latin1('{"name":"Jörg"}'), json, 'body.0'],
    [
      'JSON that says UTF-8',
      '/kept',
      latin1('{"name":"Jörg"}'),
      `${json}; charset=utf-8`,
      'body.0',
    ],
    ['JSON with a surrogate', '/kept', Buffer.from('7b2261223a22eda08022', 'hex'), json, 'body.0'],
    ['a form', '/kept', 'name=J%F6rg', formType, 'body.name'],
    ['a form with raw bytes', '/kept', latin1('name=Jörg'), formType, 'body'],
    ['a CSV file', '/kept/file', latin1('name\r\nJörg\r\n'), 'text/csv', 'body'],
  ])('is refused, never replaced: %s', async (_, url, payload, type, place) => {
    const answer = await send(url, payload, type);
    expect(answer).toBeInvalid(place);
    expect(answer.body).toContain('is not UTF-8');
    expect(answer.body).not.toContain('\uFFFD');
  });

  it.each([
    ['JSON', latin1('{"name":"Jörg"}'), `${json}; charset=ISO-8859-1`],
    ['JSON with quotes', latin1('{"name":"Jörg"}'), `${json};charset="latin1"`],
    ['JSON in UTF-16', utf16('{"name":"Jörg"}'), `${json}; charset=utf-16`],
    ['a form', 'name=J%F6rg', `${formType}; charset=iso-8859-1`],
    ['a form with a byte order mark', '\uFEFFname=J%C3%B6rg', formType],
  ])('is decoded when it names it: %s', async (_, payload, type) => {
    const answer = await send('/kept', payload, type);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(jörg);
  });

  it('is decoded as windows-1252 with the euro sign', async () => {
    const answer = await send(
      '/kept',
      Buffer.from('{"a":"\x80"}', 'latin1'),
      `${json};charset=cp1252`,
    );
    expect(answer.json()).toEqual({ body: { a: '€' } });
  });

  it('is decoded from UTF-16 as a CSV file', async () => {
    const answer = await send('/kept/file', utf16('name\r\nJörg\r\n'), 'text/csv');
    expect(answer.json()).toEqual({ body: 'name\r\nJörg\r\n' });
  });

  it('is 415 when its charset is unknown, or not applied to it', async () => {
    expect(await send('/kept', '{}', `${json}; charset=klingon`)).toBeProblem(
      415,
      'request.unsupported_media_type',
    );
    const wrong = await send(
      '/kept',
      Buffer.from([0x22, 0x81, 0x22]),
      `${json}; charset=shift_jis`,
    );
    expect(wrong.statusCode).toBe(422);
  });

  it('is ignored where no body is read', async () => {
    expect((await send('/ignored', latin1('{"name":"Jörg"}'), json)).statusCode).toBe(200);
  });

  it('keeps a percent sign in a form that encodes nothing', async () => {
    const answer = await send('/kept', 'name=100% J%C3%B6rg', formType);
    expect(answer.json()).toEqual({ body: { name: '100% Jörg' } });
  });
});

describe('a compressed body', () => {
  const sendCoded = (url: string, coding: string, payload: Buffer | string, type = json) =>
    app.inject({
      method: 'POST',
      url,
      payload: Buffer.from(payload),
      headers: { 'content-type': type, 'content-encoding': coding },
    });
  const zipped = gzipSync('{"name":"Jörg"}');

  it.each([
    ['/kept', 'gzip', json],
    ['/kept', 'GZIP', json],
    ['/kept', 'identity, br', json],
    ['/kept', 'deflate', formType],
    ['/kept/file', 'gzip', 'text/csv'],
    ['/beacon', 'gzip', 'text/plain'],
  ])('is 415 on %s with %s, with the codings that are accepted', async (url, coding, type) => {
    const answer = await sendCoded(url, coding, zipped, type);
    expect(answer).toBeProblem(415, 'request.unsupported_media_type');
    expect(answer.headers['accept-encoding']).toBe('identity');
    expect(answer.body).not.toContain('application/json');
  });

  it('is read when its coding changes nothing, and ignored where no body is read', async () => {
    for (const coding of ['identity', 'Identity', ''])
      expect((await sendCoded('/kept', coding, '{"name":"Jörg"}')).json()).toEqual(jörg);
    expect((await sendCoded('/ignored', 'gzip', zipped)).statusCode).toBe(200);
  });
});

describe('text that no store can keep', () => {
  it.each([
    ['{"name":"a\\u0000b"}', 'body.name'],
    ['{"tags":["x",{"y":"\\ud800"}]}', 'body.tags.1.y'],
    ['{"name":"\\uDC00\\uD800"}', 'body.name'],
    ['{"metadata":{"a\\u0000":1}}', 'body.metadata.a\0'],
  ])('is refused at its place in JSON: %s', async (payload, place) => {
    const answer = await send('/kept', payload, json);
    expect(answer).toBeInvalid(place);
    expect(answer.body).toContain('well-formed Unicode');
  });

  it('is refused at its place in a form', async () => {
    expect(await send('/kept', 'a=1&name=a%00b', formType)).toBeInvalid('body.name');
    expect(await send('/kept', 'name=a\0b', formType)).toBeInvalid('body.name');
  });

  it('is refused at its place in a query and in a path', async () => {
    const get = (url: string) => app.inject({ method: 'GET', url });
    expect(await get('/kept/x?q=%00')).toBeInvalid('query.q');
    expect(await get('/kept/a%00b')).toBeInvalid('path.name');
    const broken = await get('/kept/x?q=J%F6rg');
    expect(broken).toBeInvalid('query.q');
    expect(broken.body).toContain('is not UTF-8');
    for (const url of [
      '/kept/x?q=100%',
      '/kept/x?q=J%C3%B6rg&z=%FF',
      '/kept/%C3%B6?q=%F0%9F%98%80',
    ])
      expect((await get(url)).statusCode).toBe(200);
  });

  it('is told from what only looks like it', async () => {
    const payload = '{"a":"\\ud83d\\ude00","b":"\\\\u0000","c":"%00"}';
    const answer = await send('/kept', payload, json);
    expect(answer.json()).toEqual({ body: { a: '😀', b: '\\u0000', c: '%00' } });
  });
});

describe('a beacon', () => {
  it.each([undefined, '', 'text/plain;charset=UTF-8', formType, `${formType};charset=UTF-8`, json])(
    'is read as JSON with the type %s',
    async (type) => {
      for (const mark of ['', '\uFEFF', '\n '])
        expect((await send('/beacon', `${mark}{"a":1}`, type)).json()).toEqual({ body: { a: 1 } });
    },
  );

  it('is no form, and other types stay unsupported', async () => {
    for (const [payload, type] of [
      ['a=1', formType],
      ['a=1', undefined],
      ['{"a":1}', 'application/xml'],
    ] as const)
      expect(await send('/beacon', payload, type)).toBeProblem(
        415,
        'request.unsupported_media_type',
      );
  });

  it('with text in another encoding or that is not well-formed is accepted', async () => {
    expect((await send('/beacon', latin1('{"title":"Jörg"}'), json)).json()).toEqual({
      body: { title: 'J\uFFFDrg' },
    });
    expect((await send('/beacon', '{"title":"\\u0000\\ud800"}', json)).statusCode).toBe(200);
  });

  it('does not make other paths read forms as JSON', async () => {
    expect((await send('/kept', '{"a":1}', formType)).json()).toEqual({ body: { '{"a":1}': '' } });
    expect(await send('/kept', '{"a":1}')).toBeProblem(415, 'request.unsupported_media_type');
  });
});
