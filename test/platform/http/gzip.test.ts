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
    expect(headers).toMatchObject({
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
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const answer = await get('/long', headers);
    expect(answer).toMatchObject({
      headers: { vary: 'accept, accept-encoding' },
      body: long.content,
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('has a tag for each form, and gets a 304 for the tag of that form', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    const plain = String((await get('/long')).headers.etag);
    const packed = String((await get('/long', gzip)).headers.etag);
    expect(packed).not.toBe(plain);
    const again = await get('/long', { ...gzip, 'if-none-match': packed });
    expect(again).toMatchObject({ statusCode: 304, body: '', headers: { etag: packed } });
    expect(again.headers).not.toHaveProperty('content-encoding');
    expect((await get('/long', { ...gzip, 'if-none-match': plain })).statusCode).toBe(200);
    expect((await get('/long', { 'if-none-match': packed })).body).toBe(long.content);
    expect((await get('/fresh', gzip)).headers.etag).toBe(packed);
  });

  it('is never compressed when it fits into one packet', async () => {
    const { headers, body } = await get('/short', { 'accept-encoding': 'gzip' });
    expect(body).toBe(short.content);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('vary');
  });
});
