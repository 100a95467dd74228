import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, browser } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

let client: IngestClient;
let port: number;
beforeAll(async () => {
  client = await openIngest();
  await client.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (client.app.http.server.address() as AddressInfo).port;
});
afterAll(() => client.close());

const json = { 'content-type': 'application/json' };
const gzipped = { ...json, 'content-encoding': 'gzip' };
const view = (site: string, more: object = {}) => ({
  event: 'pageview',
  url: '/',
  site_id: site,
  ...more,
});

/** Returns a batch of about `bytes` bytes of JSON, no more compressible than real events. */
function batchOf(bytes: number, site: string): string {
  const event = JSON.stringify(view(site, { title: randomBytes(4000).toString('hex') }));
  const events = Array.from({ length: Math.ceil(bytes / event.length) }, () => event);
  return `{"events":[${events.join(',')}]}`;
}

/** Posts over a real socket; without `content-length` the body is chunked. */
async function post(
  url: string,
  parts: readonly (string | Buffer)[],
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const request = httpRequest({
    port,
    path: url,
    method: 'POST',
    agent: false,
    headers: { 'user-agent': browser, ...headers },
  });
  request.on('error', () => undefined);
  for (const part of parts) request.write(part);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  return { status: response.statusCode ?? 0, text };
}

describe('content types', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/vnd.tracker+json',
  ])('reads events sent as %s', async (type) => {
    const site = newSite();
    for (const [url, body] of [
      [track, view(site)],
      [batch, { events: [view(site)] }],
    ] as const) {
      const answer = await client.ask('POST', url, { 'content-type': type }, JSON.stringify(body));
      expect(answer.status).toBe(200);
      expect(answer.body.accepted).toBe(1);
    }
    expect(await client.rows(site)).toHaveLength(2);
  });

  it.each([
    'application/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'image/png',
  ])('refuses %s with 415', async (type) => {
    const answer = await client.ask(
      'POST',
      track,
      { 'content-type': type },
      JSON.stringify(view('s')),
    );
    expect(answer.status).toBe(415);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it('reads UTF-8 with a byte order mark', async () => {
    const site = newSite();
    expect(
      (
        await client.ask(
          'POST',
          track,
          json,
          `\uFEFF${JSON.stringify(view(site, { title: 'Žluťoučký 😀' }))}`,
        )
      ).status,
    ).toBe(200);
    expect((await client.rows(site))[0]?.title).toBe('Žluťoučký 😀');
  });
});

describe('gzip', () => {
  it.each([track, batch])('reads a compressed body for %s', async (url) => {
    const site = newSite();
    const body = gzipSync(JSON.stringify(url === track ? view(site) : { events: [view(site)] }));
    expect((await client.ask('POST', url, gzipped, body)).body).toMatchObject({ accepted: 1 });
    expect((await post(url, [body.subarray(0, 7), body.subarray(7)], gzipped)).status).toBe(200);
    expect(await client.rows(site)).toHaveLength(2);
  });

  it.each([
    ['uncompressed text', Buffer.from('{"event":"a"}')],
    ['a truncated body', gzipSync(JSON.stringify(view('s'))).subarray(0, -9)],
    ['a wrong checksum', Buffer.concat([gzipSync('{}').subarray(0, -8), Buffer.alloc(8)])],
    ['a zero byte', Buffer.alloc(1)],
  ])('refuses %s with 400', async (_, body) => {
    const answer = await client.ask('POST', track, gzipped, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'request.invalid',
      detail: 'The body is not valid gzip.',
    });
  });

  it.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'x'])(
    'refuses the encoding %s with 415',
    async (encoding) => {
      const answer = await client.ask(
        'POST',
        track,
        { ...json, 'content-encoding': encoding },
        gzipSync(JSON.stringify(view('s'))),
      );
      expect(answer.status).toBe(415);
      expect(answer.body.code).toBe('analytics.encoding');
    },
  );

  it('refuses a gzip bomb with 413 without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 1024 ** 2, ' '));
    expect(bomb.length).toBeLessThan(400 * 1024);
    const before = process.memoryUsage().rss;
    for (const [url, headers] of [
      [track, {}],
      [batch, {}],
      [batch, asAdmin],
    ] as const) {
      const began = performance.now();
      expect((await client.ask('POST', url, { ...gzipped, ...headers }, bomb)).status).toBe(413);
      expect((await post(url, [bomb], { ...gzipped, ...headers })).status).toBe(413);
      expect(performance.now() - began).toBeLessThan(2000);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
  }, 60_000);
});

describe('sizes', () => {
  it('accepts an event of 64 KiB and refuses a longer one, with or without a key', async () => {
    const site = newSite();
    const padded = (length: number) => {
      const text = JSON.stringify(view(site, { unknown: '' }));
      return text.replace('""', `"${'x'.repeat(length - text.length)}"`);
    };
    expect((await client.ask('POST', track, json, padded(64 * 1024))).status).toBe(200);
    for (const headers of [json, { ...json, ...asAdmin }]) {
      expect((await client.ask('POST', track, headers, padded(64 * 1024 + 1))).status).toBe(413);
      expect((await post(track, [padded(64 * 1024 + 1)], headers)).status).toBe(413);
    }
    expect(await client.rows(site)).toHaveLength(1);
  });

  it('accepts 1 MiB without a key, 10 MiB with one, even chunked and compressed', async () => {
    const site = newSite();
    const reader = await client.keyWith('analytics:read');
    const writer = await client.keyWith('analytics:write');
    const [small, large, huge] = [
      batchOf(1_000_000, site),
      batchOf(1_200_000, site),
      batchOf(10.6 * 1024 ** 2, site),
    ];
    const senders: ((
      body: string,
      headers: Record<string, string>,
    ) => Promise<{ status: number }>)[] = [
      async (body, headers) => client.ask('POST', batch, { ...json, ...headers }, body),
      async (body, headers) =>
        post(batch, [body.slice(0, 5), body.slice(5)], { ...json, ...headers }),
      async (body, headers) => post(batch, [gzipSync(body)], { ...gzipped, ...headers }),
    ];
    for (const send of senders) {
      expect((await send(small, {})).status).toBe(200);
      expect((await send(large, {})).status).toBe(413);
      expect((await send(large, reader)).status).toBe(413);
      expect((await send(large, writer)).status).toBe(200);
      expect((await send(huge, writer)).status).toBe(413);
    }
    const count = (text: string) => (JSON.parse(text) as { events: unknown[] }).events.length;
    expect(await client.rows(site)).toHaveLength(3 * (count(small) + count(large)));
  }, 60_000);

  it('answers a client that never ends its body once the limit is exceeded', async () => {
    const request = httpRequest({ port, path: batch, method: 'POST', agent: false, headers: json });
    request.on('error', () => undefined);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.write(' '.repeat(1024 ** 2 + 1));
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    request.destroy();
  });
});
