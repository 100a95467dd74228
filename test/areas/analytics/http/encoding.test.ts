import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { asAdmin, browser } from '../../../support/app.ts';
import { listen } from '../../../support/sockets.ts';
import { it } from '../../../support/test.ts';
import { batch, beginRequest, newSite, track, useSharedAnalytics, view } from '../support.ts';

const analytics = await useSharedAnalytics();
const port = await listen(analytics.app);

const json = { 'content-type': 'application/json' };
const gzipped = { ...json, 'content-encoding': 'gzip' };
const send = (url: string, body: string | Buffer, headers: Record<string, string> = json) =>
  analytics.tracker.post(url, body, { headers });

/** Returns a batch of about `bytes` bytes of JSON, no more compressible than real events. */
function batchOf(bytes: number, site: string): string {
  const event = JSON.stringify(view(site, { title: randomBytes(4000).toString('hex') }));
  const events = Array.from({ length: Math.ceil(bytes / event.length) }, () => event);
  return `{"events":[${events.join(',')}]}`;
}

/** Posts over a real socket, in chunks. */
async function sendChunked(
  url: string,
  parts: readonly (string | Buffer)[],
  headers: Record<string, string> = json,
): Promise<{ status: number }> {
  const request = beginRequest(port, 'POST', url, { 'user-agent': browser, ...headers });
  for (const part of parts) request.write(part);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await response.resume().toArray();
  return { status: response.statusCode ?? 0 };
}

describe('the body of an event', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/vnd.tracker+json',
  ])('may be sent as %s', async (type) => {
    const site = newSite();
    for (const [url, body] of [
      [track, view(site)],
      [batch, { events: [view(site)] }],
    ] as const)
      expect(await send(url, JSON.stringify(body), { 'content-type': type })).toMatchObject({
        status: 200,
        body: { accepted: 1 },
      });
    expect(await analytics.rows(site)).toHaveLength(2);
  });

  it.each([
    'application/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'image/png',
  ])('may not be sent as %s', async (type) => {
    expect(await send(track, JSON.stringify(view('s')), { 'content-type': type })).toBeProblem(
      415,
      'request.unsupported_media_type',
    );
  });

  it('may be UTF-8 with a byte order mark', async () => {
    const site = newSite();
    const body = `\uFEFF${JSON.stringify(view(site, { title: 'Žluťoučký 😀' }))}`;
    expect(await send(track, body)).toMatchObject({ status: 200 });
    expect((await analytics.rows(site))[0]?.title).toBe('Žluťoučký 😀');
  });

  it.each([track, batch])('may be compressed by gzip for %s, even in chunks', async (url) => {
    const site = newSite();
    const body = gzipSync(JSON.stringify(url === track ? view(site) : { events: [view(site)] }));
    expect((await send(url, body, gzipped)).body).toMatchObject({ accepted: 1 });
    expect(await sendChunked(url, [body.subarray(0, 7), body.subarray(7)], gzipped)).toEqual({
      status: 200,
    });
    expect(await analytics.rows(site)).toHaveLength(2);
  });

  it.each([
    ['uncompressed text', Buffer.from('{"event":"a"}')],
    ['a truncated body', gzipSync(JSON.stringify(view('s'))).subarray(0, -9)],
    ['a wrong checksum', Buffer.concat([gzipSync('{}').subarray(0, -8), Buffer.alloc(8)])],
    ['a zero byte', Buffer.alloc(1)],
  ])('is not valid gzip when it is %s', async (_, body) => {
    const refused = await send(track, body, gzipped);
    expect(refused).toBeProblem(400, 'request.invalid');
    expect(refused.body.detail).toBe('The body is not valid gzip.');
  });

  it.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'x'])(
    'may not have the encoding %s',
    async (encoding) => {
      const body = gzipSync(JSON.stringify(view('s')));
      expect(await send(track, body, { ...json, 'content-encoding': encoding })).toBeProblem(
        415,
        'analytics.encoding',
      );
    },
  );

  it('that is a gzip bomb is refused without being unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 1024 ** 2, ' '));
    expect(bomb.length).toBeLessThan(400 * 1024);
    const before = process.memoryUsage().rss;
    for (const [url, headers] of [
      [track, gzipped],
      [batch, gzipped],
      [batch, { ...gzipped, ...asAdmin }],
    ] as const) {
      const began = performance.now();
      expect(await send(url, bomb, headers)).toMatchObject({ status: 413 });
      expect(await sendChunked(url, [bomb], headers)).toEqual({ status: 413 });
      expect(performance.now() - began).toBeLessThan(2000);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
  }, 60_000);
});

describe('the size of a body', () => {
  it('is at most 64 KiB for one event, with or without a key', async () => {
    const site = newSite();
    const padded = (length: number) => {
      const text = JSON.stringify(view(site, { unknown: '' }));
      return text.replace('""', `"${'x'.repeat(length - text.length)}"`);
    };
    expect(await send(track, padded(64 * 1024))).toMatchObject({ status: 200 });
    for (const headers of [json, { ...json, ...asAdmin }]) {
      expect(await send(track, padded(64 * 1024 + 1), headers)).toMatchObject({ status: 413 });
      expect(await sendChunked(track, [padded(64 * 1024 + 1)], headers)).toEqual({ status: 413 });
    }
    expect(await analytics.rows(site)).toHaveLength(1);
  });

  it('is at most 1 MiB without a write key, 10 MiB with one, chunked or compressed', async () => {
    const site = newSite();
    const reader = await analytics.keyHeaders('analytics:read');
    const writer = await analytics.keyHeaders('analytics:write');
    const [small, large, huge] = [
      batchOf(1_000_000, site),
      batchOf(1_200_000, site),
      batchOf(10.6 * 1024 ** 2, site),
    ];
    const senders = [
      (body: string, by: object) => send(batch, body, { ...json, ...by }),
      (body: string, by: object) =>
        sendChunked(batch, [body.slice(0, 5), body.slice(5)], { ...json, ...by }),
      (body: string, by: object) => sendChunked(batch, [gzipSync(body)], { ...gzipped, ...by }),
    ];
    for (const sendBatch of senders) {
      expect(await sendBatch(small, {})).toMatchObject({ status: 200 });
      expect(await sendBatch(large, {})).toMatchObject({ status: 413 });
      expect(await sendBatch(large, reader)).toMatchObject({ status: 413 });
      expect(await sendBatch(large, writer)).toMatchObject({ status: 200 });
      expect(await sendBatch(huge, writer)).toMatchObject({ status: 413 });
    }
    const count = (text: string) => (JSON.parse(text) as { events: unknown[] }).events.length;
    expect(await analytics.rows(site)).toHaveLength(3 * (count(small) + count(large)));
  }, 60_000);

  it('is refused once it exceeds the limit, even if the body never ends', async () => {
    const request = beginRequest(port, 'POST', batch, json);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.write(' '.repeat(1024 ** 2 + 1));
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    request.destroy();
  });
});
