import type { FastifyInstance, InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { stubRoutes } from '../../../src/areas/stubs/routes.ts';
import type { StubRoutesOptions } from '../../../src/areas/stubs/routes.ts';
import { parseConfig } from '../../../src/config.ts';
import { developmentOf } from '../../../src/platform/http/development.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const bodyMethods = ['PUT', 'POST', 'PATCH'];
const seven = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const;

/** The stub paths, with exactly the methods that they allow. */
const table: [path: string, methods: readonly string[]][] = [
  ['/cmyk/api/', seven],
  ['/workflows/api/v1/auth/dev-access', seven],
  ['/workflows/api/v1/auth/dev-mode', seven],
  ['/workflows/api/v1/auth/dev-status', seven],
];

const open = (
  environment: StubRoutesOptions['environment'] = 'development',
  env: Record<string, string> = {},
): Promise<FastifyInstance> =>
  withPublicRoutes(createTestHttp(env), (routes) => {
    routes.register(stubRoutes, {
      environment,
      development: developmentOf(parseConfig({ NODE_ENV: environment })),
      version: '0.1.0',
    });
  });

async function ask(app: FastifyInstance, options: InjectOptions) {
  const response = await app.inject(options);
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: response.body === '' ? {} : response.json<Record<string, unknown>>(),
  };
}

describe.each(table)('%s', (path, methods) => {
  const noSlash = path.replace(/\/$/, '');

  it.each(methods.filter((method) => !['HEAD', 'OPTIONS'].includes(method)))(
    '%s › 200 JSON, with and without slash',
    async (method) => {
      const app = await open();
      const response = await ask(app, { method: method, url: noSlash });
      expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
      expect(response.headers['content-type']).toMatch(/^application\/json/);
      expect(response.body.method).toBe(method);
      expect((await ask(app, { method: method, url: `${noSlash}/` })).text).toBe(response.text);
    },
  );

  it.runIf(methods.includes('GET'))('HEAD › 200 without a body', async () => {
    const response = await (await open()).inject({ method: 'HEAD', url: path });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });

  it.runIf(methods.includes('OPTIONS'))(
    'OPTIONS › 200, and Allow names the seven methods',
    async () => {
      const { status, headers } = await ask(await open(), { method: 'OPTIONS', url: path });
      expect(status).toBe(200);
      expect(String(headers.allow).split(', ').sort()).toEqual([...seven].sort());
    },
  );

  it.each(methods.filter((method) => bodyMethods.includes(method)))(
    '%s › ignores the body, whatever its content and type',
    async (method) => {
      const app = await open();
      for (const payload of ['{"a":[1,{"b":null}]}', '[1,2]', '"text"', '5', 'null', '']) {
        const response = await ask(app, {
          method: method,
          url: path,
          headers: { 'content-type': 'application/json' },
          payload,
        });
        expect(response.status).toBe(200);
      }
      for (const type of ['application/json', 'text/plain', 'application/xml', 'nonsense']) {
        expect(
          (
            await ask(app, {
              method: method,
              url: path,
              headers: { 'content-type': type },
              payload: '{',
            })
          ).status,
        ).toBe(200);
      }
      const large = JSON.stringify('x'.repeat(17 * 1024));
      expect(
        (
          await ask(app, {
            method: method,
            url: path,
            headers: { 'content-type': 'application/json' },
            payload: large,
          })
        ).status,
      ).toBe(413);
    },
  );

  it('405 › lists the allowed methods', async () => {
    const app = await open();
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'].filter(
      (name) => !methods.includes(name),
    )) {
      const response = await ask(app, { method: method, url: path });
      expect(response.status).toBe(405);
      expect(String(response.headers.allow)).toContain('GET');
    }
  });
});

describe('the development reports', () => {
  const paths = table.map(([path]) => path).filter((path) => path.includes('/dev-'));

  it.each(paths)('%s is enabled in development, for requests from this machine', async (url) => {
    const app = await open('development');
    expect((await ask(app, { url })).body).toMatchObject({
      enabled: true,
      environment: 'development',
      changed: false,
    });
    expect((await ask(app, { url, remoteAddress: '203.0.113.5' })).body).toMatchObject({
      enabled: false,
    });
  });

  it.each(paths)('%s is off outside development, whatever the method', async (url) => {
    for (const environment of ['production', 'test'] as const) {
      const app = await open(environment);
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
        expect((await ask(app, { method, url })).body).toMatchObject({
          enabled: false,
          environment,
          changed: false,
        });
      }
    }
  });

  it('are not fooled by a forwarded address from a trusted proxy', async () => {
    const app = await open('development', { TRUST_PROXY: '203.0.113.0/24' });
    const headers = { 'x-forwarded-for': '127.0.0.1' };
    expect(
      (await ask(app, { url: paths[0]!, remoteAddress: '203.0.113.5', headers })).body,
    ).toMatchObject({ enabled: false });
  });
});
