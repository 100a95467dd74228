import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { allowCrossOrigin } from '../../../src/platform/http/cross-origin.ts';
import { developmentOf } from '../../../src/platform/http/development.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const app = await createApp();

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
      const plain = await app.inject(path);
      expect(plain.statusCode).toBe(200);
      expect(await app.inject(`${path}/`)).toMatchObject({ statusCode: 200, body: plain.body });
    },
  );

  test.each(['GET', 'POST', 'OPTIONS', 'DELETE'] as const)(
    'that does not exist is 404 for %s, and is not repeated',
    async (method) => {
      const answer = await app.inject({ method, url: '/somewhere/else?code=123456' });
      expect(answer).toBeProblem(404, 'request.not_found');
      expect(answer.body).not.toMatch(/somewhere|123456/);
    },
  );

  test.each([
    ['malformed', '{broken'],
    ['too large', 'x'.repeat(100_000)],
  ])('that does not exist is 404 even if the body is %s', async (_how, payload) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/nothing', headers, payload });
    expect(answer.statusCode).toBe(404);
  });

  test('that is not a URL is 400, with the headers of every answer', async () => {
    const answer = await app.inject('/things/%zz');
    expect(answer).toBeProblem(400, 'request.invalid');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  test('with an endless parameter is refused', async () => {
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
    const answer = await app.inject({
      method: method as 'GET',
      url,
      payload: '{broken',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer).toBeProblem(405, 'request.method_not_allowed');
    expect(answer.headers.allow).toBe(allow);
  });
});

describe('OPTIONS', () => {
  test('on a known path is 204 with Allow, without CORS headers', async () => {
    const { statusCode, headers } = await app.inject({
      method: 'OPTIONS',
      url: '/things/7/',
      headers: { origin: 'https://evil.example' },
    });
    expect(statusCode).toBe(204);
    expect(headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(Object.keys(headers).join()).not.toContain('access-control');
  });

  test('is handled by a route that declares it', async () => {
    const answer = await app.inject({ method: 'OPTIONS', url: '/own-options' });
    expect(answer.json()).toEqual({ method: 'OPTIONS' });
  });

  test('is a preflight on a cross-origin path, open to every origin', async () => {
    const mixed = await withPublicRoutes(createTestHttp(), (routes) => {
      routes.get('/closed', () => ({}));
      routes.register(async (open) => {
        allowCrossOrigin(open);
        open.post('/ingest', { schema: { body: z.object({ a: z.int() }) } }, () => ({}));
      });
    });
    const preflight = await mixed.inject({
      method: 'OPTIONS',
      url: '/ingest',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight).toMatchObject({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST, OPTIONS',
        'access-control-allow-headers': 'content-type, content-encoding, authorization',
        'access-control-max-age': '86400',
      },
    });
    for (const payload of [{ a: 1 }, {}]) {
      const { headers } = await mixed.inject({ method: 'POST', url: '/ingest', payload });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    }
    expect((await mixed.inject('/closed')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('HEAD answers like GET, without the body', async () => {
  const { headers } = await app.inject('/things');
  expect(await app.inject({ method: 'HEAD', url: '/things' })).toMatchObject({
    statusCode: 200,
    body: '',
    headers: { 'content-length': headers['content-length'] },
  });
  expect((await app.inject({ method: 'HEAD', url: '/nothing' })).statusCode).toBe(404);
});

/** Listens until the test ends. Returns the port. */
async function listen(served: FastifyInstance): Promise<number> {
  onTestFinished(() => served.close());
  await served.listen({ port: 0, host: '127.0.0.1' });
  return (served.server.address() as AddressInfo).port;
}

/** Opens a connection. `text` resolves to all that it got once it is closed. */
function open(port: number): { socket: Socket; text: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  return { socket, text: readText(socket) };
}

/** Sends bytes and returns the head and the body of the response. */
async function exchange(port: number, bytes: string): Promise<{ head: string; body: string }> {
  const { socket, text } = open(port);
  socket.write(bytes);
  const [head = '', body = ''] = (await text).split('\r\n\r\n');
  return { head, body };
}

describe('on the wire', () => {
  test.each([
    ['anything but HTTP', 'hello\r\n\r\n', 400],
    ['endless headers', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is answered with a problem', async (_name, bytes, status) => {
    const { head, body } = await exchange(await listen(await createApp()), bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status, code: 'request.invalid' });
  });

  const several = 'There is more than one Host header.';
  test.each([
    ['two', '/things HTTP/1.1', ['Host: a.example', 'hOsT: b.example'], several],
    ['two that agree', '/things HTTP/1.1', ['Host: a.example', 'Host: a.example'], several],
    ['two of HTTP/1.0', '/things HTTP/1.0', ['Host: a.example', 'Host: b.example'], several],
    ['two, to no route', '/nothing HTTP/1.1', ['Host: a.example', 'Host: b.example'], several],
    ['none', '/things HTTP/1.1', [], 'The Host header is missing.'],
  ])(
    'a request with another number of Host headers is 400: %s',
    async (_n, line, hosts, detail) => {
      const request = [`GET ${line}`, ...hosts, 'Connection: close', '', ''].join('\r\n');
      const { head, body } = await exchange(await listen(await createApp()), request);
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'request.invalid', detail });
    },
  );

  test('an HTTP/1.0 client needs no Host header', async () => {
    const { head } = await exchange(
      await listen(await createApp()),
      'GET /things HTTP/1.0\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('HTTP/1.0 and absolute request lines do not count as local requests', async () => {
    const { allows } = developmentOf({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      BASE_URL: undefined,
      TRUST_PROXY: '',
    });
    const port = await listen(
      await withPublicRoutes(
        createTestHttp(),
        (routes) => void routes.get('/allowed', (request) => ({ allowed: allows(request) })),
      ),
    );
    const ask = async (line: string) =>
      (await exchange(port, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).body;
    expect(await ask('GET /allowed HTTP/1.1')).toBe('{"allowed":true}');
    expect(await ask('GET /allowed HTTP/1.0')).toBe('{"allowed":false}');
    expect(await ask('GET http://svc.example/allowed HTTP/1.1')).toBe('{"allowed":false}');
  });

  test('clients have timeouts, after which connections are closed', () => {
    expect(app.server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      timeout: 120_000,
      keepAliveTimeout: 65_000,
    });
  });

  test('a large body to an unknown path does not break the connection', async () => {
    const port = await listen(await createApp());
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const outgoing = httpRequest(
        { port, method: 'POST', path: '/nothing', headers },
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
    const [entered, release, closing] = [createGate(), createGate(), createGate()];
    http.app.addHook('preClose', async () => closing.open());
    const served = await withPublicRoutes(http, (routes) => {
      routes.get('/slow', async () => {
        entered.open();
        await release.passed;
        return { done: true };
      });
      routes.get('/quick', () => ({}));
    });
    const { socket, text } = open(await listen(served));
    let requests = 0;
    served.server.on('request', () => {
      requests += 1;
    });
    socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
    await entered.passed;
    const closed = served.close();
    await closing.passed;
    socket.write('GET /quick HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    await vi.waitFor(() => expect(requests).toBe(2), { timeout: 10_000 });
    release.open();
    await closed;
    expect((await text).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
    expect(await text).toContain('"code":"request.unavailable"');
    expect(await text).toContain('retry-after: 5');
  });
});

function createGate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}
