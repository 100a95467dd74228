import { describe, expect, test } from 'vitest';
import { requestErrors } from '../../../src/platform/errors/errors.ts';
import { routeTable, scope } from '../../../src/platform/http/scopes.ts';
import { changeResponseHeaders, pagePolicy } from '../../../src/platform/http/security.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

describe('x-request-id', async () => {
  const app = await withPublicRoutes(createTestHttp(), (routes) => {
    routes.get('/', (request) => ({ id: request.id }));
  });
  const send = (id: string) => app.inject({ url: '/', headers: { 'x-request-id': id } });

  test.each(['abcdefgh', '0195e2f0-7c1a-7000-8000-000000000000', 'a.b_c-123'])(
    '%s is adopted',
    async (id) => {
      expect(await send(id)).toMatchObject({
        headers: { 'x-request-id': id },
        body: JSON.stringify({ id }),
      });
    },
  );

  test.each([
    '',
    'short',
    'has space here',
    'x'.repeat(129),
    'abcdefgh\tx',
    'äöüäöüäöü',
    '<script>alert(1)</script>',
    'a=b;c=dddd',
  ])('%j is replaced', async (id) => {
    expect((await send(id)).headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/);
  });

  test('that is sent twice is replaced, and every request gets a new one', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('aaaaaaaa, bbbbbbbb')));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(50);
  });
});

describe('security headers', () => {
  test('are on every answer, including errors', async () => {
    const app = await withPublicRoutes(createTestHttp(), (routes) => {
      routes.get('/', () => ({}));
      routes.get('/fails', () => {
        throw new Error('x');
      });
    });
    for (const url of ['/', '/fails', '/nothing', '/%zz']) {
      const { headers } = await app.inject(url);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['permissions-policy']).toBeDefined();
      for (const name of ['strict-transport-security', 'access-control-allow-origin'])
        expect(headers).not.toHaveProperty(name);
      expect(headers).not.toHaveProperty('server');
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });

  test('tell browsers to stay on HTTPS when the service uses it', async () => {
    const http = createTestHttp({ BASE_URL: 'https://svc.example' });
    const app = await withPublicRoutes(http, (routes) => void routes.get('/', () => ({})));
    expect((await app.inject('/')).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    );
  });

  test('change for one scope and its nested scopes only', async () => {
    const http = createTestHttp();
    scope(http.app, 'public', undefined, (pages) => {
      changeResponseHeaders(pages, {
        'content-security-policy': pagePolicy,
        'permissions-policy': undefined,
      });
      pages.get('/page', () => ({}));
      scope(pages, 'inner', undefined, (inner) => {
        inner.get('/inner', () => ({}));
      });
    });
    scope(http.app, 'public', undefined, (routes) => {
      routes.get('/data', () => ({}));
    });
    await http.app.ready();
    for (const url of ['/page', '/inner']) {
      const { headers } = await http.app.inject(url);
      expect(headers['content-security-policy']).toBe(pagePolicy);
      expect(headers['permissions-policy']).toBeUndefined();
    }
    expect((await http.app.inject('/data')).headers['content-security-policy']).toMatch(
      /^default-src 'none'; base-uri/,
    );
  });
});

describe('scopes', () => {
  test('fail the start for a route outside any scope, and name it', async () => {
    const { app } = createTestHttp();
    app.get('/stray', () => ({}));
    await expect(app.ready()).rejects.toThrow('GET /stray');
  });

  test('guard all their routes, and no others, before the body is read', async () => {
    const http = createTestHttp();
    const seen: string[] = [];
    scope(
      http.app,
      'admin',
      (request) => {
        seen.push(request.url);
        if (request.headers.authorization === undefined) throw requestErrors.unauthenticated();
      },
      (routes) => {
        routes.post('/secret', () => ({ secret: true }));
        routes.get('/secret', () => ({ secret: true }));
        scope(
          routes,
          'admin:cleared',
          () => Promise.reject(requestErrors.forbidden()),
          (inner) => {
            inner.get('/deeper', () => ({ secret: true }));
          },
        );
      },
    );
    scope(http.app, 'public', undefined, (routes) => {
      routes.get('/open', () => ({}));
    });
    await http.app.ready();
    const refused = await http.app.inject({
      method: 'POST',
      url: '/secret/',
      headers: { 'content-type': 'application/json' },
      payload: '{broken',
    });
    expect(refused).toMatchObject({
      statusCode: 401,
      headers: {
        'www-authenticate': 'Bearer realm="svc"',
        'x-content-type-options': 'nosniff',
      },
    });
    const headers = { authorization: 'x' };
    expect((await http.app.inject({ method: 'HEAD', url: '/secret' })).statusCode).toBe(401);
    expect((await http.app.inject('/deeper')).statusCode).toBe(401);
    expect((await http.app.inject({ url: '/deeper', headers })).statusCode).toBe(403);
    expect((await http.app.inject({ url: '/secret', headers })).json()).toEqual({ secret: true });
    expect((await http.app.inject('/open')).statusCode).toBe(200);
    expect(seen).not.toContain('/open');
  });

  const nothing = undefined as unknown as Error;
  test.each<[string, () => Promise<void>]>([
    [
      'throws nothing in particular',
      () => {
        throw nothing;
      },
    ],
    ['rejects with nothing in particular', () => Promise.reject(nothing)],
  ])('admit no request when the guard %s', async (_name, guard) => {
    const http = createTestHttp();
    scope(http.app, 'admin', guard, (routes) => {
      routes.get('/secret', () => ({ secret: true }));
    });
    await http.app.ready();
    const answer = await http.app.inject('/secret');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret');
  });

  test('are listed in the route table, one row for each method', async () => {
    const http = createTestHttp();
    scope(http.app, 'keyed:analytics:read', undefined, (routes) => {
      routes.get('/b', { schema: { operationId: 'b.read', tags: ['b'] } }, () => ({}));
      routes.route({ method: ['GET', 'HEAD', 'PUT'], url: '/a', handler: () => ({}) });
    });
    await http.app.ready();
    const row = {
      operationId: undefined,
      summary: undefined,
      isHidden: false,
      scope: 'keyed:analytics:read',
      tags: [],
    };
    expect(routeTable(http.app)).toEqual([
      { ...row, method: 'GET', url: '/b', operationId: 'b.read', tags: ['b'] },
      ...['GET', 'HEAD', 'PUT'].map((method) => ({ ...row, method, url: '/a' })),
    ]);
  });
});

describe('client addresses', () => {
  const address = async (env: Record<string, string>, remoteAddress: string) => {
    const app = await withPublicRoutes(createTestHttp(env), (routes) => {
      routes.get('/', (request) => ({ ip: request.ip }));
    });
    const answer = await app.inject({
      url: '/',
      remoteAddress,
      headers: {
        'x-forwarded-for': '198.51.100.7',
        forwarded: 'for=198.51.100.8',
        'x-real-ip': '198.51.100.9',
      },
    });
    return answer.json<{ ip: string }>().ip;
  };

  const proxies = '10.0.0.0/8, 192.168.1.1';
  test.each([
    ['are never taken from a client', '', '203.0.113.5', '203.0.113.5'],
    ['are never taken from an untrusted client', proxies, '203.0.113.5', '203.0.113.5'],
    ['are taken from a proxy in a trusted network', proxies, '10.1.2.3', '198.51.100.7'],
    ['are taken from a trusted proxy', proxies, '192.168.1.1', '198.51.100.7'],
  ])('%s', async (_what, trusted, sender, counted) => {
    expect(await address({ TRUST_PROXY: trusted }, sender)).toBe(counted);
  });
});

test('two apps in one process are independent', async () => {
  const first = createTestHttp();
  const second = createTestHttp({ BASE_URL: 'https://second.example' });
  const one = await withPublicRoutes(first, (app) => void app.get('/one', () => ({ app: 1 })));
  const two = await withPublicRoutes(second, (app) => void app.get('/two', () => ({ app: 2 })));
  expect((await one.inject('/two')).statusCode).toBe(404);
  expect((await two.inject('/two')).json()).toEqual({ app: 2 });
  expect(routeTable(one).map(({ url }) => url)).toEqual(['/one']);
  await one.close();
  expect((await two.inject('/two')).statusCode).toBe(200);
  expect(first.lines().map(({ status }) => status)).toEqual([404]);
});
