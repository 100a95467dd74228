import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { sendCacheable } from '../../../src/platform/http/etag.ts';

const long = {
  content: 'The same words again. '.repeat(200),
  type: 'text/html; charset=utf-8',
  cacheControl: 'public, max-age=60',
};
const short = { ...long, content: 'Few words.' };
const app = fastify();
app.get('/long', async (request, reply) =>
  sendCacheable(request, reply.header('vary', 'accept'), long),
);
app.get('/short', async (request, reply) => sendCacheable(request, reply, short));
app.get('/fresh', async (request, reply) => sendCacheable(request, reply, { ...long }));
afterAll(() => app.close());
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('cacheable content', () => {
  it.each([
    'gzip',
    'gzip, deflate, br, zstd',
    'br;q=1.0, gzip;q=0.8',
    'GZIP ; q=0.001',
    'deflate,gzip',
  ])('is compressed for Accept-Encoding: %s', async (accepted) => {
    const { headers, rawPayload } = await get('/long', { 'accept-encoding': accepted });
    expect({
      'content-encoding': headers['content-encoding'],
      'content-length': headers['content-length'],
      vary: headers.vary,
    }).toEqual({
      'content-encoding': 'gzip',
      'content-length': String(rawPayload.length),
      vary: 'accept, accept-encoding',
    });
    expect(gunzipSync(rawPayload).toString()).toBe(long.content);
    expect(rawPayload.length).toBeLessThan(long.content.length / 5);
  });

  it.each([
    undefined,
    '',
    'identity',
    'br',
    'gzip;q=0',
    'gzip; q=0.000',
    'notgzip',
    'x-gzipped',
    'br;q=1, gzip;q=0, deflate',
  ])('is not compressed for Accept-Encoding: %s', async (accepted) => {
    const { headers, body } = await get(
      '/long',
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    expect({ 'content-encoding': headers['content-encoding'], vary: headers.vary, body }).toEqual({
      'content-encoding': undefined,
      vary: 'accept, accept-encoding',
      body: long.content,
    });
  });

  it('has a tag for each form, and gets a 304 for the tag of that form', async () => {
    const [plain, packed] = [
      (await get('/long')).headers,
      (await get('/long', { 'accept-encoding': 'gzip' })).headers,
    ];
    expect(packed.etag).not.toBe(plain.etag);
    const again = await get('/long', {
      'accept-encoding': 'gzip',
      'if-none-match': String(packed.etag),
    });
    expect({
      status: again.statusCode,
      length: again.rawPayload.length,
      'content-encoding': again.headers['content-encoding'],
      etag: again.headers.etag,
    }).toEqual({ status: 304, length: 0, 'content-encoding': undefined, etag: packed.etag });
    expect(
      (await get('/long', { 'accept-encoding': 'gzip', 'if-none-match': String(plain.etag) }))
        .statusCode,
    ).toBe(200);
    expect((await get('/long', { 'if-none-match': String(packed.etag) })).body).toBe(long.content);
    expect((await get('/fresh', { 'accept-encoding': 'gzip' })).headers.etag).toBe(packed.etag);
  });

  it('is never compressed when it fits into one packet', async () => {
    const { headers, body } = await get('/short', { 'accept-encoding': 'gzip' });
    expect({ 'content-encoding': headers['content-encoding'], vary: headers.vary, body }).toEqual({
      'content-encoding': undefined,
      vary: undefined,
      body: short.content,
    });
  });
});
