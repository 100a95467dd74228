import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { allowCrossOrigin } from '../../../src/platform/http/cross-origin.ts';
import { developmentOf } from '../../../src/platform/http/development.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

function createGate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

async function createApp(): Promise<FastifyInstance> {
  return withPublicRoutes(createTestHttp(), (routes) => {
    routes.get('/things', () => ({ list: true }));
    routes.post('/things', { schema: { body: z.object({ a: z.int() }) } }, () => ({}));
    routes.get('/things/:id', { schema: { params: z.object({ id: z.string() }) } }, (request) => ({
      params: request.params,
    }));
    routes.delete('/things/special', () => ({}));
    routes.get('/', () => ({ home: true }));
    routes.route({
      method: ['GET', 'OPTIONS'],
      url: '/own-options',
      handler: (request) => ({ method: request.method }),
    });
  });
}

describe('a path', () => {
  test.each(['/things', '/things/7', '/own-options'])(
    '%s answers the same with and without a trailing slash, and never redirects',
    async (path) => {
      const app = await createApp();
      const [plain, slashed] = await Promise.all([app.inject(path), app.inject(`${path}/`)]);
      expect(plain.statusCode).toBe(200);
      expect(slashed.statusCode).toBe(200);
      expect(slashed.body).toBe(plain.body);
    },
  );

  test('that does not exist is 404', async () => {
    const app = await createApp();
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'] as const) {
      const answer = await app.inject({ method, url: '/somewhere/else?code=123456' });
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.json()).toMatchObject({ status: 404, code: 'request.not_found' });
      expect(answer.body).not.toMatch(/somewhere|123456/);
    }
  });

  test('that does not exist is 404 whatever its body', async () => {
    const app = await createApp();
    for (const payload of ['{broken', 'x'.repeat(100_000)]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/nothing',
        headers: { 'content-type': 'application/json' },
        payload,
      });
      expect(answer.statusCode).toBe(404);
    }
  });

  test('that is not a URL is 400, with the headers of every answer', async () => {
    const app = await createApp();
    const answer = await app.inject('/things/%zz');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'request.invalid' });
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  test('with an endless parameter is refused', async () => {
    const app = await createApp();
    const answer = await app.inject(`/things/${'x'.repeat(600)}`);
    expect([400, 404, 414]).toContain(answer.statusCode);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });
});

describe('a method that a path does not answer', () => {
  test.each([
    ['DELETE', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/things/', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/things/7?x=1', 'GET, HEAD, OPTIONS'],
    ['POST', '/things/special/', 'GET, HEAD, DELETE, OPTIONS'],
    ['PATCH', '/', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/things', 'GET, HEAD, POST, OPTIONS'],
  ] as const)('%s %s is 405 with Allow: %s', async (method, url, allow) => {
    const app = await createApp();
    const answer = await app.inject({
      method: method as 'GET',
      url,
      payload: '{broken',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.json()).toMatchObject({ status: 405, code: 'request.method_not_allowed' });
  });
});

describe('OPTIONS', () => {
  test('on a known path is 204 with Allow, without CORS headers', async () => {
    const app = await createApp();
    const answer = await app.inject({
      method: 'OPTIONS',
      url: '/things/7/',
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
  });

  test('is handled by a route that declares it', async () => {
    const app = await createApp();
    expect((await app.inject({ method: 'OPTIONS', url: '/own-options' })).json()).toEqual({
      method: 'OPTIONS',
    });
  });

  test('is a preflight on a cross-origin path, open to every origin', async () => {
    const http = createTestHttp();
    const app = await withPublicRoutes(http, (routes) => {
      routes.get('/closed', () => ({}));
      routes.register((open, _options, done) => {
        allowCrossOrigin(open);
        open.post('/ingest', { schema: { body: z.object({ a: z.int() }) } }, () => ({}));
        done();
      });
    });
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/ingest',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'content-type, content-encoding, authorization',
      'access-control-max-age': '86400',
    });
    for (const payload of [{ a: 1 }, {}]) {
      const answer = await app.inject({ method: 'POST', url: '/ingest', payload });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
    }
    expect((await app.inject('/closed')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('HEAD', () => {
  test('answers like GET, without the body', async () => {
    const app = await createApp();
    const [head, get] = await Promise.all([
      app.inject({ method: 'HEAD', url: '/things' }),
      app.inject('/things'),
    ]);
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await app.inject({ method: 'HEAD', url: '/nothing' })).statusCode).toBe(404);
  });
});

describe('on the wire', () => {
  const open: FastifyInstance[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()));
  });

  async function listen(): Promise<{ app: FastifyInstance; port: number }> {
    const app = await createApp();
    open.push(app);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { app, port: (app.server.address() as AddressInfo).port };
  }

  function exchange(port: number, bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
        })
        .on('close', () => resolve(text))
        .on('error', reject);
    });
  }

  test.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['endless headers', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is answered with a problem', async (_name, bytes, status) => {
    const { port } = await listen();
    const [head = '', body = ''] = (await exchange(port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status, code: 'request.invalid' });
  });

  test.each([
    [
      'two Host headers',
      'GET /things HTTP/1.1',
      ['Host: a.example', 'hOsT: b.example'],
      'There is more than one Host header.',
    ],
    [
      'two Host headers that agree',
      'GET /things HTTP/1.1',
      ['Host: a.example', 'Host: a.example'],
      'There is more than one Host header.',
    ],
    [
      'two of HTTP/1.0',
      'GET /things HTTP/1.0',
      ['Host: a.example', 'Host: b.example'],
      'There is more than one Host header.',
    ],
    [
      'two, to no route',
      'GET /nothing HTTP/1.1',
      ['Host: a.example', 'Host: b.example'],
      'There is more than one Host header.',
    ],
    ['no Host header', 'GET /things HTTP/1.1', [], 'The Host header is missing.'],
  ])('%s are 400', async (_what, line, hosts, detail) => {
    const { port } = await listen();
    const [head = '', body = ''] = (
      await exchange(port, [line, ...hosts, 'Connection: close', '', ''].join('\r\n'))
    ).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'request.invalid', detail });
  });

  test('an HTTP/1.0 client needs no Host header', async () => {
    const { port } = await listen();
    expect(await exchange(port, 'GET /things HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('HTTP/1.0 and absolute request lines do not count as local requests', async () => {
    const http = createTestHttp();
    const { allows } = developmentOf({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      BASE_URL: undefined,
      TRUST_PROXY: '',
    });
    const app = await withPublicRoutes(
      http,
      (routes) => void routes.get('/allowed', (request) => ({ allowed: allows(request) })),
    );
    open.push(app);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const ask = async (line: string) =>
      JSON.parse(
        (await exchange(port, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).split(
          '\r\n\r\n',
        )[1] ?? '',
      ) as unknown;
    expect(await ask('GET /allowed HTTP/1.1')).toEqual({ allowed: true });
    expect(await ask('GET /allowed HTTP/1.0')).toEqual({ allowed: false });
    expect(await ask('GET http://svc.example/allowed HTTP/1.1')).toEqual({ allowed: false });
  });

  test('clients have timeouts, after which connections are closed', async () => {
    const { app } = await listen();
    expect(app.server.headersTimeout).toBe(10_000);
    expect(app.server.requestTimeout).toBe(30_000);
    expect(app.server.timeout).toBe(120_000);
    expect(app.server.keepAliveTimeout).toBe(65_000);
  });

  test('a large body to an unknown path does not break the connection', async () => {
    const { port } = await listen();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpRequest(
        { port, method: 'POST', path: '/nothing', headers: { 'content-type': 'application/json' } },
        (incoming) => {
          incoming.resume().on('end', () => resolve(incoming.statusCode));
        },
      );
      outgoing.on('error', reject);
      outgoing.end('x'.repeat(500_000));
    });
    expect(status).toBe(404);
  });

  test('a closing service refuses new requests and answers earlier ones', async () => {
    const http = createTestHttp();
    const entered = createGate();
    const release = createGate();
    const closing = createGate();
    http.app.addHook('preClose', (done) => {
      closing.open();
      done();
    });
    const app = await withPublicRoutes(http, (routes) => {
      routes.get('/slow', async () => {
        entered.open();
        await release.passed;
        return { done: true };
      });
      routes.get('/quick', () => ({}));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    let requests = 0;
    app.server.on('request', () => {
      requests += 1;
    });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    const ended = new Promise((resolve) =>
      socket
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
        })
        .on('close', resolve),
    );
    socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
    await entered.passed;
    const closed = app.close();
    await closing.passed;
    socket.write('GET /quick HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    await vi.waitFor(() => expect(requests).toBe(2), { timeout: 10_000 });
    release.open();
    await Promise.all([closed, ended]);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
    expect(text).toContain('"code":"request.unavailable"');
    expect(text).toContain('retry-after: 5');
  });
});
