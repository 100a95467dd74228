import type { FastifyInstance, InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { developmentRoutes } from '../../../src/areas/dev-mode/routes.ts';
import {
  createDevelopmentReports,
  type DevelopmentReportsOptions,
} from '../../../src/areas/dev-mode/service.ts';
import { parseConfig } from '../../../src/config.ts';
import { developmentOf } from '../../../src/platform/http/development.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const bodyMethods = ['PUT', 'POST', 'PATCH'];
const seven = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const;

/** The paths, with exactly the methods that they allow. */
const table: [path: string, methods: readonly string[]][] = [
  ['/workflows/api/v1/auth/dev-access', seven],
  ['/workflows/api/v1/auth/dev-mode', seven],
  ['/workflows/api/v1/auth/dev-status', seven],
];

let now = Date.UTC(2026, 2, 4, 12);

const open = (
  environment: DevelopmentReportsOptions['environment'] = 'development',
  env: Record<string, string> = {},
  more: Partial<DevelopmentReportsOptions> = {},
): Promise<FastifyInstance> =>
  withPublicRoutes(createTestHttp(env), (routes) => {
    const development = developmentOf(parseConfig({ NODE_ENV: environment, ...env }));
    const reports = createDevelopmentReports({
      environment,
      development,
      hasBypass: development.bypass,
      keptChannels: ['email', 'SMS'],
      stores: { REDIS_URL: undefined, DATABASE_URL: undefined, EVENTS_URL: undefined },
      version: '0.1.0',
      clock: { now: () => now },
      ...more,
    });
    developmentRoutes(routes, { reports });
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

const paths = table.map(([path]) => path);
const [access = '', mode = '', status = ''] = paths;
const closedMembers = ['enabled', 'environment', 'method', 'changed', 'detail'];

describe('in development, for requests from this machine', () => {
  it('dev-access says what this request may use', async () => {
    const app = await open('development', {}, { hasBypass: false });
    expect((await ask(app, { url: access })).body).toEqual({
      enabled: true,
      environment: 'development',
      method: 'GET',
      changed: false,
      detail: 'This request comes from this machine without a proxy, so it may use what is on.',
      allowed: { bypass: false, outbox: true, components: true },
    });
  });

  it('dev-mode says which conveniences are on, and why others are off', async () => {
    const app = await open('development', {}, { hasBypass: false, keptChannels: ['SMS'] });
    const { body } = await ask(app, { url: mode });
    expect(body).toMatchObject({
      enabled: true,
      conveniences: [
        { name: 'bypass', on: false, detail: 'Off, because an identity provider is set up.' },
        { name: 'outbox', on: true, path: '/dev/outbox' },
        { name: 'components', on: true },
      ],
    });
    expect(body).not.toHaveProperty('allowed');
  });

  it('dev-status says the state of the environment, and names no address', async () => {
    const secret = 'postgres://svc:s3cret@db.internal/svc';
    const app = await open(
      'development',
      {},
      { stores: { REDIS_URL: undefined, DATABASE_URL: secret, EVENTS_URL: undefined } },
    );
    now += 90_500;
    const { body, text } = await ask(app, { url: status });
    expect(body).toMatchObject({
      enabled: true,
      version: '0.1.0',
      started_at: new Date(now - 90_500).toISOString(),
      uptime_seconds: 90,
      stores: { redis: 'embedded', database: 'external', events: 'embedded' },
    });
    expect(text).not.toMatch(/s3cret|db\.internal|svc:/);
  });

  it('the three reports differ', async () => {
    const app = await open();
    const members = await Promise.all(
      paths.map(async (url) => Object.keys((await ask(app, { url })).body).join()),
    );
    expect(new Set(members).size).toBe(3);
  });
});

describe('hostile: the reports are closed, and no method has an effect', () => {
  it.each(paths)('%s outside development', async (url) => {
    for (const environment of ['production', 'test'] as const) {
      const app = await open(environment);
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
        const payload = method === 'GET' ? {} : { payload: { enabled: true } };
        const { body } = await ask(app, { method, url, ...payload });
        expect(body).toMatchObject({ enabled: false, environment, method, changed: false });
        expect(Object.keys(body)).toEqual(closedMembers);
      }
      expect((await ask(app, { url })).body.enabled).toBe(false);
    }
  });

  it.each(paths)('%s for requests from elsewhere, or through a proxy', async (url) => {
    const app = await open('development');
    const elsewhere = [
      { remoteAddress: '203.0.113.5' },
      { headers: { 'x-forwarded-for': '127.0.0.1' } },
      { headers: { forwarded: 'for=127.0.0.1' } },
      { headers: { host: 'svc.example' } },
    ];
    for (const request of elsewhere) {
      const { body } = await ask(app, { url, ...request });
      expect({ request, enabled: body.enabled, body: Object.keys(body) }).toEqual({
        request,
        enabled: false,
        body: closedMembers,
      });
    }
  });

  it.each(paths)('%s behind a trusted proxy, whatever it forwards', async (url) => {
    const app = await open('development', { TRUST_PROXY: '203.0.113.0/24' });
    const headers = { 'x-forwarded-for': '127.0.0.1' };
    const { body } = await ask(app, { url, remoteAddress: '203.0.113.5', headers });
    expect(Object.keys(body)).toEqual(closedMembers);
    expect(body).toMatchObject({ enabled: false });
    expect(body.detail).not.toContain('TRUST_PROXY');
  });

  it('says why, but only to the developer at this machine', async () => {
    const app = await open('development', { BASE_URL: 'https://svc.example' });
    expect((await ask(app, { url: access })).body).toMatchObject({
      enabled: false,
      detail:
        'Development conveniences are off for this request. ' +
        'BASE_URL is not an address of this machine.',
    });
    const far = await ask(app, { url: access, remoteAddress: '203.0.113.5' });
    expect(far.body.detail).toBe('Development conveniences are off for this request.');
  });
});
