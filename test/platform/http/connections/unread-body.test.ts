import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import {
  acceptBytes,
  acceptFileForms,
  acceptForms,
} from '../../../../src/platform/http/body-parsers.ts';
import { enableLingeringClose } from '../../../../src/platform/http/connections/unread-body.ts';
import { requestErrors } from '../../../../src/platform/errors/errors.ts';
import { createTestHttp, withPublicRoutes } from '../../../support/http.ts';

const megabyte = 1024 * 1024;
const loose = { body: z.looseObject({}) };

function register(routes: FastifyInstance): void {
  acceptForms(routes);
  acceptFileForms(routes);
  routes.post('/small', { bodyLimit: 4096, schema: loose }, () => ({}));
  routes.post('/usual', { schema: loose }, () => ({}));
  const refuse = async () => {
    throw requestErrors.unauthenticated();
  };
  routes.post('/closed', { onRequest: refuse, schema: loose }, () => ({}));
  routes.register(async (files) => {
    acceptBytes(files);
    files.put('/file', { bodyLimit: megabyte }, () => ({}));
  });
}

let base: string;
beforeAll(async () => {
  const app = await withPublicRoutes(createTestHttp({ RATE_LIMIT: 'off' }), register);
  await app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return () => app.close();
});

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** In chunks, without a length. */
function* chunksOf(bytes: number) {
  for (let sent = 0; sent < bytes; sent += 65_536) yield Buffer.alloc(65_536, 'a');
}

function upload(bytes: number): FormData {
  const data = new FormData();
  data.set('picture', new Blob([Buffer.alloc(bytes, 'a')]), 'a.png');
  return data;
}

const doors: [name: string, path: string, status: number, init: () => RequestInit][] = [
  [
    'JSON',
    '/usual',
    413,
    () => ({ body: 'a'.repeat(6 * megabyte), headers: { 'content-type': json } }),
  ],
  [
    'a form',
    '/usual',
    413,
    () => ({ body: 'a'.repeat(4 * megabyte), headers: { 'content-type': form } }),
  ],
  [
    'a small form',
    '/small',
    413,
    () => ({ body: 'a'.repeat(20_000), headers: { 'content-type': form } }),
  ],
  ['a form with a file', '/usual', 413, () => ({ body: upload(5 * megabyte) })],
  ['a file', '/file', 413, () => ({ method: 'PUT', body: Buffer.alloc(5 * megabyte) })],
  [
    'an unknown type',
    '/usual',
    415,
    () => ({ body: Buffer.alloc(60_000), headers: { 'content-type': 'a/b' } }),
  ],
  ['an unknown path', '/nothing', 404, () => ({ body: Buffer.alloc(6 * megabyte) })],
  ['a closed door', '/closed', 401, () => ({ body: Buffer.alloc(6 * megabyte) })],
  [
    'a stream',
    '/usual',
    413,
    () => ({
      body: ReadableStream.from(chunksOf(5 * megabyte)),
      duplex: 'half',
      headers: { 'content-type': json },
    }),
  ],
];

describe('the answer to a refused body', () => {
  it.each(doors)('reaches clients that still send: %s', async (_, path, status, init) => {
    for (let round = 0; round < 5; round += 1) {
      const answer = await fetch(base + path, { method: 'POST', ...init() });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ status });
    }
  });

  it.each([
    ['/usual', json, 413],
    ['/usual', 'image/png', 413],
    ['/closed', json, 401],
    ['/nothing', json, 404],
  ])('reaches a client that reads only once it has sent all: %s %s', async (path, type, status) => {
    const bytes = 6 * megabyte;
    const client = connect(Number(new URL(base).port), '127.0.0.1').pause();
    onTestFinished(() => void client.destroy());
    const head = [`POST ${path} HTTP/1.1`, 'host: x', `content-type: ${type}`];
    client.write(`${[...head, `content-length: ${bytes}`].join('\r\n')}\r\n\r\n`);
    for (const part of chunksOf(bytes)) {
      await new Promise<void>((resolve, reject) =>
        client.write(part, (error) => (error == null ? resolve() : reject(error))),
      );
      await new Promise(setImmediate);
    }
    const answer = Buffer.concat(await client.toArray()).toString();
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`"status":${status}`);
  });

  it('ends the connection when much was not read, and keeps it when little was', async () => {
    const large = await fetch(`${base}/closed`, { method: 'POST', body: Buffer.alloc(megabyte) });
    expect(large.headers.get('connection')).toBe('close');
    const small = await fetch(`${base}/closed`, { method: 'POST', body: Buffer.alloc(8192) });
    expect(small.headers.get('connection')).toBe('keep-alive');
    await Promise.all([large.text(), small.text()]);
  });
});

describe('a client that keeps sending', () => {
  /** A server that refuses everything, and a client that is about to send a body. */
  async function refused(limits: Partial<Parameters<typeof enableLingeringClose>[1]>) {
    const server = createServer((_request, response) => response.writeHead(413).end('refused'));
    enableLingeringClose(server, {
      bytes: 1e9,
      wholeMs: 1e6,
      idleMs: 1e6,
      connections: 9,
      ...limits,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const open = async () => {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.on('error', () => undefined).setEncoding('utf8');
      onTestFinished(() => void client.destroy());
      client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n');
      const [text] = (await once(client, 'data')) as [string];
      expect(text).toContain('413');
      expect(text.toLowerCase()).toContain('connection: close');
      return client;
    };
    const count = () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, open) => (error === null ? resolve(open) : reject(error))),
      );
    return { open, count };
  }

  it('is cut off after a number of bytes', async () => {
    const { open, count } = await refused({ bytes: 100_000 });
    const client = await open();
    expect(await count()).toBe(1);
    const part = Buffer.alloc(65_536);
    const sending = setInterval(() => client.write(part), 5);
    onTestFinished(() => clearInterval(sending));
    await vi.waitFor(async () => expect(await count()).toBe(0), 5000);
  });

  it.each([{ wholeMs: 300 }, { idleMs: 300 }])('is cut off after a time: %o', async (limits) => {
    const { open, count } = await refused(limits);
    const client = await open();
    const trickling = 'wholeMs' in limits ? setInterval(() => client.write('a'), 20) : undefined;
    onTestFinished(() => clearInterval(trickling));
    await vi.waitFor(async () => expect(await count()).toBe(0), 5000);
  });

  it('is cut off at once when many others do', async () => {
    const { open, count } = await refused({ connections: 2 });
    await Promise.all(Array.from({ length: 6 }, open));
    await vi.waitFor(async () => expect(await count()).toBe(2), 5000);
  });
});
